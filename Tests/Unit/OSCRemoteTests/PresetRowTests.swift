import OSC
import OSCRemote
import Playback
import Testing

@Suite("Presets and adding to the queue, over OSC")
struct PresetRowTests {
    @Test(
        "an invalid name is 400, also a path",
        arguments: ["", "a/b", "../x", ".hidden", "/etc/passwd", "a\nb", String(repeating: "a", count: 201)])
    func names(_ name: String) {
        let rig = TestServer()
        for address in ["preset/save", "queue/add"] {
            rig.send(address, .string(name))
            #expect(rig.messages().map { $0.arguments.dropFirst().first } == [.int32(400)], "\(address)")
        }
        rig.send("queue/add", .int32(1))
        #expect(rig.messages()[0].arguments[1] == .int32(400))
        #expect(rig.receiver.performed.isEmpty)
        #expect(rig.receiver.player.state.presets.isEmpty)
    }

    @Test("a missing preset or patch is 100, by name and by number")
    func missing() {
        let rig = TestServer()
        rig.send("preset/save", .string("dawn"))
        for argument in [OSCArgument.string("dusk"), .int32(2), .int32(0), .int32(-1), .string("")] {
            for address in ["preset/load", "preset/remove"] {
                rig.send(address, argument)
                #expect(rig.messages().map { $0.arguments[1] } == [.int32(100)], "\(address) \(argument)")
            }
        }
        #expect(rig.receiver.player.state.presets.count == 1)
    }

    @Test("loading a preset sends the new values to subscribers")
    func feedback() {
        let rig = TestServer()
        rig.send("preset/save", .string("dawn"))
        rig.send("layer/1/beat", .float(3))
        rig.send("subscribe", .string("layers"))
        rig.advance(seconds: 1)
        rig.drop()
        rig.send("preset/load", .string("dawn"))
        rig.advance(seconds: 0.2)
        #expect(rig.messages().contains(OSCMessage("layer/1/beat", [.float(10)])))
    }
}
