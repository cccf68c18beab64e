import OSC
import Playback
import Testing

/// Reports of ramps to subscribers.
@Suite struct RampReportTests {
    private func subscribed() -> TestServer {
        let rig = TestServer()
        rig.send("subscribe", .string("layers"))
        rig.send("subscribe", .string("mixer"), from: TestServer.other)
        rig.advance(seconds: 1)
        rig.drop()
        return rig
    }

    private func ramps(_ rig: TestServer, to endpoint: Endpoint = TestServer.local) -> [OSCMessage] {
        rig.messages(to: endpoint).filter { $0.address.hasPrefix("ramp/") }
    }

    @Test("ramp/done is sent to subscribers of layers only, with the address by layer number and in the unit, whichever twin was set")
    func done() {
        let rig = subscribed()
        rig.send("layer/selected/beat/norm", .float(0.2), .float(1))
        rig.send("layer/2/gain", .float(-30))
        rig.advance(seconds: 0.9)
        #expect(ramps(rig).isEmpty)
        rig.advance(seconds: 0.2)
        #expect(ramps(rig) == [OSCMessage("ramp/done", [.string("/binaural/layer/1/beat")])])
        #expect(ramps(rig, to: TestServer.other).isEmpty)
        rig.send("master/gain", .float(-3), .float(0.5))
        rig.advance(seconds: 1)
        #expect(ramps(rig) == [OSCMessage("ramp/done", [.string("/binaural/master/gain")])])
        rig.advance(seconds: 5)
        #expect(ramps(rig).isEmpty)
    }

    @Test("a bundle with ramp/id is reported as finished once, wherever the id is in it")
    func finished() {
        let rig = subscribed()
        rig.receive(
            .bundle(
                OSCBundle(messages: [
                    OSCMessage("/binaural/layer/1/beat", [.float(4), .float(1)]),
                    OSCMessage("/binaural/layer/*/gain", [.float(-30), .float(0.5)]),
                    OSCMessage("/binaural/ramp/id", [.int32(42)]), OSCMessage("/binaural/layer/1/pan", [.float(1)]),
                ])))
        rig.advance(seconds: 0.8)
        #expect(ramps(rig).count == 11)
        rig.advance(seconds: 0.3)
        #expect(
            ramps(rig) == [OSCMessage("ramp/done", [.string("/binaural/layer/1/beat")]), OSCMessage("ramp/finished", [.int32(42)])])
        rig.receive(.bundle(OSCBundle(messages: [OSCMessage("/binaural/layer/1/beat", [.float(5), .float(0.5)])])))
        rig.advance(seconds: 1)
        #expect(ramps(rig).map(\.address) == ["ramp/done"])
    }

    @Test("a bundle with ramp/id that starts no ramp is reported as finished with its changes, also if it requests nothing")
    func finishedAtOnce() {
        let rig = subscribed()
        func send(_ messages: OSCMessage...) {
            rig.drop()
            rig.receive(.bundle(OSCBundle(messages: [OSCMessage("/binaural/ramp/id", [.int32(7)])] + messages)))
        }
        send(OSCMessage("/binaural/layer/1/pan", [.float(0.25)]), OSCMessage("/binaural/layer/1/mute", [.int32(1)]))
        rig.advance(seconds: 0.2)
        let received = rig.messages(to: TestServer.local)
        #expect(received.filter { $0.address.hasPrefix("ramp/") } == [OSCMessage("ramp/finished", [.int32(7)])])
        #expect(received.contains { $0.address == "layer/1/mute" })
        #expect(ramps(rig, to: TestServer.other).isEmpty)
        rig.advance(seconds: 1)
        #expect(ramps(rig).isEmpty)
        send()
        rig.advance(seconds: 2)
        #expect(ramps(rig) == [OSCMessage("ramp/finished", [.int32(7)])])
    }

    @Test("two bundles with one id that end together are reported as finished twice")
    func finishedTogether() {
        let rig = subscribed()
        for address in ["layer/1/beat", "layer/2/gain"] {
            rig.receive(
                .bundle(
                    OSCBundle(messages: [
                        OSCMessage("/binaural/ramp/id", [.int32(42)]), OSCMessage("/binaural/" + address, [.float(-4), .float(0.5)]),
                    ])))
        }
        rig.advance(seconds: 1)
        #expect(ramps(rig).filter { $0.address == "ramp/finished" }.count == 2)
    }

    @Test("a later subscriber gets no report of ramps that ended before")
    func later() {
        let rig = TestServer()
        rig.send("layer/1/beat", .float(4), .float(0.5))
        rig.advance(seconds: 0.6)
        rig.send("subscribe", .string("layers"))
        rig.advance(seconds: 1)
        #expect(ramps(rig).isEmpty)
    }
}
