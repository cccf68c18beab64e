import PatchFiles
import Patches
import Playback
import Testing

@Suite("Tempo")
struct TempoTests {
    private func rig() throws -> TestPlayer {
        let patch = try Patch.parse(
            "layers:\n  - {name: a, binaural: {carrier: 200, beat: 3/8}}\n  - {name: b, isochronic: {carrier: 200, pulseRate: 1/16}}\n",
            file: "x")
        return TestPlayer([QueueItem(reference: "x", patch: patch), .make("free")])
    }

    @Test(
        "A note length is a frequency at a tempo; an invalid one is a fault at its place",
        arguments: [("1/4", 2.0), ("1/8", 4), ("3/8", 4.0 / 3), ("2/1", 0.25)])
    func lengths(text: String, frequency: Double) throws {
        #expect(NoteLength(text)?.frequency(atTempo: 120) == frequency)
        #expect(NoteLength(text)?.text == text)
        let patch = try Patch.parse("layers:\n  - {name: a, binaural: {beat: \(text)}}\n", file: "x")
        #expect(patch.layers[0].values[.beat] == frequency)
        #expect(patch.layers[0].notes[.beat] == NoteLength(text))
        #expect(try Patch.parse(patch.yaml, file: "x") == patch)
    }

    @Test("An invalid note length is refused", arguments: ["1/0", "0/4", "1/65", "1/4/4", "/4", "1/", "-1/4", "1 /4", "a/b", "001/4"])
    func noLengths(text: String) {
        #expect(NoteLength(text) == nil)
        #expect(throws: (any Error).self) { try Patch.parse("layers:\n  - {name: a, binaural: {beat: \(text)}}\n", file: "x") }
        // A level is not a length.
        #expect(throws: (any Error).self) { try Patch.parse("layers:\n  - {name: a, binaural: {carrier: 1/4}}\n", file: "x") }
    }

    @Test("A preset leaves a parameter that follows the tempo where the tempo has it, in value, sound and edits")
    func presets() throws {
        var rig = try rig()
        rig.send(.set(Setting(layer: 0, parameter: .beat, value: 10), ramp: nil))
        rig.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil))
        rig.send(.savePreset("before"))
        rig.send(.reset(layer: 0))
        rig.player.follow(tempo: 90)
        _ = rig.effects()
        #expect(rig.send(.loadPreset("before")).status == .success)
        #expect(rig.state.value(of: .beat, layer: 0, at: rig.now) == 1)
        #expect(rig.state.value(of: .carrier, layer: 0, at: rig.now) == 300)
        guard case .sound(.moves(let settings)) = rig.effects().first else {
            Issue.record("the values are not moved")
            return
        }
        #expect(!settings.contains { $0.parameter == .beat && $0.layer == 0 || $0.parameter == .pulseRate })
        #expect(!rig.state.items[0].edits.contains { $0.setting.parameter == .beat })
    }

    @Test("The tempo sets what follows it and nothing else; a zero or invalid tempo is ignored; a touch cannot move it")
    func follows() throws {
        var rig = try rig()
        #expect(rig.state.value(of: .beat, layer: 0, at: rig.now) == 4.0 / 3)
        #expect(rig.send(.set(Setting(layer: 0, parameter: .beat, value: 7), ramp: nil)).status == .success, "nobody has said a tempo")
        _ = rig.effects()
        rig.player.follow(tempo: 90)
        #expect(
            rig.effects() == [
                .sound(.course(.beat, layer: 0, seconds: nil)), .sound(.course(.pulseRate, layer: 1, seconds: nil)), .sound(.upcoming),
            ])
        #expect(rig.state.value(of: .beat, layer: 0, at: rig.now) == 1)
        #expect(rig.state.value(of: .pulseRate, layer: 1, at: rig.now) == 6)
        for none in [0, -1, .nan, .infinity, 90] as [Double] { rig.player.follow(tempo: none) }
        #expect(rig.effects() == [])
        #expect(rig.state.tempo == 90)
        #expect(rig.send(.set(Setting(layer: 0, parameter: .beat, value: 7), ramp: nil)).status == .busy)
        #expect(rig.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil)).status == .success)
        #expect(rig.state.items[0].edits.count == 2, "the tempo is not an edit")
    }
}
