import OSC
import Playback
import Testing

/// Reports of ramps to subscribers.
@Suite struct RampReportTests {
    private func subscribed() -> TestServer {
        let server = TestServer()
        server.send("subscribe", .string("layers"))
        server.send("subscribe", .string("mixer"), from: TestServer.other)
        server.advance(seconds: 1)
        server.drop()
        return server
    }

    private func ramps(_ server: TestServer, to endpoint: Endpoint = TestServer.local) -> [OSCMessage] {
        server.messages(to: endpoint).filter { $0.address.hasPrefix("ramp/") }
    }

    @Test("ramp/done is sent to subscribers of layers only, with the address by layer number and in the unit, whichever twin was set")
    func done() {
        let server = subscribed()
        server.send("layer/selected/beat/norm", .float(0.2), .float(1))
        server.send("layer/2/gain", .float(-30))
        server.advance(seconds: 0.9)
        #expect(ramps(server).isEmpty)
        server.advance(seconds: 0.2)
        #expect(ramps(server) == [OSCMessage("ramp/done", [.string("/binaural/layer/1/beat")])])
        #expect(ramps(server, to: TestServer.other).isEmpty)
        server.send("master/gain", .float(-3), .float(0.5))
        server.advance(seconds: 1)
        #expect(ramps(server) == [OSCMessage("ramp/done", [.string("/binaural/master/gain")])])
        server.advance(seconds: 5)
        #expect(ramps(server).isEmpty)
    }

    @Test("a bundle with ramp/id is reported as finished once, wherever the id is in it")
    func finished() {
        let server = subscribed()
        server.receive(
            .bundle(
                OSCBundle(messages: [
                    OSCMessage("/binaural/layer/1/beat", [.float(4), .float(1)]),
                    OSCMessage("/binaural/layer/*/gain", [.float(-30), .float(0.5)]),
                    OSCMessage("/binaural/ramp/id", [.int32(42)]), OSCMessage("/binaural/layer/1/pan", [.float(1)]),
                ])))
        server.advance(seconds: 0.8)
        #expect(ramps(server).count == 11)
        server.advance(seconds: 0.3)
        #expect(
            ramps(server) == [OSCMessage("ramp/done", [.string("/binaural/layer/1/beat")]), OSCMessage("ramp/finished", [.int32(42)])])
        server.receive(.bundle(OSCBundle(messages: [OSCMessage("/binaural/layer/1/beat", [.float(5), .float(0.5)])])))
        server.advance(seconds: 1)
        #expect(ramps(server).map(\.address) == ["ramp/done"])
    }

    @Test("a bundle with ramp/id that starts no ramp is reported as finished with its changes, also if it requests nothing")
    func finishedAtOnce() {
        let server = subscribed()
        func send(_ messages: OSCMessage...) {
            server.drop()
            server.receive(.bundle(OSCBundle(messages: [OSCMessage("/binaural/ramp/id", [.int32(7)])] + messages)))
        }
        send(OSCMessage("/binaural/layer/1/pan", [.float(0.25)]), OSCMessage("/binaural/layer/1/mute", [.int32(1)]))
        server.advance(seconds: 0.2)
        let received = server.messages(to: TestServer.local)
        #expect(received.filter { $0.address.hasPrefix("ramp/") } == [OSCMessage("ramp/finished", [.int32(7)])])
        #expect(received.contains { $0.address == "layer/1/mute" })
        #expect(ramps(server, to: TestServer.other).isEmpty)
        server.advance(seconds: 1)
        #expect(ramps(server).isEmpty)
        send()
        server.advance(seconds: 2)
        #expect(ramps(server) == [OSCMessage("ramp/finished", [.int32(7)])])
    }

    @Test("two bundles with one id that end together are reported as finished twice")
    func finishedTogether() {
        let server = subscribed()
        for address in ["layer/1/beat", "layer/2/gain"] {
            server.receive(
                .bundle(
                    OSCBundle(messages: [
                        OSCMessage("/binaural/ramp/id", [.int32(42)]), OSCMessage("/binaural/" + address, [.float(-4), .float(0.5)]),
                    ])))
        }
        server.advance(seconds: 1)
        #expect(ramps(server).filter { $0.address == "ramp/finished" }.count == 2)
    }

    @Test("a later subscriber gets no report of ramps that ended before")
    func later() {
        let server = TestServer()
        server.send("layer/1/beat", .float(4), .float(0.5))
        server.advance(seconds: 0.6)
        server.send("subscribe", .string("layers"))
        server.advance(seconds: 1)
        #expect(ramps(server).isEmpty)
    }
}
