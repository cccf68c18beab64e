/// What JACK's transport and the player have to do with each other.
package enum TransportMode: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// The transport decides where playing stands: its frame is the position in the current item.
    case follow
    /// The player decides, and the transport goes along.
    case lead
}

/// Something to ask of JACK's transport. What becomes of it is seen in the next cycles.
package enum TransportRequest: Equatable, Sendable {
    case start, stop
    /// Frames from its start.
    case locate(Int64)
}
