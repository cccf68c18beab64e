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
    private func server(_ configure: (inout OSCServerConfiguration) -> Void = { _ in }) -> TestServer {
        let server = TestServer(configure)
        server.send("subscribe", .string("layers"), .int32(0), .int32(300), from: Self.listener)
        server.advance(seconds: 1)
        server.drop()
        return server
    }

    private func finished(_ server: TestServer) -> [Int32] {
        server.messages(to: Self.listener).compactMap { message in
            guard message.address == "ramp/finished", case .int32(let id)? = message.arguments.first else { return nil }
            return id
        }
    }

    private func bundle(_ server: TestServer, in seconds: Double? = nil, _ messages: [OSCMessage]) -> OSCPacket {
        .bundle(OSCBundle(timeTag: seconds.map { server.now.timeTag.advanced(bySeconds: $0) } ?? .immediate, messages: messages))
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
        let server = server()
        let (code, prepare, commands) = Self.refusals[index]
        prepare(server)
        server.advance(seconds: 1)
        server.drop()
        server.receive(bundle(server, in: waits ? 0.5 : nil, commands + [Self.id]))
        if waits {
            server.advance(seconds: 0.45)
            #expect(finished(server).isEmpty)
            server.advance(seconds: 0.1)
        }
        #expect(server.messages().filter { $0.address == "error" }.map { $0.arguments[1] } == commands.map { _ in .int32(code) })
        #expect(finished(server) == [7])
        server.advance(seconds: 5)
        #expect(finished(server).isEmpty)
    }

    @Test("ramp/finished is sent at once if the role does not allow the commands")
    func denied() {
        let server = server { $0.localRole = .view }
        server.receive(bundle(server, [Self.id, Self.ramp]))
        #expect(server.messages().map { $0.arguments[1] } == [.int32(401)])
        #expect(finished(server) == [7])
    }

    @Test("ramp/finished is sent at once beyond the message rate; in a flood, only as often as the limit allows")
    func rateLimited() {
        let server = server { $0.allowed = [AccessRule("192.168.1.0/24=control")].compactMap(\.self) }
        for _ in 0..<1200 { server.send("ping", from: TestServer.phone) }
        server.drop()
        server.receive(bundle(server, [Self.id, Self.ramp]), from: TestServer.phone)
        #expect(server.receiver.performed.isEmpty)
        #expect(finished(server) == [7])
        for _ in 0..<5000 { server.receive(bundle(server, [Self.id, Self.ramp]), from: TestServer.phone) }
        server.advance(seconds: 0.1)
        #expect((100...300).contains(finished(server).count))
    }

    @Test("ramp/finished is sent after the last ramp that was started, if other commands were refused")
    func mixed() {
        let server = server()
        server.receive(
            bundle(
                server,
                [
                    OSCMessage("/binaural/layer/1/gain", [.float(-20), .float(-1)]), Self.id, Self.ramp,
                    OSCMessage("/binaural/layer/2/carrier", [.float(100), .float(9)]),
                ]))
        server.advance(seconds: 0.95)
        #expect(finished(server).isEmpty)
        server.advance(seconds: 0.1)
        #expect(finished(server) == [7])
        server.advance(seconds: 10)
        #expect(finished(server).isEmpty)
    }

    @Test("ramp/finished is sent at once if the bundle is too far ahead, or there is no room for it")
    func refusedBundle() {
        let server = server()
        server.receive(bundle(server, in: 61, [Self.id, Self.ramp]))
        #expect(server.messages().map { $0.arguments[1] } == [.int32(414)])
        #expect(finished(server) == [7])
        server.receive(bundle(server, in: 5, Array(repeating: OSCMessage("/binaural/layer/1/pan", [.float(0)]), count: 256)))
        server.receive(bundle(server, in: 5, [OSCMessage("/binaural/ramp/id", [.int32(8)]), Self.ramp]))
        #expect(server.messages().map { $0.arguments[1] } == [.int32(413)])
        #expect(finished(server) == [8])
        server.advance(seconds: 10)
        #expect(finished(server).isEmpty)
    }

    @Test("ramp/finished is sent for each nested bundle at its own time")
    func nested() {
        let server = server()
        let inner = bundle(server, in: 61, [OSCMessage("/binaural/ramp/id", [.int32(8)]), Self.ramp])
        server.receive(.bundle(OSCBundle(elements: [inner, .message(Self.id), .message(Self.ramp)])))
        #expect(finished(server) == [8])
        server.advance(seconds: 1.1)
        #expect(finished(server) == [7])
    }

    @Test("ramp/finished is sent at once, and once, if a panic drops waiting bundles, in the order of their times")
    func panic() {
        let server = server()
        server.receive(bundle(server, in: 9, [OSCMessage("/binaural/ramp/id", [.int32(9)]), Self.ramp]))
        server.receive(bundle(server, in: 8, [OSCMessage("/binaural/ramp/id", [.int32(8)]), Self.ramp]), from: TestServer.other)
        server.receive(bundle(server, in: 7, [Self.ramp]))
        #expect(finished(server).isEmpty)
        server.send("panic")
        #expect(finished(server) == [8, 9])
        server.advance(seconds: 20)
        #expect(finished(server).isEmpty)
        #expect(server.receiver.performed == [.panic])
    }

    @Test("ramp/finished is sent at once if the sender's lease ends before the bundle's time")
    func leaseEnded() {
        let server = server()
        server.receive(bundle(server, in: 50, [Self.id, Self.ramp]))
        server.advance(seconds: 29)
        #expect(finished(server).isEmpty)
        server.advance(seconds: 2)
        #expect(finished(server) == [7])
        server.advance(seconds: 30)
        #expect(finished(server).isEmpty)
        #expect(server.receiver.performed.isEmpty)
    }

    @Test(
        "ramp/finished is not sent for an id that is refused itself",
        arguments: [[], [.float(2.5)], [.string("7")], [.int64(1 << 40)], [.int32(7), .int32(7)], [.float(.nan)]] as [[OSCArgument]])
    func badID(arguments: [OSCArgument]) {
        let server = server()
        server.receive(bundle(server, [OSCMessage("/binaural/ramp/id", arguments), OSCMessage("/binaural/layer/1/pan", [.float(0.5)])]))
        #expect(server.messages().map { $0.arguments[1] } == [.int32(400)])
        server.advance(seconds: 2)
        #expect(finished(server).isEmpty)
        #expect(server.receiver.performed.count == 1)
    }

    @Test("ramp/finished is sent for an id that a surface sends as a float")
    func floatID() {
        let server = server()
        server.receive(bundle(server, [OSCMessage("/binaural/ramp/id", [.float(7)]), Self.ramp]))
        server.advance(seconds: 1.1)
        #expect(finished(server) == [7])
    }
}
