import OSC
import OSCRemote
import Playback
import Testing

@Suite("Feedback")
struct FeedbackTests {
    private func subscribed(_ topics: String..., peers: [Endpoint] = [TestServer.local, TestServer.other]) -> TestServer {
        let server = TestServer()
        for peer in peers {
            for topic in topics { server.send("subscribe", .string(topic), from: peer) }
        }
        // The whole snapshot takes more packets than go at once.
        server.advance(seconds: 1)
        server.drop()
        return server
    }

    @Test("A set is sent to other peers at once, and to its sender after 150 ms without another set")
    func echo() {
        let server = subscribed("mixer")
        server.send("master/gain", .float(-6))
        #expect(
            server.messages(to: TestServer.other) == [
                OSCMessage("master/gain", [.float(-6)]), OSCMessage("master/gain/norm", [.float(0.9)]),
            ])
        // The twin is not what the sender holds.
        #expect(server.messages() == [OSCMessage("master/gain/norm", [.float(0.9)])])
        server.advance(seconds: 0.125)
        server.send("master/gain", .float(-12))
        server.advance(seconds: 0.125)
        #expect(!server.messages().map(\.address).contains("master/gain"))
        server.advance(seconds: 0.05)
        #expect(server.messages() == [OSCMessage("master/gain", [.float(-12)])])
        server.advance(seconds: 1)
        #expect(server.messages().isEmpty)
    }

    @Test("Only the last of several sets between two comparisons is compared with the value, so that a moved fader is not set back")
    func latestSet() {
        let server = subscribed("mixer")
        let sets = [-6, -9, -12].map { OSCMessage("/binaural/master/gain", [.float($0)]) }
        server.receive(.bundle(OSCBundle(timeTag: .immediate, messages: sets)))
        #expect(!server.messages().map(\.address).contains("master/gain"))
        #expect(server.messages(to: TestServer.other).contains(OSCMessage("master/gain", [.float(-12)])))
        server.advance(seconds: 0.2)
        #expect(server.messages().filter { $0.address == "master/gain" } == [OSCMessage("master/gain", [.float(-12)])])
    }

    @Test("A sender is notified at once if its value was clamped, also if nothing changed")
    func clampedEcho() {
        let server = subscribed("mixer")
        server.send("master/gain", .float(20))
        #expect(server.messages() == [OSCMessage("master/gain", [.float(0)])])
        #expect(server.messages(to: TestServer.other).isEmpty)
    }

    @Test("A control whose set was refused is put back")
    func refusedEcho() {
        let server = subscribed("commands")
        server.send("repeat", .string("sometimes"))
        #expect(server.messages().map(\.address) == ["error", "repeat"])
    }

    @Test("Rounding on the curve is not sent back to a fader on a norm")
    func normEcho() {
        let server = subscribed("layers")
        for step in 0...1000 {
            server.advance(seconds: 0.025)
            server.send("layer/1/carrier/norm", .float(Float(step) / 1000))
            #expect(!server.messages().map(\.address).contains("layer/1/carrier/norm"))
        }
        server.advance(seconds: 0.2)
        #expect(server.messages().contains(OSCMessage("layer/1/carrier/norm", [.float(1)])))
    }

    @Test("A value that another peer sets meanwhile reaches the first one at once")
    func twoHands() {
        let server = subscribed("mixer")
        server.send("tuning/a4", .float(432))
        server.send("tuning/a4", .float(442), from: TestServer.other)
        #expect(server.messages().filter { $0.address == "tuning/a4" } == [OSCMessage("tuning/a4", [.float(442)])])
    }

    @Test("A change of a command's enabled state is reported")
    func enabled() {
        let server = subscribed("commands")
        server.send("play")
        #expect(server.messages() == [OSCMessage("pause/enabled", [.int32(1)])])
        server.send("stop")
        #expect(server.messages() == [OSCMessage("pause/enabled", [.int32(0)])])
    }

    @Test("Another item sends all layers again, including the addresses of the selected layer")
    func anotherItem() {
        let server = subscribed("layers", peers: [TestServer.local])
        server.send("queue/select", .int32(2))
        let messages = server.messages()
        #expect(messages.last == OSCMessage("snapshot/end", [.string("layers")]))
        #expect(messages.contains(OSCMessage("layer/count", [.int32(1)])))
        #expect(messages.contains(OSCMessage("layer/1/carrier", [.float(440)])))
        #expect(messages.contains(OSCMessage("layer/selected/kind", [.string("tone")])))
        #expect(!messages.contains { $0.address.hasPrefix("layer/2/") })
    }

    @Test("When the selection changes, the addresses of the selected layer are sent")
    func selection() {
        let server = subscribed("layers", peers: [TestServer.local])
        server.send("layer/select", .int32(2), from: TestServer.other)
        let messages = server.messages()
        #expect(messages.contains(OSCMessage("layer/select", [.int32(2)])))
        #expect(messages.contains(OSCMessage("layer/selected/name", [.string("rain")])))
        #expect(!messages.contains { $0.address.hasPrefix("layer/1/") })
        server.send("layer/selected/gain", .float(-33), from: TestServer.other)
        #expect(
            Set(server.messages().map(\.address)) == [
                "layer/2/gain", "layer/2/gain/norm", "layer/2/edited", "layer/selected/gain", "layer/selected/gain/norm",
                "layer/selected/edited",
            ])
    }

    @Test("A chapter's move is reported while it lasts, and nothing afterwards")
    func movingChapter() throws {
        let server = subscribed("layers", peers: [TestServer.local])
        server.send("play")
        server.send("position", .float(99))
        server.drop()
        server.advance(seconds: 12)
        let beats = server.messages().filter { $0.address == "layer/1/beat" }.compactMap { message -> Float? in
            if case .float(let beat) = message.arguments[0] { beat } else { nil }
        }
        #expect((150...210).contains(beats.count))
        #expect(beats == beats.sorted(by: >))
        #expect(beats.last == 4)
        server.advance(seconds: 5)
        #expect(server.messages().isEmpty)
    }

    // MARK: Now playing

    @Test("Now playing is sent whole, in one bundle, with the instant of its position")
    func nowPlayingBundle() throws {
        let server = subscribed("now", peers: [TestServer.local])
        server.advance(seconds: 2)
        server.drop()
        server.send("play")
        let packets = server.packets()
        #expect(packets.count == 1)
        guard case .bundle(let bundle) = try OSCPacket(decoding: packets[0]) else {
            Issue.record("a bundle was expected")
            return
        }
        #expect(bundle.elements.count == AddressTable.standard.rows.filter { $0.group == .now }.count + 1)
        let passed = Double(server.receiver.moment.frame) / 48_000
        #expect(abs(bundle.timeTag.seconds(since: TestServer.start) - passed) < 1e-6)
        #expect(bundle.elements.contains(.message(OSCMessage("/binaural/now/state", [.string("playing")]))))
    }

    @Test("Now playing is sent when something changes, and never because time passes")
    func nowPlayingOnlyChanges() {
        let server = subscribed("now", peers: [TestServer.local])
        server.send("play")
        server.drop()
        server.advance(seconds: 25)
        #expect(server.messages().isEmpty)
        for (address, argument) in [("play", nil), ("position", 200), ("next", nil), ("pause", nil), ("queue/next", nil)]
            as [(String, Float?)]
        {
            server.receive(.message(OSCMessage("/binaural/" + address, argument.map { [.float($0)] } ?? [])))
            let sets = server.messages().filter { $0.address == "now/state" }.count
            // While playing, play is not reported.
            #expect(sets == (address == "play" ? 0 : 1), "\(address) received \(sets) sets")
            server.advance(seconds: 1)
            server.drop()
        }
    }

    @Test("Elapsed computed from tag and rate is the position of the player")
    func extrapolation() throws {
        let server = subscribed("now", peers: [TestServer.local])
        server.advance(seconds: 3)
        server.send("play")
        server.send("position", .float(20))
        guard case .bundle(let bundle)? = try server.packets().last.map({ try OSCPacket(decoding: $0) }) else {
            Issue.record("a bundle was expected")
            return
        }
        guard case .message(let elapsed) = bundle.elements[1], case .float(let seconds) = elapsed.arguments[0] else {
            Issue.record("elapsed was expected")
            return
        }
        #expect(elapsed.address == "/binaural/now/elapsed")
        server.advance(seconds: 7.5)
        let wall = TimeTag(secondsSince1970: 1_700_000_000, nanoseconds: 0).advanced(
            bySeconds: Double(server.receiver.moment.frame) / 48_000)
        let shown = Double(seconds) + wall.seconds(since: bundle.timeTag)
        #expect(abs(shown - server.receiver.player.state.elapsed(at: server.receiver.moment)) < 1e-5)
    }
}
