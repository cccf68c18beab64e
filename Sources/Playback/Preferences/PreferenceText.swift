import Glibc
import Patches

/// The form that a text preference must have.
package enum PreferenceText: Equatable, Sendable {
    /// A numeric IP address.
    case address
    /// The name of a session in the library, or empty.
    case sessionName
    /// `auto`, `none`, or a POSIX extended regular expression.
    case connection

    /// The expected text, worded to follow "expected".
    package var noun: String {
        switch self {
        case .address: "a numeric address such as 127.0.0.1, 0.0.0.0 or ::1"
        case .sessionName: "the name of a session, or an empty string"
        case .connection: "auto, none, or a regular expression for the names of ports"
        }
    }

    package func accepts(_ text: String) -> Bool {
        switch self {
        case .address:
            var address = in6_addr()
            // SAFETY: inet_pton writes at most the 16 bytes of an IPv6 address.
            return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1
        case .sessionName: return text.isEmpty || text.isPlainName
        case .connection:
            var expression = regex_t()
            guard !text.isEmpty, text.utf8.count <= 1024, regcomp(&expression, text, REG_EXTENDED | REG_NOSUB) == 0 else { return false }
            regfree(&expression)
            return true
        }
    }
}
