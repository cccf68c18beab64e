import Patches
import Playback
import Testing

@Suite struct LayerCommandTests {
    private func setting(_ layer: Int, _ parameter: Parameter, _ value: Double) -> Command {
        .set(Setting(layer: layer, parameter: parameter, value: value), ramp: nil)
    }

    @Test("a set is kept with the item, clamped, and moves over the default ramp")
    func set() {
        var player = TestPlayer([.make("one")])
        #expect(player.send(setting(0, .beat, 400)) == CommandResult(.success, by: "layer/1"))
        #expect(player.state.current?.edits == [LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: 100), position: 0)])
        #expect(player.effects() == [.sound(.move(Setting(layer: 0, parameter: .beat, value: 100), ramp: Ramp(seconds: 0.05)))])
    }

    @Test("a missing layer is 404, a parameter that its kind lacks is 501")
    func refusals() {
        var player = TestPlayer([.make("one")])
        #expect(player.send(setting(7, .beat, 4)).status == .unknownAddress)
        #expect(player.send(setting(1, .beat, 4)).status == .notSupported)
        #expect(player.send(.selectLayer(2)).status == .unknownAddress)
        #expect(player.state.current?.edits.isEmpty == true)
    }

    @Test("edits of one parameter between the same chapters replace each other")
    func editsReplace() throws {
        var item = QueueItem.make("one", chapters: [0, 30])
        item.patch?.chapters[1].settings = [Setting(layer: 0, parameter: .beat, value: 4)]
        var player = TestPlayer([item])
        player.send(.play)
        player.send(setting(0, .beat, 8))
        player.advance(seconds: 5)
        player.send(setting(0, .beat, 9))
        player.send(.changePosition(to: 40))
        player.send(setting(0, .beat, 5))
        #expect(player.state.current?.edits.map(\.setting.value) == [9, 5])
        let patch = try #require(player.state.patch)
        let edits = try #require(player.state.current?.edits)
        #expect(patch.value(of: .beat, layer: 0, at: 3, edits: edits) == 9)
        #expect(patch.value(of: .beat, layer: 0, at: 50, edits: edits) == 5)
        #expect(patch.value(of: .beat, layer: 0, at: 50, edits: [edits[0]]) == 4)
    }

    @Test("At any rate of the timeline a chapter's value is reached after its default ramp of real time", arguments: [0.1, 0.5, 1, 2, 10])
    func ratedRamp(rate: Double) throws {
        var item = QueueItem.make("one", chapters: [0, 30])
        item.patch?.chapters[1].settings = [Setting(layer: 0, parameter: .beat, value: 4)]
        var player = TestPlayer([item])
        player.send(.play)
        player.send(.changeRate(to: rate))
        player.send(.changePosition(to: 30))
        let ramp = try #require(player.state.patch?.layers[0].kind.description(of: .beat)?.defaultRamp)
        func value() -> Double? { player.state.value(of: .beat, layer: 0, at: player.now) }
        player.advance(seconds: 0.9 * ramp)
        #expect(try #require(value()) != 4)
        player.advance(seconds: 0.2 * ramp)
        #expect(value() == 4)
    }

    @Test("another wave is crossfaded, undo or reset restores the layer's own, and noise has none")
    func wave() {
        var player = TestPlayer([.make("one")])
        #expect(player.state.wave(ofLayer: 0) == .sine)
        #expect(player.send(.changeWave(layer: 0, .square)).status == .success)
        #expect(player.state.wave(ofLayer: 0) == .square)
        #expect(player.state.current?.patchAsHeard?.layers[0].wave == .square)
        #expect(player.effects() == [.sound(.crossfadeInPlace)])
        player.send(.undo)
        #expect(player.state.wave(ofLayer: 0) == .sine)
        player.send(.redo)
        #expect(player.state.wave(ofLayer: 0) == .square)
        player.send(.reset(layer: 0))
        #expect(player.state.current?.waves.isEmpty == true)
        #expect(player.send(.changeWave(layer: 1, .square)).status == .notSupported)
    }

    @Test("reset drops the edits and mute of its layer only")
    func reset() {
        var player = TestPlayer([.make("one")])
        player.send(setting(0, .beat, 8))
        player.send(setting(1, .gain, -40))
        player.send(.mute(layer: 0, true))
        _ = player.effects()
        player.send(.reset(layer: 0))
        #expect(player.state.current?.edits.map(\.setting.layer) == [1])
        #expect(player.state.isAudible(layer: 0))
        #expect(player.effects() == [.sound(.crossfadeInPlace)])
    }

    @Test("a soloed layer is heard alone, unless it is muted")
    func solo() {
        var player = TestPlayer([.make("one")])
        player.send(.solo(layer: 1, true))
        #expect(!player.state.isAudible(layer: 0))
        #expect(player.state.isAudible(layer: 1))
        player.send(.mute(layer: 1, true))
        #expect(!player.state.isAudible(layer: 1))
        player.send(.solo(layer: 1, false))
        #expect(player.state.isAudible(layer: 0))
    }
}
