import Glibc

/// A socket that accepts connections at one address of this machine.
struct Listener {
    let descriptor: Int32
    let port: UInt16

    /// Opens it. `socket`, `bind`, `listen`
    ///
    /// - Parameters:
    ///   - address: A numeric IPv4 or IPv6 address; `::` does not include IPv4.
    ///   - port: 0 lets the system choose.
    init(address: String, port: UInt16, backlog: Int) throws(ListenError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(address, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard code == 0, let found = found?.pointee else { throw .invalidAddress(address) }
        let descriptor = socket(found.ai_family, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .failed(call: "socket", address: address, code: errno) }
        do throws(ListenError) {
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            // The port can be reused while connections of an earlier run linger in the kernel.
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
            if found.ai_family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
            for (name, call) in [
                ("bind", { bind(descriptor, found.ai_addr, found.ai_addrlen) }), ("listen", { listen(descriptor, Int32(backlog)) }),
            ] {
                guard call() == 0 else {
                    throw errno == EADDRINUSE ? .portInUse(port, address: address) : .failed(call: name, address: address, code: errno)
                }
            }
            guard let place = SocketAddress(ofLocalEnd: descriptor) else {
                throw .failed(call: "getsockname", address: address, code: errno)
            }
            self.port = place.port
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }
}
