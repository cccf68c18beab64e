import PatchFiles
import Patches
import Playback
import Testing

@Suite("Tempo")
struct TempoTests {
    private func player() throws -> TestPlayer {
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
        var player = try player()
        player.send(.set(Setting(layer: 0, parameter: .beat, value: 10), ramp: nil))
        player.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil))
        player.send(.savePreset("before"))
        player.send(.reset(layer: 0))
        player.player.follow(tempo: 90)
        _ = player.effects()
        #expect(player.send(.loadPreset("before")).status == .success)
        #expect(player.state.value(of: .beat, layer: 0, at: player.now) == 1)
        #expect(player.state.value(of: .carrier, layer: 0, at: player.now) == 300)
        guard case .sound(.moves(let settings, _)) = player.effects().first else {
            Issue.record("the values are not moved")
            return
        }
        #expect(!settings.contains { $0.parameter == .beat && $0.layer == 0 || $0.parameter == .pulseRate })
        #expect(!player.state.items[0].edits.contains { $0.setting.parameter == .beat })
    }

    @Test("The tempo sets what follows it and nothing else; a zero or invalid tempo is ignored; a touch cannot move it")
    func follows() throws {
        var player = try player()
        #expect(player.state.value(of: .beat, layer: 0, at: player.now) == 4.0 / 3)
        #expect(player.send(.set(Setting(layer: 0, parameter: .beat, value: 7), ramp: nil)).status == .success, "nobody has said a tempo")
        _ = player.effects()
        player.player.follow(tempo: 90)
        #expect(
            player.effects() == [
                .sound(.course(.beat, layer: 0, seconds: nil)), .sound(.course(.pulseRate, layer: 1, seconds: nil)), .sound(.upcoming),
            ])
        #expect(player.state.value(of: .beat, layer: 0, at: player.now) == 1)
        #expect(player.state.value(of: .pulseRate, layer: 1, at: player.now) == 6)
        for none in [0, -1, .nan, .infinity, 90] as [Double] { player.player.follow(tempo: none) }
        #expect(player.effects() == [])
        #expect(player.state.tempo == 90)
        #expect(player.send(.set(Setting(layer: 0, parameter: .beat, value: 7), ramp: nil)).status == .busy)
        #expect(player.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil)).status == .success)
        #expect(player.state.items[0].edits.count == 2, "the tempo is not an edit")
    }
}
