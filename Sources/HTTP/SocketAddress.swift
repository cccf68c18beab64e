import Glibc

/// One end of a TCP connection.
struct SocketAddress {
    /// The numeric address, without the scope of a link-local one; IPv6 without brackets.
    let host: String
    let port: UInt16

    /// `getsockname`; `nil` if it fails.
    init?(ofLocalEnd descriptor: Int32) { self.init { getsockname(descriptor, $0, $1) } }

    /// `getpeername`; `nil` if it fails, as for a client that has already left.
    init?(ofFarEnd descriptor: Int32) { self.init { getpeername(descriptor, $0, $1) } }

    private init?(_ read: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var (name, service) = ([CChar](repeating: 0, count: Int(NI_MAXHOST)), [CChar](repeating: 0, count: Int(NI_MAXSERV)))
        // SAFETY: the address is as long as the length says, and the buffers are as long as their counts.
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard read(pointer, &length) == 0 else { return EAI_SYSTEM }
                return getnameinfo(
                    pointer, length, &name, socklen_t(name.count), &service, socklen_t(service.count), NI_NUMERICHOST | NI_NUMERICSERV)
            }
        }
        guard code == 0, let port = UInt16(Self.text(service)) else { return nil }
        host = String(Self.text(name).prefix { $0 != "%" })
        self.port = port
    }

    /// Whether it is an address of the machine's own loopback network.
    var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
