import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Touches, as seen over OSC.
@Suite struct TouchingTests {
    private func subscribed(_ configure: (inout OSCServerConfiguration) -> Void = { _ in }) -> TestServer {
        let server = TestServer(configure)
        for peer in [TestServer.local, TestServer.other] {
            server.send("subscribe", .string("layers"), from: peer)
            server.send("subscribe", .string("mixer"), from: peer)
        }
        server.advance(seconds: 1)
        server.drop()
        return server
    }

    /// Addresses of controls, without those of touches and of what follows from a change.
    private func addresses(_ server: TestServer, to endpoint: Endpoint) -> Set<String> {
        Set(server.messages(to: endpoint).map(\.address).filter { !$0.hasPrefix("touch/") && !$0.hasSuffix("/edited") })
    }

    private static let all: Set<String> = ["layer/1/gain", "layer/1/gain/norm", "layer/1/xy"].reduce(into: []) { set, address in
        set.formUnion([address, address.replacing("layer/1", with: "layer/selected")])
    }

    @Test("changes of a touched control are not sent to the peer that touches it; the others get them, and finally that peer too")
    func echo() {
        let server = subscribed()
        server.send("touch/layer/1/gain/norm", .float(1))
        for step in 1...5 {
            server.send("layer/1/gain", .float(Float(-10 * step)))
            server.advance(seconds: 0.3)
        }
        server.send("layer/1/gain", .float(99))
        server.advance(seconds: 1)
        #expect(addresses(server, to: TestServer.local).isEmpty)
        #expect(addresses(server, to: TestServer.other) == Self.all)
        server.send("layer/1/pan", .float(9))
        server.advance(seconds: 0.3)
        #expect(addresses(server, to: TestServer.local).contains("layer/1/pan"))
        server.send("touch/layer/1/gain", .int32(0))
        server.advance(seconds: 0.3)
        #expect(addresses(server, to: TestServer.local) == Self.all)
    }

    @Test("a touch and its release are sent to all subscribers, whatever causes them")
    func received() {
        let server = subscribed()
        func touches(to endpoint: Endpoint) -> [String: OSCArgument] {
            let received = server.messages(to: endpoint).filter { $0.address.hasPrefix("touch/") && !$0.address.contains("selected") }
            return Dictionary(received.map { ($0.address, $0.arguments[0]) }) { $1 }
        }
        for path in ["layer/1/beat", "master/gain", "tuning/a4/norm"] { server.send("touch/\(path)", .int32(1)) }
        #expect(
            touches(to: TestServer.other) == [
                "touch/layer/1/beat": .int32(1), "touch/layer/1/xy": .int32(1), "touch/master/gain": .int32(1),
                "touch/tuning/a4": .int32(1),
            ])
        // A peer gets its own value after it rests, and other addresses of it at once.
        #expect(touches(to: TestServer.local) == ["touch/layer/1/xy": .int32(1), "touch/tuning/a4": .int32(1)])
        server.advance(seconds: 0.2)
        #expect(touches(to: TestServer.local) == ["touch/layer/1/beat": .int32(1), "touch/master/gain": .int32(1)])
        server.send("touch/master/gain", .int32(0))
        #expect(touches(to: TestServer.other) == ["touch/master/gain": .int32(0)])
        server.advance(seconds: 15)
        server.send("ping", from: TestServer.other)
        server.advance(seconds: 20)
        // The lease of the peer that touched it is over.
        #expect(
            touches(to: TestServer.other) == [
                "touch/layer/1/beat": .int32(0), "touch/layer/1/xy": .int32(0), "touch/tuning/a4": .int32(0),
            ])
    }

    @Test(
        "A touch that is taken away at once is reported to its sender with its beginning, also during a flood",
        arguments: ["touch/layer/1/gain", "touch/layer/1/gain/norm", "touch/layer/1/xy"], [false, true])
    func taken(address: String, isFlooded: Bool) {
        let server = subscribed()
        server.send("touch/layer/1/gain", .int32(1))
        server.send("touch/layer/1/gain", .int32(0))
        server.advance(seconds: 1)
        if isFlooded { for number in 0..<100 { server.send("tuning/a4", .float(430 + Float(number % 2)), from: TestServer.other) } }
        server.drop()
        server.send(address, .int32(1))
        server.send("layer/1/gain", .float(-50), from: TestServer.other)
        server.advance(seconds: 1)
        let reported = server.messages().filter { $0.address == "touch/layer/1/gain" }.map(\.arguments)
        #expect(reported.suffix(2) == [[.int32(1)], [.int32(0)]])
        server.send("touch/layer/1/gain", .int32(1))
        server.advance(seconds: 1)
        #expect(server.messages().filter { $0.address == "touch/layer/1/gain" }.map(\.arguments) == [[.int32(1)]])
    }

    @Test("another peer's set is answered with 409, and its control is put back")
    func busy() {
        let server = subscribed()
        server.send("master/gain", .float(-40))
        server.send("touch/layer/1/gain", .int32(1))
        server.send("touch/master/gain", .int32(1))
        server.send("layer/1/gain", .float(-10), from: TestServer.other)
        server.send("master/gain/norm", .float(0.5), from: TestServer.other)
        server.advance(seconds: 0.1)
        let received = server.messages(to: TestServer.other)
        #expect(received.filter { $0.address == "error" }.map { $0.arguments[1] } == [.int32(409), .int32(409)])
        #expect(received.contains { $0.address == "layer/1/gain" && $0.arguments == [.float(-20)] })
        server.drop()
        server.send("touch/layer/1/gain", from: TestServer.other)
        #expect(server.messages(to: TestServer.other) == [OSCMessage("touch/layer/1/gain", [.int32(1)])])
    }

    @Test(
        "xy touches both parameters or, if one is touched by another peer, neither; a set of it then moves neither; note touches the carrier"
    )
    func together() {
        let server = subscribed()
        server.send("touch/layer/1/gain", .int32(1), from: TestServer.other)
        server.send("touch/layer/1/xy", .int32(1))
        server.send("layer/1/xy", .float(0.9), .float(0.9))
        server.advance(seconds: 0.1)
        #expect(server.messages().filter { $0.address == "error" }.map { $0.arguments[1] } == [.int32(409), .int32(409)])
        #expect(server.receiver.player.state.held.count == 1)
        #expect(server.receiver.player.state.current?.edits.isEmpty == true)
        server.send("touch/layer/1/gain", .int32(0), from: TestServer.other)
        server.send("touch/layer/1/xy", .int32(1))
        server.send("touch/layer/4/note", .int32(1))
        #expect(server.receiver.player.state.held.count == 3)
        server.drop()
        for (address, value) in [("layer/1/beat", 3), ("layer/1/gain/norm", 0.9), ("layer/4/carrier", 300)] as [(String, Float)] {
            server.send(address, .float(value), from: TestServer.other)
        }
        let refused = server.messages(to: TestServer.other).filter { $0.address == "error" }
        #expect(refused.map { $0.arguments[1] } == [.int32(409), .int32(409), .int32(409)])
        server.send("layer/1/xy", .float(0.5), .float(1))
        server.send("layer/4/note", .int32(57))
        server.advance(seconds: 1)
        #expect(addresses(server, to: TestServer.local).isEmpty)
        server.send("touch/layer/1/xy", .int32(0))
        server.send("touch/layer/4/note", .int32(0))
        #expect(server.receiver.player.state.held.isEmpty)
        #expect(server.receiver.player.state.current?.edits.map(\.setting.value) == [20, 0, 220])
    }

    @Test("the tuning is touched like the master gain: nobody else moves it, and with return it goes back", arguments: ["latch", "return"])
    func tuning(mode: String) {
        let server = subscribed()
        server.send("touch/mode", .string(mode))
        server.send("touch/tuning/a4/norm", .int32(1))
        server.drop()
        server.send("tuning/a4", .float(432), from: TestServer.other)
        #expect(server.messages(to: TestServer.other).filter { $0.address == "error" }.map { $0.arguments[1] } == [.int32(409)])
        server.drop()
        server.send("tuning/a4", .float(430))
        server.advance(seconds: 1)
        #expect(!server.messages().contains { $0.address.hasPrefix("tuning/a4") })
        server.send("touch/tuning/a4", .int32(0))
        #expect(server.receiver.player.state.a4 == (mode == "latch" ? 430 : 440))
    }

    @Test("the end of the peer's lease ends the touch, and others can move the control again")
    func lease() {
        let server = TestServer()
        server.send("touch/layer/selected/gain", .int32(1))
        server.send("layer/1/gain", .float(-40))
        server.advance(seconds: 29)
        #expect(server.receiver.player.state.held.count == 1)
        server.advance(seconds: 2)
        #expect(server.receiver.player.state.held.isEmpty)
        #expect(server.receiver.player.state.current?.edits.map(\.setting.value) == [-40])
        server.send("layer/1/gain", .float(-30), from: TestServer.other)
        #expect(server.messages(to: TestServer.other).isEmpty)
    }

    @Test("a peer that asks for answers at another port keeps its touches", arguments: ["latch", "return"])
    func redirected(mode: String) {
        let server = TestServer()
        let port = Endpoint(host: .loopback, port: 9000)
        server.send("touch/mode", .string(mode))
        server.send("touch/layer/1/gain", .int32(1))
        server.send("seek/forward", .int32(1))
        server.send("subscribe", .string("layers"), .int32(9000))
        #expect(server.receiver.player.state.held.count == 1)
        #expect(server.receiver.player.state.heldSeek != nil)
        server.advance(seconds: 1)
        server.drop()
        server.send("layer/1/gain", .float(-40))
        server.advance(seconds: 0.5)
        #expect(server.messages(to: port).isEmpty)
        server.send("layer/1/gain", .float(-30), from: TestServer.other)
        #expect(server.messages(to: TestServer.other).map { $0.arguments[1] } == [.int32(409)])
        server.send("touch/layer/1/gain", .int32(0))
        #expect(server.receiver.player.state.held.isEmpty)
        server.advance(seconds: 0.5)
        #expect(addresses(server, to: port) == Self.all)
        server.send("touch/layer/1/gain", .int32(1))
        server.advance(seconds: 31)
        #expect(server.receiver.player.state.held.isEmpty)
        #expect(server.receiver.performed.contains(.seek(.forward, begins: false)))
    }

    @Test("a surface that gets feedback on its own port is the same peer")
    func surface() {
        let server = subscribed { $0.feedback = [FeedbackPeer("127.0.0.1:9000=layers")!] }
        let port = Endpoint(host: .loopback, port: 9000)
        server.send("touch/layer/1/gain", .int32(1))
        server.advance(seconds: 0.1)
        server.drop()
        server.send("layer/1/gain", .float(-33))
        server.advance(seconds: 0.5)
        #expect(addresses(server, to: port).isEmpty)
        server.send("touch/layer/1/gain", .int32(0))
        server.advance(seconds: 0.5)
        #expect(addresses(server, to: port) == Self.all)
    }

    @Test("touches are in describe and in the list of addresses")
    func described() {
        let server = TestServer()
        server.send("describe", .string("touch/layer/2"))
        let received = server.messages().filter { $0.address == "describe" }.map { $0.arguments[0] }
        #expect(received.count == 3)
        #expect(["correlation", "gain", "pan"].allSatisfy { received.contains(.string("touch/layer/2/\($0)")) })
        let paths = AddressTable.standard.addresses(withLayers: [LayerKind.noise.parameters.map(\.parameter)]).map(\.path)
        #expect(paths.contains("touch/layer/1/gain/norm"))
        #expect(!paths.contains { $0.hasPrefix("touch") && $0.hasSuffix("beat") })
    }

    @Test("a pattern touches nothing; a missing layer is 404, a missing parameter 501")
    func refusals() {
        let server = TestServer()
        server.send("touch/layer/*/gain", .int32(1))
        server.send("touch/layer/99/gain", .int32(1))
        server.send("touch/layer/2/beat", .int32(1))
        #expect(server.messages().map { $0.arguments[1] } == [.int32(404), .int32(404), .int32(501)])
        #expect(server.receiver.player.state.held.isEmpty)
    }
}
