import OSC
import OSCRemote
import Playback
import Testing

@Suite("Bundles")
struct BundleTests {
    private func bundle(_ server: TestServer, in seconds: Double? = nil, _ messages: [OSCMessage]) -> OSCPacket {
        .bundle(OSCBundle(timeTag: seconds.map { server.now.timeTag.advanced(bySeconds: $0) } ?? .immediate, messages: messages))
    }

    private static let beatAndGain = [
        OSCMessage("/binaural/layer/1/beat", [.float(4)]), OSCMessage("/binaural/layer/1/gain", [.float(-30)]),
    ]

    @Test("All messages take effect at one frame; an invalid one gets its error, the others are applied")
    func simultaneous() {
        let server = TestServer()
        let bad = OSCMessage("/binaural/layer/1/pan", [.string("left")])
        server.receive(bundle(server, [Self.beatAndGain[0], bad, Self.beatAndGain[1]]))
        #expect(server.receiver.performed == [RowTests.set(0, .beat, 4), RowTests.set(0, .gain, -30)])
        #expect(Set(server.receiver.momentsOfPerformed.map(\.frame)).count == 1)
        #expect(server.messages().map(\.address) == ["error"])
        // The stand-in lets frames pass between commands that are not in a bundle.
        for message in Self.beatAndGain { server.receive(.message(message)) }
        #expect(Set(server.receiver.momentsOfPerformed.suffix(2).map(\.frame)).count == 2)
    }

    @Test("Session and file work and quit run after the others")
    func outside() {
        let server = TestServer()
        server.receive(bundle(server, [OSCMessage("/binaural/quit"), OSCMessage("/binaural/session/save"), OSCMessage("/binaural/play")]))
        #expect(server.receiver.performed == [.play, .application(.quit), .application(.saveSession(nil))])
        #expect(Set(server.receiver.momentsOfPerformed.map(\.frame)).count == 3)
    }

    @Test("A bundle in the future waits for its time")
    func future() {
        let server = TestServer()
        server.receive(bundle(server, in: 2, Self.beatAndGain))
        server.receive(bundle(server, in: 1, [OSCMessage("/binaural/play")]))
        server.advance(seconds: 0.975)
        #expect(server.receiver.performed.isEmpty)
        #expect(server.server.nextDue?.seconds(since: server.now.timeTag) ?? 0 > 0.02)
        server.advance(seconds: 0.05)
        #expect(server.receiver.performed == [.play])
        server.advance(seconds: 1)
        #expect(server.receiver.performed.count == 3)
        #expect(server.server.nextDue == nil)
    }

    @Test("Waiting bundles move with a peer that changes its answer port: their errors, its touches, and the end of its lease")
    func movedElsewhere() {
        let server = TestServer()
        let port = Endpoint(host: .loopback, port: 9000)
        server.receive(
            bundle(server, in: 2, [OSCMessage("/binaural/layer/1/beat", [.string("four")]), OSCMessage("/binaural/seek/forward")]))
        server.receive(bundle(server, in: 55, Self.beatAndGain))
        server.send("subscribe", .string("jack"), .int32(9000))
        server.drop()
        server.advance(seconds: 3)
        let refused = server.messages(to: port).filter { $0.address == "error" }
        #expect(refused.map { $0.arguments[1] } == [.int32(400)])
        #expect(server.messages().isEmpty)
        #expect(server.receiver.player.state.heldSeek != nil)
        server.advance(seconds: 28)
        // Its lease is over, and all of its bundles are dropped.
        #expect(server.receiver.performed.last == .seek(.forward, begins: false))
        server.advance(seconds: 30)
        #expect(!server.receiver.performed.contains(RowTests.set(0, .beat, 4)))
        #expect(server.server.nextDue == nil)
    }

    @Test("Late bundles are applied at once and counted; immediate ones are not late")
    func late() {
        let server = TestServer()
        server.receive(bundle(server, in: -1, Self.beatAndGain))
        server.receive(bundle(server, Self.beatAndGain))
        #expect(server.receiver.performed.count == 4)
        #expect(server.server.statistics.lateBundles == 1)
    }

    @Test("A time tag of 0 also means immediately, as some senders write it")
    func zero() {
        let server = TestServer()
        server.receive(.bundle(OSCBundle(timeTag: TimeTag(rawValue: 0), messages: Self.beatAndGain)))
        #expect(server.receiver.performed.count == 2)
        #expect(server.server.statistics.lateBundles == 0)
        #expect(server.messages().isEmpty)
    }

    @Test("More than 60 s ahead is 414, more than 256 waiting messages of a peer is 413")
    func limits() {
        let server = TestServer()
        server.receive(bundle(server, in: 61, Self.beatAndGain))
        #expect(server.messages().first?.arguments[1] == .int32(414))
        for _ in 0..<300 { server.receive(bundle(server, in: 10, [OSCMessage("/binaural/play")])) }
        #expect(server.messages().first?.arguments[1] == .int32(413))
        server.advance(seconds: 10.1)
        #expect(server.receiver.performed.count == 256)
    }

    @Test("More than 4096 waiting messages of all peers are 413; a bundle waits whole or not at all; applied bundles make room")
    func limitOfAll() {
        let server = TestServer()
        func send(_ messages: Int, in seconds: Double, from port: Int) -> [OSCArgument] {
            let peer = Endpoint(host: .loopback, port: UInt16(20_000 + port))
            server.receive(bundle(server, in: seconds, Array(repeating: OSCMessage("/binaural/play"), count: messages)), from: peer)
            return server.messages(to: peer).map { $0.arguments[1] }
        }
        for port in 0..<15 { #expect(send(256, in: 10, from: port).isEmpty) }
        #expect(send(100, in: 5, from: 15).isEmpty)
        #expect(send(100, in: 10, from: 16).isEmpty)
        #expect(send(57, in: 10, from: 17) == [.int32(413)])
        #expect(send(56, in: 10, from: 18).isEmpty)
        #expect(send(1, in: 10, from: 19) == [.int32(413)])
        server.advance(seconds: 5.1)
        #expect(server.receiver.performed.count == 100)
        #expect(send(100, in: 4, from: 19).isEmpty)
        #expect(send(1, in: 4, from: 17) == [.int32(413)])
        server.advance(seconds: 6)
        #expect(server.receiver.performed.count == 4096 + 100)
        #expect(server.server.statistics.refusedBundles == 3)
    }

    @Test("panic drops waiting bundles, and so does the end of the peer's lease")
    func dropped() {
        let server = TestServer()
        server.receive(bundle(server, in: 1, Self.beatAndGain))
        server.send("panic")
        server.receive(bundle(server, in: 50, Self.beatAndGain))
        server.advance(seconds: 60)
        #expect(server.receiver.performed == [.panic])
    }

    @Test("Time tags can be ignored")
    func ignored() {
        let server = TestServer { $0.honoursTimeTags = false }
        server.receive(bundle(server, in: 5, Self.beatAndGain))
        #expect(server.receiver.performed.count == 2)
    }

    @Test("Nested bundles are applied at their own times")
    func nested() {
        let server = TestServer()
        let inner = bundle(server, in: 1, [OSCMessage("/binaural/stop")])
        server.receive(.bundle(OSCBundle(elements: [inner, .message(OSCMessage("/binaural/play"))])))
        #expect(server.receiver.performed == [.play])
        server.advance(seconds: 1.05)
        #expect(server.receiver.performed == [.play, .stop])
    }

    @Test("A nested bundle with an earlier time than the outer one is applied at the outer one's time")
    func nestedEarlier() {
        let server = TestServer()
        let (early, late) = (
            bundle(server, in: 0.5, [OSCMessage("/binaural/stop")]), bundle(server, in: 2, [OSCMessage("/binaural/pause")])
        )
        let immediate = bundle(server, [OSCMessage("/binaural/next")])
        server.receive(
            .bundle(
                OSCBundle(
                    timeTag: server.now.timeTag.advanced(bySeconds: 1),
                    elements: [late, early, .message(OSCMessage("/binaural/play")), immediate])))
        server.advance(seconds: 0.9)
        #expect(server.receiver.performed.isEmpty)
        server.advance(seconds: 0.15)
        #expect(server.receiver.performed == [.stop, .play, .next])
        #expect(Set(server.receiver.momentsOfPerformed.map(\.frame)).count == 1)
        server.advance(seconds: 1)
        #expect(server.receiver.performed.last == .pause)
    }

    @Test("A bundle is handed over ahead of its time, as early as the sound needs, for exactly the frame of its tag")
    func handedOver() {
        let server = TestServer()
        server.receiver.lead = 0.06
        server.receive(bundle(server, in: 1.0001, Self.beatAndGain))
        #expect(abs((server.server.nextDue?.seconds(since: server.now.timeTag) ?? 0) - 0.9401) < 1e-6)
        server.advance(seconds: 0.925)
        #expect(server.receiver.performed.isEmpty)
        server.advance(seconds: 0.025)
        #expect(server.receiver.momentsOfPerformed.map(\.frame) == [48_005, 48_005])
        #expect(server.server.statistics.lateBundles == 0)
        // A bundle that is due sooner than it can be applied is late; one for "immediately" never is.
        server.receiver.moment.frame += 4800
        server.receive(bundle(server, in: 0.05, Self.beatAndGain))
        #expect(server.receiver.performed.count == 4)
        #expect(server.server.statistics.lateBundles == 1)
        server.receive(bundle(server, Self.beatAndGain))
        #expect(server.server.statistics.lateBundles == 1)
    }

    @Test("Whether a command is enabled is checked when it is due")
    func judged() {
        let server = TestServer()
        server.receive(bundle(server, in: 1, [OSCMessage("/binaural/pause")]))
        server.advance(seconds: 0.5)
        server.send("play")
        #expect(server.messages().isEmpty)
        server.advance(seconds: 0.6)
        #expect(server.receiver.player.state.playback == .paused)
        server.send("stop")
        server.receive(bundle(server, in: 1, [OSCMessage("/binaural/pause")]))
        server.advance(seconds: 1.1)
        #expect(server.messages().first?.arguments[1] == .int32(405))
    }

    @Test("While JACK is away, a bundle is applied at its time by the wall clock, and is not late")
    func away() {
        let server = TestServer()
        server.receiver.lead = nil
        server.receive(bundle(server, in: 1, Self.beatAndGain))
        server.advance(seconds: 0.975)
        #expect(server.receiver.performed.isEmpty)
        server.advance(seconds: 0.05)
        #expect(server.receiver.performed.count == 2)
        #expect(server.server.statistics.lateBundles == 0)
        server.receive(bundle(server, in: -1, Self.beatAndGain))
        #expect(server.server.statistics.lateBundles == 1)
    }
}
