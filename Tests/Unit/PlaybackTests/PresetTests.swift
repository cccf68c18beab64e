import Patches
import Playback
import Testing

@Suite struct PresetTests {
    private func set(_ layer: Int, _ parameter: Parameter, _ value: Double) -> Command {
        .set(Setting(layer: layer, parameter: parameter, value: value), ramp: nil)
    }

    private func value(_ rig: TestPlayer, _ layer: Int, _ parameter: Parameter) -> Double? {
        rig.state.patch?.value(of: parameter, layer: layer, at: rig.elapsed, edits: rig.state.current?.edits ?? [])
    }

    @Test("a preset stores every parameter as it is now, and loading it moves them all together, as one step")
    func saveAndLoad() {
        var rig = TestPlayer([.make("one", chapters: [0, 10])])
        rig.send(.play)
        rig.send(set(0, .beat, 4))
        rig.send(set(1, .gain, -40))
        #expect(rig.send(.savePreset("dawn")).status == .success)
        let preset = rig.state.presets[0]
        #expect(preset.name == "dawn")
        #expect(preset.reference == "one")
        #expect(preset.values.count == 6 + 3)
        #expect(preset.values.contains(.init(layer: "bed", parameter: "beat", value: 4)))
        rig.advance(seconds: 20)
        for (layer, parameter, value) in [(0, Parameter.beat, 8.0), (0, .carrier, 300), (1, .gain, -10)] {
            rig.send(set(layer, parameter, value))
        }
        let depth = rig.state.history.undoDepth
        _ = rig.effects()
        #expect(rig.send(.loadPreset("dawn")).status == .success)
        #expect(value(rig, 0, .beat) == 4)
        #expect(value(rig, 0, .carrier) == 200)
        #expect(value(rig, 1, .gain) == -40)
        #expect(rig.state.history.undoDepth == depth + 1)
        guard case .sound(.moves(let settings))? = rig.effects().first else {
            Issue.record("they do not move together")
            return
        }
        #expect(settings.count == 9)
        rig.send(.undo)
        #expect(value(rig, 0, .beat) == 8)
        #expect(value(rig, 0, .carrier) == 300)
        #expect(value(rig, 1, .gain) == -10)
        #expect(rig.state.playback == .playing)
    }

    @Test("a touched parameter is stored as heard; loading does not change what another peer touches, but what the sender touches")
    func touched() {
        var rig = TestPlayer([.make("one", chapters: [0, 10])])
        rig.send(.play)
        rig.player.sender = "hand"
        rig.send(.touch(.parameter(.beat, layer: 0), true))
        rig.send(.touch(.parameter(.gain, layer: 1), true))
        rig.send(set(0, .beat, 3))
        rig.send(.savePreset("held"))
        #expect(rig.state.presets[0].values.contains(.init(layer: "bed", parameter: "beat", value: 3)))
        rig.send(set(0, .beat, 7))
        rig.player.sender = "other"
        rig.send(set(0, .carrier, 300))
        #expect(rig.send(.loadPreset("held")).status == .success)
        #expect(rig.state.value(of: .beat, layer: 0, at: rig.now) == 7)
        #expect(rig.state.value(of: .carrier, layer: 0, at: rig.now) == 200)
        rig.player.sender = "hand"
        rig.send(.loadPreset("held"))
        #expect(rig.state.value(of: .beat, layer: 0, at: rig.now) == 3)
        // When released, it is an edit like any set.
        rig.send(.touch(.parameter(.beat, layer: 0), false))
        #expect(rig.state.current?.edits.contains { $0.setting == Setting(layer: 0, parameter: .beat, value: 3) } == true)
    }

    @Test("saving under an existing name replaces that preset; a removed one is gone")
    func replaceAndRemove() {
        var rig = TestPlayer([.make("one")])
        for name in ["a", "b"] { rig.send(.savePreset(name)) }
        rig.send(set(0, .beat, 3))
        rig.send(.savePreset("a"))
        #expect(rig.state.presets.map(\.name) == ["a", "b"])
        #expect(rig.state.presets[0].values.contains(.init(layer: "bed", parameter: "beat", value: 3)))
        #expect(rig.send(.removePreset("a")).status == .success)
        #expect(rig.send(.removePreset("a")).status == .noSuchContent)
        #expect(rig.send(.loadPreset("a")).status == .noSuchContent)
        #expect(rig.state.presets.map(\.name) == ["b"])
    }

    @Test("the matching values of a preset for another patch, or of a newer version, are applied, clamped to their ranges")
    func otherPatch() {
        var rig = TestPlayer([.make("one")])
        var state = rig.state
        state.presets = [
            Preset(
                name: "x", reference: "other",
                values: [
                    .init(layer: "bed", parameter: "beat", value: 1e9), .init(layer: "bed", parameter: "pulseRate", value: 3),
                    .init(layer: "bed", parameter: "sparkle", value: 3), .init(layer: "gone", parameter: "gain", value: -3),
                ])
        ]
        rig.player = Player(state)
        #expect(rig.send(.loadPreset("x")).status == .success)
        #expect(rig.state.current?.edits.map(\.setting) == [Setting(layer: 0, parameter: .beat, value: 100)])
    }

    @Test("a preset includes the waves")
    func waves() {
        var item = QueueItem.make("one")
        item.patch?.layers.append(Layer(name: "drone", kind: .tone))
        var rig = TestPlayer([item])
        rig.send(.changeWave(layer: 2, .square))
        rig.send(.savePreset("rough"))
        rig.send(.changeWave(layer: 2, .sine))
        rig.send(.savePreset("smooth"))
        rig.send(.loadPreset("rough"))
        #expect(rig.state.wave(ofLayer: 2) == .square)
        rig.send(.loadPreset("smooth"))
        #expect(rig.state.wave(ofLayer: 2) == .sine)
        #expect(rig.state.current?.waves.isEmpty == true)
        rig.send(.undo)
        #expect(rig.state.wave(ofLayer: 2) == .square)
    }

    @Test("without an item, or without its file, there are no values; the number of presets is limited")
    func refusals() {
        var empty = TestPlayer([])
        #expect(empty.send(.savePreset("a")).status == .noSuchContent)
        #expect(empty.send(.loadPreset("a")).status == .noSuchContent)
        #expect(empty.send(.removePreset("a")).status == .noSuchContent)
        var missing = TestPlayer([.missing("gone")])
        #expect(missing.send(.savePreset("a")).status == .noSuchContent)
        var rig = TestPlayer([.make("one")])
        for number in 0..<Preset.limit { #expect(rig.send(.savePreset("\(number)")).status == .success) }
        #expect(rig.send(.savePreset("one more")).status == .queueFull)
        #expect(rig.send(.savePreset("0")).status == .success)
    }

    @Test("presets of many layers are limited by the number of their values, so that the session can still be saved")
    func values() {
        let patch = Patch(duration: 60, layers: (0..<64).map { Layer(name: "layer \($0)", kind: .binaural) })
        var rig = TestPlayer([QueueItem(reference: "many", patch: patch)])
        let each = (rig.send(.savePreset("0")).status, rig.state.presets[0].values.count + rig.state.presets[0].waves.count)
        #expect(each.0 == .success)
        var count = 1
        while rig.send(.savePreset("\(count)")).status == .success { count += 1 }
        #expect(count == Preset.valueLimit / each.1)
        #expect(rig.send(.savePreset("one more")).status == .queueFull)
        // One of the same name is replaced.
        #expect(rig.send(.savePreset("0")).status == .success)
    }

    @Test("an item to be added is requested, until the queue is full")
    func add() {
        var rig = TestPlayer([.make("one")])
        #expect(rig.send(.addItem("rain")).status == .success)
        #expect(rig.effects() == [.request(.addItem("rain"))])
        rig.player.add(.make("rain"))
        #expect(rig.state.items.map(\.reference) == ["one", "rain"])
        #expect(rig.effects() == [.sound(.upcoming)])
        var full = rig.state
        full.items = Array(repeating: full.items[0], count: 4096)
        rig.player = Player(full)
        #expect(rig.send(.addItem("rain")).status == .queueFull)
    }
}
