import Playback

/// How the ports are connected at the first start: the value of `--connect`.
package enum ConnectionChoice: Sendable, Equatable {
    /// The first physical playback pair, if nothing is connected yet.
    case automatic
    case none
    /// The first two input ports that match a POSIX extended regular expression, as JACK interprets it.
    case matching(String)

    /// Parses "auto", "none" or an expression.
    package init(argument: String) throws(ConnectionChoiceError) {
        switch argument {
        case "auto": self = .automatic
        case "none": self = .none
        default:
            if let reason = PortExpression.fault(in: argument) { throw ConnectionChoiceError(argument: argument, reason: reason) }
            self = .matching(argument)
        }
    }
}

package struct ConnectionChoiceError: Error, Equatable, CustomStringConvertible {
    package let argument: String
    package let reason: String

    package var description: String {
        "'\(argument)' is not a pattern of port names: \(reason). Give auto, none, or a regular expression such as 'system:playback_.*'."
    }
}
