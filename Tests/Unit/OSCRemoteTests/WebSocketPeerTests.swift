import OSC
import OSCRemote
import Playback
import Synchronization
import Testing

/// Clients of WebSockets are peers like others; their role is the one with which they were admitted.
@Suite("Over WebSockets") struct WebSocketPeerTests {
    private let server = TestServer()
    private let sockets: OSCWebSockets
    private let wakes = Wakes()
    private static let phone = Endpoint("192.168.1.20:51000")!
    private static let address = PeerAddress.webSocket(phone)

    private final class Wakes: Sendable {
        let count = Atomic(0)
        let resumed = Mutex<[Endpoint]>([])
    }

    init() {
        sockets = OSCWebSockets { [wakes] in
            wakes.count.add(1, ordering: .relaxed)
        } resume: { [wakes] client in
            wakes.resumed.withLock { $0.append(client) }
        }
    }

    private func send(_ address: String, _ arguments: OSCArgument..., from client: Endpoint = phone) {
        _ = sockets.add(OSCMessage("/binaural/" + address, arguments).encoded, from: client)
        while sockets.receive(into: server.server, at: { server.now }) {}
    }

    @Test("A client commands, is answered and subscribes, as far as its role allows")
    func roles() {
        for role in Role.allCases {
            sockets.open(Self.phone, as: role)
            server.receiver.performed = []
            send("play")
            #expect(server.receiver.performed == (role == .view ? [] : [.play]))
            let errors = server.messages(to: Self.address).filter { $0.address == "error" }
            #expect(errors.isEmpty == (role > .view))
            if case .string(let sentence)? = errors.first?.arguments.last { #expect(sentence.contains("binaural web pair --role control")) }
            send("subscribe", .string("mixer"))
            #expect(server.messages(to: Self.address).last?.address == "snapshot/end")
            sockets.close(Self.phone)
            _ = sockets.receive(into: server.server, at: { server.now })
            server.drop()
            send("play")
            #expect(server.isQuiet)
        }
    }

    @Test("A client that was not admitted gets no answer, whatever its address is allowed over UDP")
    func stranger() {
        let server = TestServer { $0.allowed = [AccessRule("192.168.1.0/24=admin")!] }
        server.server.receive(OSCMessage("/binaural/ping").encoded, from: Self.address, at: server.now)
        #expect(server.isQuiet)
    }

    @Test("The connected devices are listed by name, without their addresses, also for a client with the role view")
    func peers() {
        sockets.open(Self.phone, as: .view, named: "Phone")
        server.send("ping")
        send("peer/list")
        let answers = server.messages(to: Self.address)
        let items = answers.dropLast().map { Array($0.arguments[1...3]) }
        #expect(items == [["", "admin", "udp"].map { .string($0) }, ["Phone", "view", "websocket"].map { .string($0) }])
        #expect(answers.dropLast().map(\.arguments.last).filter { $0 == .int32(1) }.count == 1)
        #expect(!"\(answers)".contains("192.168"))
        #expect(!"\(answers)".contains("51000"))
        sockets.close(Self.phone)
        _ = sockets.receive(into: server.server, at: { server.now })
        server.send("peer/list")
        #expect(server.messages().last == OSCMessage("peer/end", [.int32(1)]))
    }

    @Test("When a client disconnects, the controls that it held are released, after the packets that it had sent")
    func goes() {
        sockets.open(Self.phone, as: .control)
        _ = sockets.add(OSCMessage("/binaural/touch/master/gain", [.int32(1)]).encoded, from: Self.phone)
        _ = sockets.add(OSCMessage("/binaural/stop").encoded, from: Self.phone)
        sockets.close(Self.phone)
        _ = sockets.receive(into: server.server, at: { server.now })
        #expect(server.receiver.performed.contains(.stop))
        #expect(server.receiver.player.state.held.isEmpty)
        #expect(server.receiver.performed.contains { if case .touch(_, false) = $0 { true } else { false } })
    }

    @Test(
        "This computer moves what a device holds, whose touch ends; the device does not move what this computer holds",
        arguments: [Role.control, .admin])
    func device(role: Role) {
        sockets.open(Self.phone, as: role)
        send("master/gain", .float(-20))
        for path in ["master/gain", "layer/1/xy"] { send("touch/\(path)", .int32(1)) }
        server.send("master/gain", .float(-10))
        server.send("touch/layer/1/beat", .int32(1))
        let player = server.receiver.player
        #expect(player.state.masterGain == -10)
        #expect(Set(player.state.held.keys) == [.parameter(.beat, layer: 0), .parameter(.gain, layer: 0)])
        send("master/gain", .float(-9))
        #expect(server.receiver.player.state.masterGain == -9)
        server.drop()
        send("layer/1/beat", .float(3))
        #expect(server.messages(to: Self.address).filter { $0.address == "error" }.map { $0.arguments[1] } == [.int32(409)])
    }

    @Test("A client that comes while packets are handled is admitted before its first packet, at whichever moment", arguments: 0..<12)
    func comesMeanwhile(moment: Int) {
        let other = Endpoint("192.168.1.21:51000")!
        sockets.open(other, as: .control)
        for _ in 0..<3 { _ = sockets.add(OSCMessage("/binaural/ping").encoded, from: other) }
        // The clock is read between the steps.
        var readings = 0
        func now() -> Instant {
            if readings == moment {
                sockets.open(Self.phone, as: .control)
                _ = sockets.add(OSCMessage("/binaural/ping").encoded, from: Self.phone)
            }
            readings += 1
            return server.now
        }
        while sockets.receive(into: server.server, at: now) {}
        while readings <= moment { _ = sockets.receive(into: server.server, at: now) }
        _ = sockets.receive(into: server.server, at: { server.now })
        #expect(server.messages(to: Self.address).map(\.address) == ["pong"])
        #expect(server.server.statistics.strangersPackets == 0)
    }

    @Test("A client at the address of one that has just gone is admitted with its own role, and what the other one held is released")
    func successor() {
        sockets.open(Self.phone, as: .control)
        send("touch/master/gain", .int32(1))
        server.receiver.performed = []
        _ = sockets.add(OSCMessage("/binaural/stop").encoded, from: Self.phone)
        sockets.close(Self.phone)
        sockets.open(Self.phone, as: .view)
        send("ping")
        #expect(!server.receiver.performed.contains(.stop))
        #expect(server.receiver.performed.contains { if case .touch(_, false) = $0 { true } else { false } })
        #expect(server.messages(to: Self.address).last?.address == "pong")
        send("play")
        #expect(!server.receiver.performed.contains(.play))
        #expect(server.messages(to: Self.address).last?.address == "error")
    }

    @Test("A client that goes before it was admitted is forgotten")
    func goesAtOnce() {
        sockets.open(Self.phone, as: .control)
        sockets.close(Self.phone)
        _ = sockets.receive(into: server.server, at: { server.now })
        send("ping")
        #expect(server.isQuiet)
    }

    @Test("Feedback goes to the WebSocket itself: another port is refused")
    func port() {
        sockets.open(Self.phone, as: .admin)
        send("subscribe", .string("mixer"), .int32(9000))
        #expect(server.messages(to: Self.address).first?.address == "error")
    }

    @Test("A device gets the name of the picture's file, a program on this machine its path: read, and as a topic")
    func picturePath() {
        let (local, proxied) = (Endpoint(host: .loopback, port: 51_000), Endpoint(host: .loopback, port: 51_001))
        let path = "/home/me/.cache/art.png"
        func setPicture(_ path: String) {
            server.change {
                $0.player.update { $0.items[0].patch?.details.artwork = path }
                $0.nowPlaying.update(from: $0.player.state, at: $0.moment)
            }
        }
        /// The pictures that a client has got since the last call.
        func pictures(_ client: Endpoint) -> Set<String> {
            let values = server.messages(to: .webSocket(client)).filter { $0.address == "now/artwork" }.flatMap(\.arguments)
            return Set(values.map { if case .string(let text) = $0 { text } else { "" } })
        }
        setPicture(path)
        let clients: [(client: Endpoint, name: String?)] = [(local, nil), (Self.phone, "Phone"), (proxied, "Tablet")]
        for (client, name) in clients {
            sockets.open(client, as: .admin, named: name)
            let shown = name == nil ? path : "art.png"
            for question in ["now/artwork", "now"] {
                send(question, from: client)
                #expect(pictures(client) == [shown], "\(question)")
            }
            for topic in ["now", "/binaural/now/artwork"] {
                send("subscribe", .string(topic), from: client)
                #expect(pictures(client) == [shown], "\(topic)")
            }
        }
        setPicture("/home/me/other.png")
        server.advance(seconds: 0.2)
        for (client, name) in clients { #expect(pictures(client) == [name == nil ? "/home/me/other.png" : "other.png"]) }
    }

    @Test("A client beyond this machine may send 500 messages a second, also through a proxy on it; one on it as many as it likes")
    func rate() {
        let local = Endpoint(host: .loopback, port: 51_000)
        let proxied = Endpoint(host: .loopback, port: 51_001)
        let clients: [(client: Endpoint, name: String?, isLimited: Bool)] = [
            (Self.phone, nil, true), (local, nil, false), (proxied, "Phone", true),
        ]
        for (client, name, isLimited) in clients {
            sockets.open(client, as: .admin, named: name)
            for _ in 0..<1500 { send("ping", from: client) }
            #expect(server.messages(to: .webSocket(client)).count { $0.address == "pong" } == (isLimited ? 1000 : 1500))
        }
    }

    @Test("A client that floods is not read from until its packets have been handled; others are handled in turn")
    func flood() {
        let other = Endpoint("192.168.1.21:51000")!
        sockets.open(Self.phone, as: .admin)
        sockets.open(other, as: .admin)
        let ping = OSCMessage("/binaural/ping").encoded
        var count = 1
        while sockets.add(ping, from: Self.phone) { count += 1 }
        #expect(count == 32)
        // All that fits into one reading of the socket.
        for _ in 0..<450 { #expect(!sockets.add(ping, from: Self.phone)) }
        #expect(sockets.add(ping, from: other))
        #expect(wakes.count.load(ordering: .relaxed) == 1)
        #expect(sockets.receive(into: server.server, at: { server.now }))
        #expect(server.messages(to: .webSocket(other)).map(\.address) == ["pong"])
        #expect(wakes.resumed.withLock { $0 }.isEmpty)
        while sockets.receive(into: server.server, at: { server.now }) {}
        #expect(server.messages(to: Self.address).count == 482)
        #expect(wakes.resumed.withLock { $0 } == [Self.phone])
        #expect(sockets.add(ping, from: Self.phone))
    }
}
