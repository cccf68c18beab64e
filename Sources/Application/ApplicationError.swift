/// Why the program cannot play, or cannot open another session.
package struct ApplicationError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Sendable {
        /// An option, a preference or a message of the session manager is invalid.
        case usage
        case badFile
        case noSuchFile
        /// There is no JACK server, a port is taken, or the session manager refuses.
        case unavailable
        case cannotCreate
        /// Another process has the session.
        case sessionInUse
    }

    package let reason: Reason
    /// A sentence with the remedy.
    package let description: String

    package init(_ reason: Reason, _ description: String) {
        (self.reason, self.description) = (reason, description)
    }
}
