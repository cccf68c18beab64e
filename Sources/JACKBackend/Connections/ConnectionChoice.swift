import Foundation
import JACK

/// How the ports are connected at the first start: the value of `--connect`.
package enum ConnectionChoice: Sendable, Equatable {
    /// The first physical playback pair, if nothing is connected yet.
    case automatic
    case none
    /// The first two input ports that match a POSIX extended regular expression, as JACK interprets it.
    case matching(String)

    /// Parses "auto", "none" or an expression. regcomp
    package init(argument: String) throws(ConnectionChoiceError) {
        switch argument {
        case "auto": self = .automatic
        case "none": self = .none
        default:
            var expression = regex_t()
            let code = regcomp(&expression, argument, REG_EXTENDED | REG_NOSUB)
            guard code == 0 else {
                var words = [CChar](repeating: 0, count: 256)
                regerror(code, &expression, &words, words.count)
                throw ConnectionChoiceError(argument: argument, reason: words.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
            }
            regfree(&expression)
            guard !argument.isEmpty else { throw ConnectionChoiceError(argument: argument, reason: "it is empty") }
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
