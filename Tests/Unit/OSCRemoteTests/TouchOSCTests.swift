import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// A surface on a phone: floats on press (1.0) and release (0.0), faders that stream floats, a receive port of its own, no way to subscribe.
@Suite("A TouchOSC surface")
struct TouchOSCTests {
    private static let receivePort = Endpoint("192.168.1.20:9000")!

    private func server() -> TestServer {
        let server = TestServer {
            $0.allowed = [AccessRule("192.168.1.0/24=control")].compactMap(\.self)
            $0.feedback = [FeedbackPeer("192.168.1.20:9000=now,commands,layers,mixer,tick/5")].compactMap(\.self)
        }
        server.advance(seconds: 1)
        return server
    }

    /// Bytes as such a surface sends them: `/address ,f 1.0`.
    private func packet(_ address: String, _ value: Float) -> [UInt8] { OSCMessage("/binaural/" + address, [.float(value)]).encoded }

    @Test("It gets everything at the start, without subscribing, at its own port")
    func start() {
        let messages = server().messages(to: Self.receivePort)
        for address in ["now/title", "play/enabled", "layer/1/gain/norm", "master/gain/norm", "now/text"] {
            #expect(messages.contains { $0.address == address }, "\(address) was not received")
        }
    }

    @Test("A button fires once, on the press")
    func buttons() {
        let server = server()
        for button in ["play", "next", "skip/forward", "pause"] {
            server.receive(bytes: packet(button, 1), from: TestServer.phone)
            server.advance(seconds: 0.1)
            server.receive(bytes: packet(button, 0), from: TestServer.phone)
        }
        #expect(server.receiver.performed == [.play, .next, .skipForward(by: 15), .pause])
        #expect(server.messages(to: TestServer.phone).isEmpty)
    }

    @Test("A toggle sets and clears")
    func toggle() {
        let server = server()
        server.receive(bytes: packet("layer/2/mute", 1), from: TestServer.phone)
        server.receive(bytes: packet("layer/2/mute", 0), from: TestServer.phone)
        #expect(server.receiver.performed == [.mute(layer: 1, true), .mute(layer: 1, false)])
    }

    @Test("A fader's stream moves the level, is not sent back under the finger, and is confirmed when it rests")
    func fader() {
        let server = server()
        _ = server.messages(to: Self.receivePort)
        for step in 1...60 {
            server.receive(bytes: packet("master/gain/norm", Float(60 - step) / 60), from: TestServer.phone)
            server.advance(seconds: 0.025)
        }
        #expect(server.receiver.performed.count == 60)
        let during = server.messages(to: Self.receivePort)
        #expect(!during.contains { $0.address == "master/gain/norm" })
        #expect(during.contains { $0.address == "master/gain" })
        server.advance(seconds: 0.2)
        #expect(server.messages(to: Self.receivePort).contains(OSCMessage("master/gain/norm", [.float(0)])))
        #expect(server.receiver.player.state.masterGain == Parameter.off)
    }

    @Test("It is never dropped: not by silence, not when the phone sleeps")
    func neverDropped() {
        let server = server()
        for _ in 0..<10 { server.server.unreachable(.udp(Self.receivePort), at: server.now) }
        server.advance(seconds: 400)
        _ = server.messages(to: Self.receivePort)
        server.change { $0.player.update { $0.isMasterMuted = true } }
        #expect(server.messages(to: Self.receivePort) == [OSCMessage("master/mute", [.int32(1)])])
        server.server.close(reason: "quit", at: server.now)
        #expect(server.messages(to: Self.receivePort) == [OSCMessage("bye", [.string("quit")])])
    }

    @Test("A surface that can subscribe does so with its receive port")
    func subscribing() {
        let server = server()
        let port = Endpoint(host: TestServer.phone.host, port: 9500)
        server.send("subscribe", .string("mixer"), .float(9500), from: TestServer.phone)
        #expect(server.messages(to: port).last == OSCMessage("snapshot/end", [.string("mixer")]))
        server.receive(bytes: packet("master/mute", 1), from: TestServer.phone)
        #expect(server.messages(to: port).isEmpty)
        server.advance(seconds: 0.2)
        #expect(server.messages(to: port) == [OSCMessage("master/mute", [.int32(1)])])
    }

    @Test("An XY pad, an encoder's negative steps, the pings and the accelerometer work")
    func others() {
        let server = server()
        server.receive(.message(OSCMessage("/binaural/layer/1/xy", [.float(0.5), .float(0.5)])), from: TestServer.phone)
        server.receive(bytes: packet("skip/by", -15), from: TestServer.phone)
        server.receive(.message(OSCMessage("/ping")), from: TestServer.phone)
        server.receive(.message(OSCMessage("/accxyz", [.float(0.1), .float(0), .float(0.98)])), from: TestServer.phone)
        #expect(server.receiver.performed == [RowTests.together(0, (.beat, 20), (.gain, -30)), .skip(by: -15)])
        #expect(server.messages(to: TestServer.phone) == [OSCMessage("pong", [.int32(0), .int64(TestServer.bootID)])])
    }
}
