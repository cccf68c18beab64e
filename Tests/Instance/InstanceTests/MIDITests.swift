import InstanceSupport
import OSC
import TestSupport
import Testing

/// MIDI at the port `midi_in`.
@Suite("MIDI that is played to an instance")
struct MIDITests {
    private let instance: SteppedInstance
    private let peer: SteppedPeer

    init() throws {
        let home = try InstanceHome()
        try home.write(
            """
            title: Pair
            layers:
              - {name: one, binaural: {carrier: 200, beat: 4}, gain: -26}
              - {name: two, tone: {carrier: 300}, gain: -30}
              - {name: rain, noise: {color: pink}, gain: -40}

            """, to: "pair.yaml")
        try home.write(InstanceHome.tone, to: "tone.yaml")
        instance = try home.start("pair.yaml", "tone.yaml")
        peer = SteppedPeer(instance)
        instance.pass(seconds: 1)
    }

    /// Plays a message, and waits until it has been heard.
    private func play(_ message: UInt8...) {
        instance.device.arrive(message)
        instance.pass(seconds: 0.3)
    }

    private func carrier(_ layer: Int) throws -> Double { (try peer.number("layer/\(layer)/carrier") * 100).rounded() / 100 }

    @Test(
        "Notes set the carrier of the selected layer, with tuning and pitch bend; after a release, the key that is still down sounds again"
    )
    func notes() throws {
        play(0x90, 69, 100)
        try #expect(carrier(1) == 440)
        play(0x93, 60, 1)
        try #expect(carrier(1) == 261.63)
        // A note-on with velocity 0 ends the note.
        play(0x93, 60, 0)
        try #expect(carrier(1) == 440)
        play(0xE0, 0x7F, 0x7F)
        try #expect(carrier(1) == 493.88)
        play(0xE0, 0, 0)
        try #expect(carrier(1) == 392)
        play(0xE0, 0, 0x40)
        #expect(try peer.perform("tuning/a4", .float(432)) == 0)
        #expect(try peer.perform("layer/select", .int32(2)) == 0)
        play(0x90, 81, 100)
        try #expect(carrier(2) == 864)
        // It is an edit like any other: the first layer's notes, a hand's doing less than half a second apart, and the second's.
        #expect(try peer.perform("undo") == 0)
        instance.pass(seconds: 0.3)
        try #expect(carrier(2) == 300)
        // Noise has no carrier, and the wheel bends nothing that was not played.
        #expect(try peer.perform("layer/select", .int32(3)) == 0)
        play(0x90, 50, 100)
        play(0xE0, 0, 0)
        play(0xC0, 0)
        try #expect(carrier(2) == 300)
    }

    @Test("Program changes select items; start, stop, continue and MMC play, pause, stop and locate")
    func transport() throws {
        play(0xC5, 1)
        try #expect(peer.text("now/title") == "Tone")
        // There is no such item, so nothing happens.
        play(0xC0, 99)
        try #expect(peer.text("now/title") == "Tone")
        play(0xFC)
        try #expect(peer.text("now/state") == "paused")
        for (bytes, state) in [
            ([0xFB], "playing"), ([0xF0, 0x7F, 0x7F, 0x06, 0x01, 0xF7], "stopped"), ([0xFA], "playing"),
            ([0xF0, 0x7F, 0x00, 0x06, 0x09, 0xF7], "paused"), ([0xF0, 0x7F, 0x7F, 0x06, 0x02, 0xF7], "playing"),
        ] as [([UInt8], String)] {
            instance.device.arrive(bytes)
            instance.pass(seconds: 0.3)
            try #expect(peer.text("now/state") == state, "\(bytes)")
        }
        play(0xFC)
        // 25 frames a second: 0:00:12 and 5 frames.
        instance.device.arrive([0xF0, 0x7F, 0x7F, 0x06, 0x44, 0x06, 0x01, 0x20, 0, 12, 5, 0, 0xF7])
        instance.pass(seconds: 0.3)
        try #expect(peer.value("now/frame") == [.int64(585_600)])
    }

    @Test("A mapped or learnt controller moves its address, with undo, feedback and touches like an OSC packet")
    func controllers() throws {
        peer.send("subscribe", .string("layers"))
        #expect(try peer.perform("midi/map", .int32(21), .string("layer/1/beat")) == 0)
        #expect(try peer.perform("midi/map", .int32(1), .string("no/such/address")) == 404)
        play(0xB4, 21, 127)
        #expect(peer.heard.last { $0.address == "layer/1/beat" }?.arguments.first == .float(40))
        #expect(try peer.perform("undo") == 0)
        try #expect(peer.number("layer/1/beat") == 4)
        #expect(try peer.perform("midi/learn", .string("layer/2/gain")) == 0)
        play(0xB0, 74, 1)
        play(0xB0, 74, 127)
        #expect(peer.heard.last { $0.address == "layer/2/gain" }?.arguments.first == .float(0))
        try #expect(peer.text("midi/learn") == "")
        let items = try peer.list("midi/list", until: "midi/end").filter { $0.address == "midi/item" }
        #expect(items.last?.arguments == [.int32(2), .string("layer/2/gain"), .int32(74), .int32(1)], "\(items)")
        // On another channel it is another controller.
        play(0xB1, 74, 64)
        try #expect(peer.number("layer/2/gain") == 0)
        // The first one is touched.
        #expect(try peer.perform("touch/layer/1/beat", .int32(1)) == 0)
        play(0xB4, 21, 0)
        play(0xB0, 74, 0)
        try #expect(peer.number("layer/2/gain") == -120)
        try #expect(peer.number("layer/1/beat") == 4)
    }
}
