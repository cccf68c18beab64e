import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Touches, as seen over OSC.
@Suite struct TouchingTests {
    private func subscribed(_ configure: (inout OSCServerConfiguration) -> Void = { _ in }) -> TestServer {
        let rig = TestServer(configure)
        for peer in [TestServer.local, TestServer.other] {
            rig.send("subscribe", .string("layers"), from: peer)
            rig.send("subscribe", .string("mixer"), from: peer)
        }
        rig.advance(seconds: 1)
        rig.drop()
        return rig
    }

    /// Addresses of controls, without those of touches.
    private func addresses(_ rig: TestServer, to endpoint: Endpoint) -> Set<String> {
        Set(rig.messages(to: endpoint).map(\.address).filter { !$0.hasPrefix("touch/") })
    }

    private static let all: Set<String> = ["layer/1/gain", "layer/1/gain/norm", "layer/1/xy"].reduce(into: []) { set, address in
        set.formUnion([address, address.replacing("layer/1", with: "layer/selected")])
    }

    @Test("changes of a touched control are not sent to the peer that touches it; the others get them, and finally that peer too")
    func echo() {
        let rig = subscribed()
        rig.send("touch/layer/1/gain/norm", .float(1))
        for step in 1...5 {
            rig.send("layer/1/gain", .float(Float(-10 * step)))
            rig.advance(seconds: 0.3)
        }
        rig.send("layer/1/gain", .float(99))
        rig.advance(seconds: 1)
        #expect(addresses(rig, to: TestServer.local).isEmpty)
        #expect(addresses(rig, to: TestServer.other) == Self.all)
        rig.send("layer/1/pan", .float(9))
        rig.advance(seconds: 0.3)
        #expect(addresses(rig, to: TestServer.local).contains("layer/1/pan"))
        rig.send("touch/layer/1/gain", .int32(0))
        rig.advance(seconds: 0.3)
        #expect(addresses(rig, to: TestServer.local) == Self.all)
    }

    @Test("a touch and its release are sent to all subscribers, whatever causes them")
    func received() {
        let rig = subscribed()
        func touches(to endpoint: Endpoint) -> [String: OSCArgument] {
            let received = rig.messages(to: endpoint).filter { $0.address.hasPrefix("touch/") && !$0.address.contains("selected") }
            return Dictionary(received.map { ($0.address, $0.arguments[0]) }) { $1 }
        }
        for path in ["layer/1/beat", "master/gain", "tuning/a4/norm"] { rig.send("touch/\(path)", .int32(1)) }
        #expect(
            touches(to: TestServer.other) == [
                "touch/layer/1/beat": .int32(1), "touch/layer/1/xy": .int32(1), "touch/master/gain": .int32(1),
                "touch/tuning/a4": .int32(1),
            ])
        // A peer gets its own value after it rests, and other addresses of it at once.
        #expect(touches(to: TestServer.local) == ["touch/layer/1/xy": .int32(1), "touch/tuning/a4": .int32(1)])
        rig.advance(seconds: 0.2)
        #expect(touches(to: TestServer.local) == ["touch/layer/1/beat": .int32(1), "touch/master/gain": .int32(1)])
        rig.send("touch/master/gain", .int32(0))
        #expect(touches(to: TestServer.other) == ["touch/master/gain": .int32(0)])
        rig.advance(seconds: 15)
        rig.send("ping", from: TestServer.other)
        rig.advance(seconds: 20)
        // The lease of the peer that touched it is over.
        #expect(
            touches(to: TestServer.other) == [
                "touch/layer/1/beat": .int32(0), "touch/layer/1/xy": .int32(0), "touch/tuning/a4": .int32(0),
            ])
    }

    @Test("another peer's set is answered with 409, and its control is put back")
    func busy() {
        let rig = subscribed()
        rig.send("touch/layer/1/gain", .int32(1))
        rig.send("touch/master/gain", .int32(1))
        rig.send("layer/1/gain", .float(-40), from: TestServer.other)
        rig.send("master/gain/norm", .float(0.5), from: TestServer.other)
        rig.advance(seconds: 0.1)
        let received = rig.messages(to: TestServer.other)
        #expect(received.filter { $0.address == "error" }.map { $0.arguments[1] } == [.int32(409), .int32(409)])
        #expect(received.contains { $0.address == "layer/1/gain" && $0.arguments == [.float(-20)] })
        rig.drop()
        rig.send("touch/layer/1/gain", from: TestServer.other)
        #expect(rig.messages(to: TestServer.other) == [OSCMessage("touch/layer/1/gain", [.int32(1)])])
    }

    @Test(
        "xy touches both parameters or, if one is touched by another peer, neither; a set of it then moves neither; note touches the carrier"
    )
    func together() {
        let rig = subscribed()
        rig.send("touch/layer/1/gain", .int32(1), from: TestServer.other)
        rig.send("touch/layer/1/xy", .int32(1))
        rig.send("layer/1/xy", .float(0.9), .float(0.9))
        rig.advance(seconds: 0.1)
        #expect(rig.messages().filter { $0.address == "error" }.map { $0.arguments[1] } == [.int32(409), .int32(409)])
        #expect(rig.receiver.player.state.held.count == 1)
        #expect(rig.receiver.player.state.current?.edits.isEmpty == true)
        rig.send("touch/layer/1/gain", .int32(0), from: TestServer.other)
        rig.send("touch/layer/1/xy", .int32(1))
        rig.send("touch/layer/4/note", .int32(1))
        #expect(rig.receiver.player.state.held.count == 3)
        rig.drop()
        for (address, value) in [("layer/1/beat", 3), ("layer/1/gain/norm", 0.5), ("layer/4/carrier", 300)] as [(String, Float)] {
            rig.send(address, .float(value), from: TestServer.other)
        }
        let refused = rig.messages(to: TestServer.other).filter { $0.address == "error" }
        #expect(refused.map { $0.arguments[1] } == [.int32(409), .int32(409), .int32(409)])
        rig.send("layer/1/xy", .float(0.5), .float(1))
        rig.send("layer/4/note", .int32(57))
        rig.advance(seconds: 1)
        #expect(addresses(rig, to: TestServer.local).isEmpty)
        rig.send("touch/layer/1/xy", .int32(0))
        rig.send("touch/layer/4/note", .int32(0))
        #expect(rig.receiver.player.state.held.isEmpty)
        #expect(rig.receiver.player.state.current?.edits.map(\.setting.value) == [20, 0, 220])
    }

    @Test("the tuning is touched like the master gain: nobody else moves it, and with return it goes back", arguments: ["latch", "return"])
    func tuning(mode: String) {
        let rig = subscribed()
        rig.send("touch/mode", .string(mode))
        rig.send("touch/tuning/a4/norm", .int32(1))
        rig.drop()
        rig.send("tuning/a4", .float(432), from: TestServer.other)
        #expect(rig.messages(to: TestServer.other).filter { $0.address == "error" }.map { $0.arguments[1] } == [.int32(409)])
        rig.drop()
        rig.send("tuning/a4", .float(430))
        rig.advance(seconds: 1)
        #expect(!rig.messages().contains { $0.address.hasPrefix("tuning/a4") })
        rig.send("touch/tuning/a4", .int32(0))
        #expect(rig.receiver.player.state.a4 == (mode == "latch" ? 430 : 440))
    }

    @Test("the end of the peer's lease ends the touch, and others can move the control again")
    func lease() {
        let rig = TestServer()
        rig.send("touch/layer/selected/gain", .int32(1))
        rig.send("layer/1/gain", .float(-40))
        rig.advance(seconds: 29)
        #expect(rig.receiver.player.state.held.count == 1)
        rig.advance(seconds: 2)
        #expect(rig.receiver.player.state.held.isEmpty)
        #expect(rig.receiver.player.state.current?.edits.map(\.setting.value) == [-40])
        rig.send("layer/1/gain", .float(-30), from: TestServer.other)
        #expect(rig.messages(to: TestServer.other).isEmpty)
    }

    @Test("a peer that asks for answers at another port keeps its touches", arguments: ["latch", "return"])
    func redirected(mode: String) {
        let rig = TestServer()
        let port = Endpoint(host: .loopback, port: 9000)
        rig.send("touch/mode", .string(mode))
        rig.send("touch/layer/1/gain", .int32(1))
        rig.send("seek/forward", .int32(1))
        rig.send("subscribe", .string("layers"), .int32(9000))
        #expect(rig.receiver.player.state.held.count == 1)
        #expect(rig.receiver.player.state.heldSeek != nil)
        rig.advance(seconds: 1)
        rig.drop()
        rig.send("layer/1/gain", .float(-40))
        rig.advance(seconds: 0.5)
        #expect(rig.messages(to: port).isEmpty)
        rig.send("layer/1/gain", .float(-30), from: TestServer.other)
        #expect(rig.messages(to: TestServer.other).map { $0.arguments[1] } == [.int32(409)])
        rig.send("touch/layer/1/gain", .int32(0))
        #expect(rig.receiver.player.state.held.isEmpty)
        rig.advance(seconds: 0.5)
        #expect(addresses(rig, to: port) == Self.all)
        rig.send("touch/layer/1/gain", .int32(1))
        rig.advance(seconds: 31)
        #expect(rig.receiver.player.state.held.isEmpty)
        #expect(rig.receiver.performed.contains(.seek(.forward, begins: false)))
    }

    @Test("a surface that gets feedback on its own port is the same peer")
    func surface() {
        let rig = subscribed { $0.feedback = [FeedbackPeer("127.0.0.1:9000=layers")!] }
        let port = Endpoint(host: .loopback, port: 9000)
        rig.send("touch/layer/1/gain", .int32(1))
        rig.advance(seconds: 0.1)
        rig.drop()
        rig.send("layer/1/gain", .float(-33))
        rig.advance(seconds: 0.5)
        #expect(addresses(rig, to: port).isEmpty)
        rig.send("touch/layer/1/gain", .int32(0))
        rig.advance(seconds: 0.5)
        #expect(addresses(rig, to: port) == Self.all)
    }

    @Test("touches are in describe and in the list of addresses")
    func described() {
        let rig = TestServer()
        rig.send("describe", .string("touch/layer/2"))
        let received = rig.messages().filter { $0.address == "describe" }.map { $0.arguments[0] }
        #expect(received.count == 3)
        #expect(["correlation", "gain", "pan"].allSatisfy { received.contains(.string("touch/layer/2/\($0)")) })
        let paths = AddressTable.standard.addresses(withLayers: [.noise]).map(\.path)
        #expect(paths.contains("touch/layer/1/gain/norm"))
        #expect(!paths.contains { $0.hasPrefix("touch") && $0.hasSuffix("beat") })
    }

    @Test("a pattern touches nothing; a missing layer is 404, a missing parameter 501")
    func refusals() {
        let rig = TestServer()
        rig.send("touch/layer/*/gain", .int32(1))
        rig.send("touch/layer/99/gain", .int32(1))
        rig.send("touch/layer/2/beat", .int32(1))
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(404), .int32(404), .int32(501)])
        #expect(rig.receiver.player.state.held.isEmpty)
    }
}
