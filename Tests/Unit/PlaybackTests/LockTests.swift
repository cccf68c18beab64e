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

    @Test("During a move through 0 they show what they play, which has no sign")
    func crossing() throws {
        let patch = try Patch.parse(
            """
            layers:
              - {name: rain, noise: {amRate: bed.beat, spinRate: bed.beat}}
              - {name: bed, binaural: {carrier: 200, beat: 4}}
            chapters:
              - {at: 0:00}
              - {at: 0:10, over: 0:20, set: {bed.beat: -4}}
            """, file: "x")
        var player = TestPlayer([QueueItem(reference: "x", patch: patch)])
        player.send(.changePosition(to: 20))
        #expect(player.state.value(of: .beat, layer: 1, at: player.now) == 0)
        #expect(player.state.value(of: .spinRate, layer: 0, at: player.now) == 0)
        #expect(player.state.value(of: .amRate, layer: 0, at: player.now) == 4)
    }

    @Test("Two parameters of a control are both set, or neither if one of them follows a rate")
    func together() throws {
        let patch = try Patch.parse(
            "layers:\n  - {name: a, binaural: {beat: b.beat}, gain: -30}\n  - {name: b, binaural: {beat: 4}}\n", file: "x")
        var player = TestPlayer([QueueItem(reference: "x", patch: patch)])
        let both = [Setting(layer: 0, parameter: .gain, value: 0), Setting(layer: 0, parameter: .beat, value: 9)]
        #expect(player.send(.setTogether(both)).status == .busy)
        #expect(player.state.items[0].edits.isEmpty)
        #expect(player.effects().isEmpty)
    }

    @Test("Where a file that was read again makes a parameter follow a rate, its edit waits, and its touch ends")
    func rereading() throws {
        var player = try player()
        let locked = try #require(player.state.patch)
        let free = try Patch.parse(locked.yaml.replacing("amRate: bed.beat", with: "amRate: 3"), file: "x")
        #expect(player.player.replacePatch(ofItem: 0, with: free, restored: nil, at: player.now) != nil)
        player.send(.set(Setting(layer: 0, parameter: .amRate, value: 6), ramp: nil))
        player.send(.touch(.parameter(.amRate, layer: 0), true))
        let rereading = player.player.replacePatch(ofItem: 0, with: locked, restored: nil, at: player.now)
        #expect(rereading?.keptEdits == 0)
        #expect(rereading?.waitingLayers == ["rain"])
        #expect(player.state.held.isEmpty)
        #expect(player.state.value(of: .amRate, layer: 0, at: player.now) == 4.5)
        // When it no longer does, the edit is there again.
        #expect(player.player.replacePatch(ofItem: 0, with: free, restored: nil, at: player.now)?.keptEdits == 1)
        #expect(player.state.value(of: .amRate, layer: 0, at: player.now) == 6)
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
