import PatchFiles
import Patches
import Playback
import Testing

@Suite("Parameters that follow a rate of another layer")
struct LockTests {
    private func player() throws -> TestPlayer {
        let patch = try Patch.parse(
            """
            layers:
              - {name: rain, noise: {amRate: bed.beat, spinRate: bed.beat}}
              - {name: bed, binaural: {carrier: 200, beat: 4.5}}
            """, file: "x")
        return TestPlayer([QueueItem(reference: "x", patch: patch)])
    }

    @Test("They have its value, also while it is held; setting, touching or editing them is refused and names it")
    func refusals() throws {
        var player = try player()
        #expect(player.state.value(of: .amRate, layer: 0, at: player.now) == 4.5)
        #expect(player.send(.set(Setting(layer: 1, parameter: .beat, value: -7), ramp: nil)).status == .success)
        #expect(player.state.value(of: .amRate, layer: 0, at: player.now) == 7)
        #expect(player.state.value(of: .spinRate, layer: 0, at: player.now) == -7)
        _ = player.effects()
        let refused = player.send(.set(Setting(layer: 0, parameter: .amRate, value: 3), ramp: nil))
        #expect(refused.status == .busy)
        #expect(refused.message.contains("amRate of layer 1 follows bed.beat"), "\(refused)")
        #expect(player.send(.touch(.parameter(.amRate, layer: 0), true)).status == .busy)
        #expect(player.effects() == [])
        #expect(player.state.items[0].edits.count == 1)
        #expect(player.send(.touch(.parameter(.beat, layer: 1), true)).status == .success)
        #expect(player.send(.set(Setting(layer: 1, parameter: .beat, value: 12), ramp: nil)).status == .success)
        #expect(player.state.value(of: .amRate, layer: 0, at: player.now) == 12)
    }

    @Test("A preset and the saved patch leave them where the rate has them")
    func saving() throws {
        var player = try player()
        player.send(.set(Setting(layer: 1, parameter: .beat, value: 7), ramp: nil))
        player.send(.savePreset("seven"))
        player.send(.set(Setting(layer: 1, parameter: .beat, value: 3), ramp: nil))
        let saved = try #require(player.state.patchAsHeard(at: player.now))
        #expect(saved.yaml.contains("amRate: bed.beat"))
        #expect(saved.value(of: .amRate, layer: 0, at: 0, edits: []) == 3)
        #expect(player.send(.loadPreset("seven")).status == .success)
        #expect(player.state.value(of: .amRate, layer: 0, at: player.now) == 7)
        #expect(!player.state.items[0].edits.contains { [.amRate, .spinRate].contains($0.setting.parameter) })
    }
}
