/// An action required by a change of the player; the owner of the engine and the files carries them out in order.
package enum Effect: Equatable, Sendable {
    /// Changes what is heard.
    case sound(SoundChange)
    /// Moves JACK's transport.
    case transport(TransportRequest)
    /// Requests something that the player does not do itself.
    case request(ApplicationRequest)
}
