import Glibc
import OSC
import Zeroconf

/// A service that listens on addresses of this machine, some of which other machines may reach.
struct NetworkOffer: Sendable {
    let type: String
    let port: UInt16
    /// The addresses that it listens on.
    let hosts: [IPAddress]
    let text: [String]

    /// Whether it listens beyond loopback.
    var isReachable: Bool { hosts.contains { !$0.isLoopback } }

    /// The services to be announced: for an unspecified address on all interfaces, for another one on the interface that has it now.
    var services: [AnnouncedService] {
        var places: [AnnouncedService.Place] = []
        for host in hosts where !host.isLoopback {
            let isCovered = !host.isUnspecified && hosts.contains { $0.isUnspecified && $0.bitCount == host.bitCount }
            let interface = host.isUnspecified ? nil : Self.interface(with: host)
            guard !isCovered, host.isUnspecified || interface != nil else { continue }
            let place = AnnouncedService.Place(interface: interface, family: host.bitCount == 32 ? .ipv4 : .ipv6)
            if !places.contains(place) { places.append(place) }
        }
        return places.map { AnnouncedService(type, port: port, at: $0, text: text) }
    }

    /// The number of the interface with an address; `nil` if no interface has it. `getifaddrs`
    private static func interface(with address: IPAddress) -> Int32? {
        if case .ipv6(_, _, let scope) = address, scope != 0 { return Int32(exactly: scope) }
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            // SAFETY: the list's texts and addresses are valid until it is freed; an address is as long as its family says.
            guard let pointer = entry.pointee.ifa_addr else { continue }
            let length: Int
            switch Int32(pointer.pointee.sa_family) {
            case AF_INET: length = MemoryLayout<sockaddr_in>.size
            case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
            default: continue
            }
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard getnameinfo(pointer, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
            let text = String(
                decoding: name.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if IPAddress(text) == address { return Int32(exactly: if_nametoindex(entry.pointee.ifa_name)).flatMap { $0 == 0 ? nil : $0 } }
        }
        return nil
    }
}
