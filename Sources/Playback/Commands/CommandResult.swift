/// How a command ended; the raw values are the codes of the OSC contract.
package enum CommandStatus: Int32, Sendable, CaseIterable {
    case success = 0
    /// Empty queue, no such item or layer content.
    case noSuchContent = 100
    /// Enabled, but nobody in the chain handled it.
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

/// A status, who gave it, and a sentence with the remedy when it is not success.
package struct CommandResult: Equatable, Sendable {
    package var status: CommandStatus
    /// Name of the responder that handled the command; empty when none did.
    package var responder: String
    package var message: String

    package init(_ status: CommandStatus, by responder: String = "", _ message: String = "") {
        self.status = status
        self.responder = responder
        self.message = message
    }
}
