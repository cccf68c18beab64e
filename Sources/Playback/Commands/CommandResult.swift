/// The outcome of a command; the raw values are the codes of the OSC contract.
package enum CommandStatus: Int32, Sendable, CaseIterable {
    case success = 0
    /// The queue is empty, or there is no such item or layer.
    case noSuchContent = 100
    /// The command is enabled, but no responder handled it.
    case noActionableNowPlayingItem = 110
    /// JACK is away; only for `jack/*` and `transport/*`.
    case deviceNotFound = 120
    case commandFailed = 200
    case badArguments = 400
    case denied = 401
    case unknownAddress = 404
    case disabled = 405
    case busy = 409
    case queueFull = 413
    case tooFarInFuture = 414
    case rateLimited = 429
    case notSupported = 501
}

/// A status, the responder that set it, and for failures a sentence with the remedy.
package struct CommandResult: Equatable, Sendable {
    package var status: CommandStatus
    /// The name of the responder that handled the command; empty if none did.
    package var responder: String
    package var message: String
    /// The index of the item that was added to the queue, or is played from it; `nil` for other commands.
    package var place: Int?

    package init(_ status: CommandStatus, by responder: String = "", _ message: String = "") {
        self.status = status
        self.responder = responder
        self.message = message
    }
}
