import Foundation
import OSC
import TestSupport
import Testing

@Suite("UDP sockets", .ownThread)
struct UDPSocketTests {
    /// Waits until the socket has an event.
    static func event(_ socket: UDPSocket) -> UDPSocket.Event? {
        var event: UDPSocket.Event?
        _ = eventually {
            event = socket.receive()
            return event != nil
        }
        return event
    }

    @Test("Packets arrive with their sender, over IPv4 and IPv6", arguments: [IPAddress.loopback, IPAddress.loopback6])
    func sendAndReceive(host: IPAddress) throws {
        let (one, two) = (try UDPSocket(boundTo: Endpoint(host: host, port: 0)), try UDPSocket(boundTo: Endpoint(host: host, port: 0)))
        #expect(one.localEndpoint.port != 0)
        #expect(two.receive() == nil)
        #expect(one.send([1, 2, 3, 4], to: two.localEndpoint))
        #expect(Self.event(two) == .packet([1, 2, 3, 4], from: one.localEndpoint))
        #expect(two.receive() == nil)
    }

    @Test("The arrival time of a packet is known, however long it waited to be read", arguments: [IPAddress.loopback, IPAddress.loopback6])
    func arrival(host: IPAddress) throws {
        func now() -> TimeTag {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return TimeTag(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
        }
        let (one, two) = (try UDPSocket(boundTo: Endpoint(host: host, port: 0)), try UDPSocket(boundTo: Endpoint(host: host, port: 0)))
        #expect(two.lastArrival == nil)
        // The kernel starts recording times shortly after the first socket requests them.
        let isKnown = try eventually {
            let before = now()
            #expect(one.send([1, 2, 3, 4], to: two.localEndpoint))
            var waiting = pollfd(fd: two.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(eventually { poll(&waiting, 1, 0) == 1 })
            let after = now()
            // The packet waits.
            usleep(20_000)
            #expect(two.receive() != nil)
            let arrival = try #require(two.lastArrival)
            #expect(arrival.seconds(since: before) >= 0)
            return after.seconds(since: arrival) >= 0
        }
        #expect(isKnown)
        #expect(two.receive() == nil)
        #expect(two.lastArrival == nil)
    }

    @Test("A peer that is gone is detected, and the others still get their packets")
    func unreachable() throws {
        let loopback = Endpoint(host: .loopback, port: 0)
        let (sender, other) = (try UDPSocket(boundTo: loopback), try UDPSocket(boundTo: loopback))
        var gone: UDPSocket? = try UDPSocket(boundTo: loopback)
        let goneEndpoint = try #require(gone).localEndpoint
        gone = nil
        #expect(sender.send([1], to: goneEndpoint))
        #expect(sender.send([2], to: other.localEndpoint))
        #expect(Self.event(other) == .packet([2], from: sender.localEndpoint))
        #expect(Self.event(sender) == .unreachable(goneEndpoint))
        #expect(sender.receive() == nil)
    }

    @Test("Sending never blocks: packets that do not fit are dropped and counted")
    func dropped() throws {
        let socket = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        #expect(!socket.send([UInt8](repeating: 0, count: 70_000), to: socket.localEndpoint))
        #expect(socket.droppedCount == 1)
    }

    @Test("A port in use is an error that names the process")
    func busyPort() throws {
        let first = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
        let owner = PortOwner(pid: getpid(), name: name)
        #expect(throws: SocketError.portInUse(first.localEndpoint, owner: owner)) { try UDPSocket(boundTo: first.localEndpoint) }
        #expect(
            SocketError.portInUse(first.localEndpoint, owner: owner).description
                == "UDP port \(first.localEndpoint.port) on 127.0.0.1 is in use by \(name) (process \(getpid())). Stop it, or choose another port with --osc-port."
        )
    }

    @Test("The port of a closed socket is free again")
    func reuse() throws {
        var first: UDPSocket? = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        let endpoint = try #require(first).localEndpoint
        first = nil
        _ = first
        #expect(try UDPSocket(boundTo: endpoint).localEndpoint == endpoint)
    }

    @Test("An address that this machine does not have is a typed error")
    func noSuchAddress() throws {
        // 192.0.2.0/24 is set aside for documentation (RFC 5737).
        let endpoint = try #require(Endpoint("192.0.2.1:0"))
        #expect(throws: SocketError.addressNotAvailable(endpoint)) { try UDPSocket(boundTo: endpoint) }
    }

    @Test("The program and liblo's own tools understand each other")
    func oscsend() throws {
        let socket = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        let sender = Process()
        sender.executableURL = URL(fileURLWithPath: "/usr/bin/oscsend")
        sender.arguments = [
            "osc.udp://127.0.0.1:\(socket.localEndpoint.port)/", "/binaural/layer/1/beat", "ifsTFNc", "3", "0.5", "text", "x",
        ]
        try sender.run()
        guard case .packet(let bytes, from: let source)? = Self.event(socket) else {
            Issue.record("nothing arrived from oscsend")
            return
        }
        sender.waitUntilExit()
        let message = OSCMessage(
            "/binaural/layer/1/beat", [.int32(3), .float(0.5), .string("text"), .true, .false, .nil, .character(UInt8(ascii: "x"))])
        #expect(try OSCPacket(decoding: bytes) == .message(message))
        #expect(message.encoded == bytes)
        #expect(source.host == .loopback)
    }
}
