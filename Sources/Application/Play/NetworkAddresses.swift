import Glibc
import OSC

/// The addresses of this machine in its networks.
enum NetworkAddresses {
    /// The addresses of the same kind as an unspecified address, without loopback and link-local ones, IPv4 at most 8. `getifaddrs`
    static func all(like unspecified: IPAddress) -> [IPAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [IPAddress] = []
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            // SAFETY: the list's addresses are valid until it is freed; one is as long as its family says.
            guard let pointer = entry.pointee.ifa_addr else { continue }
            let length: Int
            switch Int32(pointer.pointee.sa_family) {
            case AF_INET: length = MemoryLayout<sockaddr_in>.size
            case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
            default: continue
            }
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard getnameinfo(pointer, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
            let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard !text.contains("%"), let address = IPAddress(text), !address.isLoopback, address.bitCount == unspecified.bitCount else {
                continue
            }
            if !found.contains(address) { found.append(address) }
        }
        return Array(found.prefix(8))
    }
}
