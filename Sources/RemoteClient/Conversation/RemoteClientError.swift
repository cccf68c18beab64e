/// Why a running instance cannot be found or spoken to.
package struct RemoteClientError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Sendable {
        /// The text that names the instance is invalid.
        case usage
        /// There is no such instance, or it does not answer.
        case unavailable
        /// The instance answered with an error.
        case refused
    }

    package let reason: Reason
    /// A sentence with the remedy.
    package let description: String

    package init(_ reason: Reason, _ description: String) {
        (self.reason, self.description) = (reason, description)
    }
}
