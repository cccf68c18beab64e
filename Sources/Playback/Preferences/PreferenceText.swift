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
    /// A numeric IP address, or `unix:PATH`.
    case listening
    /// A network and its role.
    case access
    /// A peer, by a numeric address or as `localhost`, and its topics.
    case feedback
    /// `off`, `auto` or a TCP port.
    case webPort
    /// The name of a machine in DNS.
    case hostName

    /// The expected text, worded to follow "expected".
    package var noun: String {
        switch self {
        case .address: "a numeric address such as 127.0.0.1, 0.0.0.0 or ::1"
        case .sessionName: "the name of a session, or an empty string"
        case .connection: "auto, none, or a regular expression for the names of ports"
        case .listening: "a numeric address such as 0.0.0.0, or unix:PATH"
        case .access: "CIDR=view|control|admin, such as 192.168.1.0/24=control"
        case .feedback: "HOST:PORT=TOPICS, such as 192.168.1.20:9000=now,layers"
        case .webPort: "off, auto, or a port from 1 to 65535"
        case .hostName: "the name of a machine, such as studio.example.org"
        }
    }

    /// Whether the text has the form. Roles and topics are checked where they are used.
    package func accepts(_ text: String) -> Bool {
        switch self {
        case .address: return Self.bits(ofAddress: text[...]) != nil
        case .sessionName: return text.isEmpty || text.isPlainName
        case .connection: return PortExpression.fault(in: text) == nil
        case .listening:
            // The longest path of a Unix socket has 107 bytes. unix(7)
            return text.hasPrefix("unix:") ? (6...112).contains(text.utf8.count) : Self.bits(ofAddress: text[...]) != nil
        case .access:
            guard let (network, role) = Self.halves(of: text[...], at: "="), role.allSatisfy(\.isLetter) else { return false }
            guard let (address, length) = Self.halves(of: network, at: "/") else { return Self.bits(ofAddress: network) != nil }
            return Self.bits(ofAddress: address).map { bits in Int(length).map { (0...bits).contains($0) } ?? false } ?? false
        case .webPort: return ["off", "auto"].contains(text) || UInt16(text).map { $0 > 0 } == true
        case .hostName: return (1...253).contains(text.utf8.count) && text.wholeMatch(of: #/[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*/#) != nil
        case .feedback:
            guard let (peer, _) = Self.halves(of: text[...], at: "="), let colon = peer.lastIndex(of: ":") else { return false }
            let host = peer[..<colon]
            let isNamed =
                host.hasPrefix("[") && host.hasSuffix("]")
                ? Self.bits(ofAddress: host.dropFirst().dropLast()) == 128 : host == "localhost" || Self.bits(ofAddress: host) == 32
            return isNamed && UInt16(peer[peer.index(after: colon)...]) ?? 0 > 0
        }
    }

    /// The parts before and after the first `separator`, neither of them empty.
    private static func halves(of text: Substring, at separator: Character) -> (Substring, Substring)? {
        guard let place = text.firstIndex(of: separator) else { return nil }
        let (first, second) = (text[..<place], text[text.index(after: place)...])
        return first.isEmpty || second.isEmpty ? nil : (first, second)
    }

    /// The length in bits of a numeric IP address; `nil` if the text is not one.
    private static func bits(ofAddress text: Substring) -> Int? {
        var address = in6_addr()
        // SAFETY: inet_pton writes at most the 16 bytes of an IPv6 address.
        if inet_pton(AF_INET, String(text), &address) == 1 { return 32 }
        return inet_pton(AF_INET6, String(text), &address) == 1 ? 128 : nil
    }
}
