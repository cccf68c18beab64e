import Glibc

/// A numeric IP address. Host names are never looked up: a lookup blocks, and no message may cause one.
public enum IPAddress: Hashable, Sendable {
    /// An IPv4 address in host byte order: 127.0.0.1 is 0x7F000001.
    case ipv4(UInt32)
    /// Upper and lower half in host byte order. The scope is the interface index of a link-local address, otherwise 0.
    case ipv6(high: UInt64, low: UInt64, scope: UInt32)

    public static let loopback = IPAddress.ipv4(0x7F00_0001)
    public static let loopback6 = IPAddress.ipv6(high: 0, low: 1, scope: 0)

    public var isLoopback: Bool {
        switch self {
        case .ipv4(let address): address >> 24 == 127
        case .ipv6(let high, let low, _): high == 0 && low == 1
        }
    }

    /// Whether this is 0.0.0.0 or ::, which mean all addresses of a machine.
    public var isUnspecified: Bool {
        switch self {
        case .ipv4(let address): address == 0
        case .ipv6(let high, let low, _): high == 0 && low == 0
        }
    }

    /// The address's length in bits: 32 or 128.
    public var bitCount: Int {
        if case .ipv4 = self { 32 } else { 128 }
    }
}

extension IPAddress: LosslessStringConvertible {
    /// Parses an address such as `192.168.1.7` or `fe80::1%2` (the scope as a number); an IPv4-mapped IPv6 address becomes IPv4.
    /// `inet_pton`
    public init?(_ text: String) {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self = .ipv4(UInt32(bigEndian: v4.s_addr))
            return
        }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let scope = parts.count == 2 ? UInt32(parts[1]) : 0 else { return nil }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, String(parts[0]), &v6) == 1 else { return nil }
        self.init(v6, scope: scope)
    }

    init(_ address: in6_addr, scope: UInt32) {
        var (high, low): (UInt64, UInt64) = (0, 0)
        withUnsafeBytes(of: address) { bytes in
            for index in 0..<8 {
                high = high << 8 | UInt64(bytes[index])
                low = low << 8 | UInt64(bytes[index + 8])
            }
        }
        self = high == 0 && low >> 32 == 0xFFFF ? .ipv4(UInt32(truncatingIfNeeded: low)) : .ipv6(high: high, low: low, scope: scope)
    }

    public var description: String {
        switch self {
        case .ipv4(let address): return "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
        case .ipv6(_, _, let scope):
            var address = in6Address
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            // SAFETY: the buffer has the length passed to inet_ntop, which is enough for every address.
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
            let digits = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return scope == 0 ? digits : "\(digits)%\(scope)"
        }
    }

    /// The 16 bytes of an IPv6 address; an IPv4 address in its mapped form.
    var in6Address: in6_addr {
        let halves: (UInt64, UInt64) =
            switch self {
            case .ipv4(let address): (0, 0xFFFF << 32 | UInt64(address))
            case .ipv6(let high, let low, _): (high, low)
            }
        var result = in6_addr()
        withUnsafeMutableBytes(of: &result) { bytes in
            bytes.storeBytes(of: halves.0.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: halves.1.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return result
    }
}

/// A block of addresses, written `192.168.1.0/24`; a plain address is a block of one.
public struct IPAddressRange: Hashable, Sendable, LosslessStringConvertible {
    public let host: IPAddress
    /// The number of leading bits that are compared: 0...32 or 0...128.
    public let prefixLength: Int

    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = IPAddress(String(parts[0])) else { return nil }
        let length = parts.count == 2 ? Int(parts[1]) : host.bitCount
        guard let length, (0...host.bitCount).contains(length) else { return nil }
        self.host = host
        prefixLength = length
    }

    public func contains(_ other: IPAddress) -> Bool {
        switch (host, other) {
        case (.ipv4(let mine), .ipv4(let theirs)): return (mine ^ theirs) >> UInt32(32 - prefixLength) == 0
        case (.ipv6(let high, let low, _), .ipv6(let otherHigh, let otherLow, _)):
            return (high ^ otherHigh) >> UInt64(64 - min(prefixLength, 64)) == 0
                && (low ^ otherLow) >> UInt64(64 - max(prefixLength - 64, 0)) == 0
        default: return false
        }
    }

    public var description: String { "\(host)/\(prefixLength)" }
}
