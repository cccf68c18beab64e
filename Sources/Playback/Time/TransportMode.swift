/// The relation between JACK's transport and the player.
package enum TransportMode: String, CaseIterable, Sendable {
    /// The transport is ignored.
    case none
    /// The transport decides: its frame is the position in the current item.
    case follow
    /// The player decides and moves the transport.
    case lead
}

/// A request to JACK's transport. Its result shows in the following cycles.
package enum TransportRequest: Equatable, Sendable {
    case start, stop
    /// The target frame of the transport.
    case locate(Int64)
}
