import Glibc

/// The name of a Unix socket: a path, an abstract name (which begins with NUL and has no file), or none.
public struct UnixAddress: Hashable, Sendable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// Maximum length of a path in bytes, without its NUL: unix(7).
    public static let maximumLength = 107

    public static let unnamed = UnixAddress(bytes: [])

    /// The address length of an unnamed socket; binding with it makes the system choose a name.
    static let unnamedLength = socklen_t(MemoryLayout<sa_family_t>.size)

    /// Makes an address from a path; `nil` if it is empty, too long or contains NUL.
    public init?(path: String) {
        guard (1...Self.maximumLength).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
        bytes = Array(path.utf8)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    public var isUnnamed: Bool { bytes.isEmpty }

    public var description: String {
        let name = bytes.first == 0 ? "@" + String(decoding: bytes.dropFirst(), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
        return "unix:\(name)"
    }
}

extension UnixAddress {
    /// The sender's address as the kernel reports it. A relative path is discarded, since it is relative to the sender's working folder.
    init(_ storage: sockaddr_storage, length: socklen_t) {
        let start = MemoryLayout<sa_family_t>.size
        guard Int32(storage.ss_family) == AF_UNIX, Int(length) > start else {
            self = .unnamed
            return
        }
        var bytes = withUnsafeBytes(of: storage) { Array($0[start..<min(Int(length), $0.count)]) }
        if bytes[0] != 0 { bytes = Array(bytes.prefix { $0 != 0 }) }
        self = bytes[0] == 0 || bytes[0] == UInt8(ascii: "/") ? UnixAddress(bytes: bytes) : .unnamed
    }

    /// Calls `body` with the address in the form that the socket functions take.
    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // A path ends with NUL, which is there already; an abstract name has no terminator.
        let length = MemoryLayout<sa_family_t>.size + bytes.count + (bytes.first == 0 ? 0 : 1)
        // SAFETY: every socket address begins with the fields of sockaddr, and how much of it counts goes with it.
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
