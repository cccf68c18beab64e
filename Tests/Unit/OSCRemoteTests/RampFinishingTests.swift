import OSC
import OSCRemote
import Playback
import Testing

/// A `ramp/id` is answered by `ramp/finished` once, whatever happens to its bundle.
@Suite struct RampFinishingTests {
    private static let listener = Endpoint(host: .loopback, port: 52_000)
    private static let id = OSCMessage("/binaural/ramp/id", [.int32(7)])
    private static let ramp = OSCMessage("/binaural/layer/1/beat", [.float(4), .float(1)])

    /// With a subscriber at another address than the sender.
    private func rig(_ configure: (inout OSCServerConfiguration) -> Void = { _ in }) -> TestServer {
        let rig = TestServer(configure)
        rig.send("subscribe", .string("layers"), .int32(0), .int32(300), from: Self.listener)
        rig.advance(seconds: 1)
        rig.drop()
        return rig
    }

    private func finished(_ rig: TestServer) -> [Int32] {
        rig.messages(to: Self.listener).compactMap { message in
            guard message.address == "ramp/finished", case .int32(let id)? = message.arguments.first else { return nil }
            return id
        }
    }

    private func bundle(_ rig: TestServer, in seconds: Double? = nil, _ messages: [OSCMessage]) -> OSCPacket {
        .bundle(OSCBundle(timeTag: seconds.map { rig.now.timeTag.advanced(bySeconds: $0) } ?? .immediate, messages: messages))
    }

    /// Commands that end with each code.
    private static let refusals: [(code: Int32, prepare: @Sendable (TestServer) -> Void, commands: [OSCMessage])] = [
        (100, { $0.receiver.player.update { ($0.items, $0.currentIndex) = ([], nil) } }, [ramp, OSCMessage("/binaural/play")]),
        (400, { _ in }, [OSCMessage("/binaural/layer/1/beat", [.string("four"), .float(1)])]),
        (400, { _ in }, [OSCMessage("/binaural/layer/1/beat", [.float(4), .float(1e9)])]),
        (400, { _ in }, [OSCMessage("/binaural/layer/1/beat", [.float(4), .float(1), .int32(0), .int32(0)])]),
        (404, { _ in }, [OSCMessage("/binaural/layer/99/beat", [.float(4), .float(1)]), OSCMessage("/binaural/nowhere")]),
        (405, { _ in }, [OSCMessage("/binaural/pause"), OSCMessage("/binaural/undo")]),
        (409, { $0.send("touch/layer/1/beat", .int32(1), from: TestServer.other) }, [ramp]),
        (501, { _ in }, [OSCMessage("/binaural/layer/2/carrier", [.float(100), .float(1)])]),
    ]

    @Test("ramp/finished is sent at once if all commands are refused, whatever the code", arguments: refusals.indices, [false, true])
    func refused(index: Int, waits: Bool) {
        let rig = rig()
        let (code, prepare, commands) = Self.refusals[index]
        prepare(rig)
        rig.advance(seconds: 1)
        rig.drop()
        rig.receive(bundle(rig, in: waits ? 0.5 : nil, commands + [Self.id]))
        if waits {
            rig.advance(seconds: 0.45)
            #expect(finished(rig).isEmpty)
            rig.advance(seconds: 0.1)
        }
        #expect(rig.messages().filter { $0.address == "error" }.map { $0.arguments[1] } == commands.map { _ in .int32(code) })
        #expect(finished(rig) == [7])
        rig.advance(seconds: 5)
        #expect(finished(rig).isEmpty)
    }

    @Test("ramp/finished is sent at once if the role does not allow the commands")
    func denied() {
        let rig = rig { $0.localRole = .view }
        rig.receive(bundle(rig, [Self.id, Self.ramp]))
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(401)])
        #expect(finished(rig) == [7])
    }

    @Test("ramp/finished is sent at once beyond the message rate; in a flood, only as often as the limit allows")
    func rateLimited() {
        let rig = rig { $0.allowed = [AccessRule("192.168.1.0/24=control")].compactMap(\.self) }
        for _ in 0..<1200 { rig.send("ping", from: TestServer.phone) }
        rig.drop()
        rig.receive(bundle(rig, [Self.id, Self.ramp]), from: TestServer.phone)
        #expect(rig.receiver.performed.isEmpty)
        #expect(finished(rig) == [7])
        for _ in 0..<5000 { rig.receive(bundle(rig, [Self.id, Self.ramp]), from: TestServer.phone) }
        rig.advance(seconds: 0.1)
        #expect((100...300).contains(finished(rig).count))
    }

    @Test("ramp/finished is sent after the last ramp that was started, if other commands were refused")
    func mixed() {
        let rig = rig()
        rig.receive(
            bundle(
                rig,
                [
                    OSCMessage("/binaural/layer/1/gain", [.float(-20), .float(-1)]), Self.id, Self.ramp,
                    OSCMessage("/binaural/layer/2/carrier", [.float(100), .float(9)]),
                ]))
        rig.advance(seconds: 0.95)
        #expect(finished(rig).isEmpty)
        rig.advance(seconds: 0.1)
        #expect(finished(rig) == [7])
        rig.advance(seconds: 10)
        #expect(finished(rig).isEmpty)
    }

    @Test("ramp/finished is sent at once if the bundle is too far ahead, or there is no room for it")
    func refusedBundle() {
        let rig = rig()
        rig.receive(bundle(rig, in: 61, [Self.id, Self.ramp]))
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(414)])
        #expect(finished(rig) == [7])
        rig.receive(bundle(rig, in: 5, Array(repeating: OSCMessage("/binaural/layer/1/pan", [.float(0)]), count: 256)))
        rig.receive(bundle(rig, in: 5, [OSCMessage("/binaural/ramp/id", [.int32(8)]), Self.ramp]))
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(413)])
        #expect(finished(rig) == [8])
        rig.advance(seconds: 10)
        #expect(finished(rig).isEmpty)
    }

    @Test("ramp/finished is sent for each nested bundle at its own time")
    func nested() {
        let rig = rig()
        let inner = bundle(rig, in: 61, [OSCMessage("/binaural/ramp/id", [.int32(8)]), Self.ramp])
        rig.receive(.bundle(OSCBundle(elements: [inner, .message(Self.id), .message(Self.ramp)])))
        #expect(finished(rig) == [8])
        rig.advance(seconds: 1.1)
        #expect(finished(rig) == [7])
    }

    @Test("ramp/finished is sent at once, and once, if a panic drops waiting bundles, in the order of their times")
    func panic() {
        let rig = rig()
        rig.receive(bundle(rig, in: 9, [OSCMessage("/binaural/ramp/id", [.int32(9)]), Self.ramp]))
        rig.receive(bundle(rig, in: 8, [OSCMessage("/binaural/ramp/id", [.int32(8)]), Self.ramp]), from: TestServer.other)
        rig.receive(bundle(rig, in: 7, [Self.ramp]))
        #expect(finished(rig).isEmpty)
        rig.send("panic")
        #expect(finished(rig) == [8, 9])
        rig.advance(seconds: 20)
        #expect(finished(rig).isEmpty)
        #expect(rig.receiver.performed == [.panic])
    }

    @Test("ramp/finished is sent at once if the sender's lease ends before the bundle's time")
    func leaseEnded() {
        let rig = rig()
        rig.receive(bundle(rig, in: 50, [Self.id, Self.ramp]))
        rig.advance(seconds: 29)
        #expect(finished(rig).isEmpty)
        rig.advance(seconds: 2)
        #expect(finished(rig) == [7])
        rig.advance(seconds: 30)
        #expect(finished(rig).isEmpty)
        #expect(rig.receiver.performed.isEmpty)
    }

    @Test(
        "ramp/finished is not sent for an id that is refused itself",
        arguments: [[], [.float(2.5)], [.string("7")], [.int64(1 << 40)], [.int32(7), .int32(7)], [.float(.nan)]] as [[OSCArgument]])
    func badID(arguments: [OSCArgument]) {
        let rig = rig()
        rig.receive(bundle(rig, [OSCMessage("/binaural/ramp/id", arguments), OSCMessage("/binaural/layer/1/pan", [.float(0.5)])]))
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(400)])
        rig.advance(seconds: 2)
        #expect(finished(rig).isEmpty)
        #expect(rig.receiver.performed.count == 1)
    }

    @Test("ramp/finished is sent for an id that a surface sends as a float")
    func floatID() {
        let rig = rig()
        rig.receive(bundle(rig, [OSCMessage("/binaural/ramp/id", [.float(7)]), Self.ramp]))
        rig.advance(seconds: 1.1)
        #expect(finished(rig) == [7])
    }
}
