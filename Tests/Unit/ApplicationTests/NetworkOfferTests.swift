import Glibc
import OSC
import Testing
import Zeroconf

@testable import Application

@Suite("Offers in the network") struct NetworkOfferTests {
    private func offer(_ hosts: String...) throws -> NetworkOffer {
        NetworkOffer(type: "_osc._udp", port: 7830, hosts: try hosts.map { try #require(IPAddress($0)) }, text: ["app=binaural"])
    }

    private func places(_ hosts: String...) throws -> [AnnouncedService.Place] {
        let offer = NetworkOffer(type: "_osc._udp", port: 7830, hosts: try hosts.map { try #require(IPAddress($0)) }, text: [])
        return offer.services.map(\.place)
    }

    @Test("Loopback is not offered, and an unspecified address is on all interfaces, with port and text")
    func reach() throws {
        #expect(try !offer("127.0.0.1", "127.0.0.2", "::1").isReachable)
        #expect(try offer("127.0.0.1", "::1").services.isEmpty)
        #expect(try offer("127.0.0.1", "0.0.0.0").isReachable)
        #expect(
            try offer("127.0.0.1", "0.0.0.0").services == [
                AnnouncedService("_osc._udp", port: 7830, at: .init(family: .ipv4), text: ["app=binaural"])
            ])
        #expect(try places("0.0.0.0", "::") == [.init(family: .ipv4), .init(family: .ipv6)])
    }

    @Test("An unspecified address covers those of its own kind only, whatever the order")
    func covered() throws {
        #expect(try places("192.0.2.200", "0.0.0.0", "fe80::1%5") == [.init(family: .ipv4), .init(interface: 5, family: .ipv6)])
        #expect(try places("fe80::1%5", "::", "0.0.0.0") == [.init(family: .ipv6), .init(family: .ipv4)])
    }

    @Test("A link-local address of IPv6 is offered on the interface of its scope, once")
    func scope() throws {
        #expect(
            try places("fe80::1%5", "fe80::2%5", "fe80::1%6") == [.init(interface: 5, family: .ipv6), .init(interface: 6, family: .ipv6)])
    }

    @Test("An address that no interface has is not offered until one has it")
    func absent() throws {
        #expect(try offer("203.0.113.77").isReachable)
        #expect(try places("203.0.113.77", "2001:db8::77").isEmpty)
    }

    @Test("An address of this machine is offered on the interface that has it")
    func present() throws {
        for (address, interface) in try Self.addresses() {
            let expected = AnnouncedService.Place(interface: interface, family: address.contains(":") ? .ipv6 : .ipv4)
            #expect(try places(address) == [expected], "\(address)")
        }
    }

    /// The addresses of this machine beyond loopback and link-local ones, with the numbers of their interfaces, as `ip` shows them.
    private static func addresses() throws -> [(String, Int32)] {
        guard let pipe = popen("ip -oneline address show scope global 2>/dev/null", "r") else { return [] }
        defer { pclose(pipe) }
        var found: [(String, Int32)] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, 4096, pipe) != nil {
            // "2: eth0    inet 192.0.2.2/24 …"
            let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
            guard words.count > 3, let number = Int32(words[0].dropLast()), let address = words[3].split(separator: "/").first else {
                continue
            }
            found.append((String(address), number))
        }
        return found
    }
}
