import Glibc

/// The sender or receiver of UDP packets: a numeric address and a port.
public struct Endpoint: Hashable, Sendable {
    public var host: IPAddress
    public var port: UInt16

    public init(host: IPAddress, port: UInt16) {
        self.host = host
        self.port = port
    }
}

extension Endpoint: LosslessStringConvertible {
    /// Parses `127.0.0.1:7830` or `[::1]:7830`; `nil` for anything else, including host names.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard let host = IPAddress(String(host)) else { return nil }
        self.init(host: host, port: port)
    }

    public var description: String {
        switch host {
        case .ipv4: "\(host):\(port)"
        case .ipv6: "[\(host)]:\(port)"
        }
    }
}

extension Endpoint {
    var family: Int32 {
        if case .ipv4 = host { AF_INET } else { AF_INET6 }
    }

    /// Reads an address from the kernel; `nil` if it has left no IP address in `storage`.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        // SAFETY: sockaddr_storage is large enough and aligned for every address family, which ss_family names.
        let endpoint: Endpoint? = withUnsafeBytes(of: &storage) { bytes in
            switch Int32(bytes.load(as: sockaddr_storage.self).ss_family) {
            case AF_INET:
                let address = bytes.load(as: sockaddr_in.self)
                return Endpoint(host: .ipv4(UInt32(bigEndian: address.sin_addr.s_addr)), port: UInt16(bigEndian: address.sin_port))
            case AF_INET6:
                let address = bytes.load(as: sockaddr_in6.self)
                return Endpoint(
                    host: IPAddress(address.sin6_addr, scope: address.sin6_scope_id), port: UInt16(bigEndian: address.sin6_port))
            default: return nil
            }
        }
        guard let endpoint else { return nil }
        self = endpoint
    }

    /// Calls `body` with the address in the form that the socket functions take.
    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch host {
        case .ipv4(let bits):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = bits.bigEndian
            return Self.passing(&address, to: body)
        case .ipv6(_, _, let scope):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = host.in6Address
            address.sin6_scope_id = scope
            return Self.passing(&address, to: body)
        }
    }

    private static func passing<Address, Result>(
        _ address: inout Address, to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        // SAFETY: every socket address begins with the fields of sockaddr, and its own size goes with it.
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
        }
    }
}
