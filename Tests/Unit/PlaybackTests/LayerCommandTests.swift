import Patches
import Playback
import Testing

@Suite struct LayerCommandTests {
    private func setting(_ layer: Int, _ parameter: Parameter, _ value: Double) -> Command {
        .set(Setting(layer: layer, parameter: parameter, value: value), ramp: nil)
    }

    @Test("a set is kept with the item, clamped, and moves over the default ramp")
    func set() {
        var rig = TestPlayer([.make("one")])
        #expect(rig.send(setting(0, .beat, 400)) == CommandResult(.success, by: "layer/1"))
        #expect(rig.state.current?.edits == [LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: 100), position: 0)])
        #expect(rig.effects() == [.sound(.move(Setting(layer: 0, parameter: .beat, value: 100), ramp: Ramp(seconds: 0.05)))])
    }

    @Test("a missing layer is 404, a parameter that its kind lacks is 501")
    func refusals() {
        var rig = TestPlayer([.make("one")])
        #expect(rig.send(setting(7, .beat, 4)).status == .unknownAddress)
        #expect(rig.send(setting(1, .beat, 4)).status == .notSupported)
        #expect(rig.send(.selectLayer(2)).status == .unknownAddress)
        #expect(rig.state.current?.edits.isEmpty == true)
    }

    @Test("edits of one parameter between the same chapters replace each other")
    func editsReplace() throws {
        var item = QueueItem.make("one", chapters: [0, 30])
        item.patch?.chapters[1].settings = [Setting(layer: 0, parameter: .beat, value: 4)]
        var rig = TestPlayer([item])
        rig.send(.play)
        rig.send(setting(0, .beat, 8))
        rig.advance(seconds: 5)
        rig.send(setting(0, .beat, 9))
        rig.send(.changePosition(to: 40))
        rig.send(setting(0, .beat, 5))
        #expect(rig.state.current?.edits.map(\.setting.value) == [9, 5])
        let patch = try #require(rig.state.patch)
        let edits = try #require(rig.state.current?.edits)
        #expect(patch.value(of: .beat, layer: 0, at: 3, edits: edits) == 9)
        #expect(patch.value(of: .beat, layer: 0, at: 50, edits: edits) == 5)
        #expect(patch.value(of: .beat, layer: 0, at: 50, edits: [edits[0]]) == 4)
    }

    @Test("At any rate of the timeline a chapter's value is reached after its default ramp of real time", arguments: [0.1, 0.5, 1, 2, 10])
    func ratedRamp(rate: Double) throws {
        var item = QueueItem.make("one", chapters: [0, 30])
        item.patch?.chapters[1].settings = [Setting(layer: 0, parameter: .beat, value: 4)]
        var rig = TestPlayer([item])
        rig.send(.play)
        rig.send(.changeRate(to: rate))
        rig.send(.changePosition(to: 30))
        let ramp = try #require(rig.state.patch?.layers[0].kind.description(of: .beat)?.defaultRamp)
        func value() -> Double? { rig.state.value(of: .beat, layer: 0, at: rig.now) }
        rig.advance(seconds: 0.9 * ramp)
        #expect(try #require(value()) != 4)
        rig.advance(seconds: 0.2 * ramp)
        #expect(value() == 4)
    }

    @Test("another wave is crossfaded, undo or reset restores the layer's own, and noise has none")
    func wave() {
        var rig = TestPlayer([.make("one")])
        #expect(rig.state.wave(ofLayer: 0) == .sine)
        #expect(rig.send(.changeWave(layer: 0, .square)).status == .success)
        #expect(rig.state.wave(ofLayer: 0) == .square)
        #expect(rig.state.current?.patchAsHeard?.layers[0].wave == .square)
        #expect(rig.effects() == [.sound(.glide)])
        rig.send(.undo)
        #expect(rig.state.wave(ofLayer: 0) == .sine)
        rig.send(.redo)
        #expect(rig.state.wave(ofLayer: 0) == .square)
        rig.send(.reset(layer: 0))
        #expect(rig.state.current?.waves.isEmpty == true)
        #expect(rig.send(.changeWave(layer: 1, .square)).status == .notSupported)
    }

    @Test("reset drops the edits and mute of its layer only")
    func reset() {
        var rig = TestPlayer([.make("one")])
        rig.send(setting(0, .beat, 8))
        rig.send(setting(1, .gain, -40))
        rig.send(.mute(layer: 0, true))
        _ = rig.effects()
        rig.send(.reset(layer: 0))
        #expect(rig.state.current?.edits.map(\.setting.layer) == [1])
        #expect(rig.state.isAudible(layer: 0))
        #expect(rig.effects() == [.sound(.glide)])
    }

    @Test("a soloed layer is heard alone, unless it is muted")
    func solo() {
        var rig = TestPlayer([.make("one")])
        rig.send(.solo(layer: 1, true))
        #expect(!rig.state.isAudible(layer: 0))
        #expect(rig.state.isAudible(layer: 1))
        rig.send(.mute(layer: 1, true))
        #expect(!rig.state.isAudible(layer: 1))
        rig.send(.solo(layer: 1, false))
        #expect(rig.state.isAudible(layer: 0))
    }
}
