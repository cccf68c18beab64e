import Patches
import Playback
import Testing

@Suite struct PresetTests {
    private func set(_ layer: Int, _ parameter: Parameter, _ value: Double) -> Command {
        .set(Setting(layer: layer, parameter: parameter, value: value), ramp: nil)
    }

    private func value(_ player: TestPlayer, _ layer: Int, _ parameter: Parameter) -> Double? {
        player.state.patch?.value(of: parameter, layer: layer, at: player.elapsed, edits: player.state.current?.edits ?? [])
    }

    @Test("a preset stores every parameter as it is now, and loading it moves them all together, as one step")
    func saveAndLoad() {
        var player = TestPlayer([.make("one", chapters: [0, 10])])
        player.send(.play)
        player.send(set(0, .beat, 4))
        player.send(set(1, .gain, -40))
        #expect(player.send(.savePreset("dawn")).status == .success)
        let preset = player.state.presets[0]
        #expect(preset.name == "dawn")
        #expect(preset.reference == "one")
        #expect(preset.values.count == 6 + 3)
        #expect(preset.values.contains(.init(layer: "bed", parameter: "beat", value: 4)))
        player.advance(seconds: 20)
        for (layer, parameter, value) in [(0, Parameter.beat, 8.0), (0, .carrier, 300), (1, .gain, -10)] {
            player.send(set(layer, parameter, value))
        }
        let depth = player.state.history.undoDepth
        _ = player.effects()
        #expect(player.send(.loadPreset("dawn")).status == .success)
        #expect(value(player, 0, .beat) == 4)
        #expect(value(player, 0, .carrier) == 200)
        #expect(value(player, 1, .gain) == -40)
        #expect(player.state.history.undoDepth == depth + 1)
        guard case .sound(.moves(let settings, _))? = player.effects().first else {
            Issue.record("they do not move together")
            return
        }
        #expect(settings.count == 9)
        player.send(.undo)
        #expect(value(player, 0, .beat) == 8)
        #expect(value(player, 0, .carrier) == 300)
        #expect(value(player, 1, .gain) == -10)
        #expect(player.state.playback == .playing)
    }

    @Test("a touched parameter is stored as heard; loading does not change what another peer touches, but what the sender touches")
    func touched() {
        var player = TestPlayer([.make("one", chapters: [0, 10])])
        player.send(.play)
        player.player.sender = "hand"
        player.send(.touch(.parameter(.beat, layer: 0), true))
        player.send(.touch(.parameter(.gain, layer: 1), true))
        player.send(set(0, .beat, 3))
        player.send(.savePreset("held"))
        #expect(player.state.presets[0].values.contains(.init(layer: "bed", parameter: "beat", value: 3)))
        player.send(set(0, .beat, 7))
        player.player.sender = "other"
        player.send(set(0, .carrier, 300))
        #expect(player.send(.loadPreset("held")).status == .success)
        #expect(player.state.value(of: .beat, layer: 0, at: player.now) == 7)
        #expect(player.state.value(of: .carrier, layer: 0, at: player.now) == 200)
        player.player.sender = "hand"
        player.send(.loadPreset("held"))
        #expect(player.state.value(of: .beat, layer: 0, at: player.now) == 3)
        // When released, it is an edit like any set.
        player.send(.touch(.parameter(.beat, layer: 0), false))
        #expect(player.state.current?.edits.contains { $0.setting == Setting(layer: 0, parameter: .beat, value: 3) } == true)
    }

    @Test("saving under an existing name replaces that preset; a removed one is gone")
    func replaceAndRemove() {
        var player = TestPlayer([.make("one")])
        for name in ["a", "b"] { player.send(.savePreset(name)) }
        player.send(set(0, .beat, 3))
        player.send(.savePreset("a"))
        #expect(player.state.presets.map(\.name) == ["a", "b"])
        #expect(player.state.presets[0].values.contains(.init(layer: "bed", parameter: "beat", value: 3)))
        #expect(player.send(.removePreset("a")).status == .success)
        #expect(player.send(.removePreset("a")).status == .noSuchContent)
        #expect(player.send(.loadPreset("a")).status == .noSuchContent)
        #expect(player.state.presets.map(\.name) == ["b"])
    }

    @Test("the matching values of a preset for another patch, or of a newer version, are applied, clamped to their ranges")
    func otherPatch() {
        var player = TestPlayer([.make("one")])
        var state = player.state
        state.presets = [
            Preset(
                name: "x", reference: "other",
                values: [
                    .init(layer: "bed", parameter: "beat", value: 1e9), .init(layer: "bed", parameter: "pulseRate", value: 3),
                    .init(layer: "bed", parameter: "sparkle", value: 3), .init(layer: "gone", parameter: "gain", value: -3),
                ])
        ]
        player.player = Player(state)
        #expect(player.send(.loadPreset("x")).status == .success)
        #expect(player.state.current?.edits.map(\.setting) == [Setting(layer: 0, parameter: .beat, value: 100)])
    }

    @Test("a preset includes the waves")
    func waves() {
        var item = QueueItem.make("one")
        item.patch?.layers.append(Layer(name: "drone", kind: .tone))
        var player = TestPlayer([item])
        player.send(.changeWave(layer: 2, .square))
        player.send(.savePreset("rough"))
        player.send(.changeWave(layer: 2, .sine))
        player.send(.savePreset("smooth"))
        player.send(.loadPreset("rough"))
        #expect(player.state.wave(ofLayer: 2) == .square)
        player.send(.loadPreset("smooth"))
        #expect(player.state.wave(ofLayer: 2) == .sine)
        #expect(player.state.current?.waves.isEmpty == true)
        player.send(.undo)
        #expect(player.state.wave(ofLayer: 2) == .square)
    }

    @Test("without an item, or without its file, there are no values; the number of presets is limited")
    func refusals() {
        var empty = TestPlayer([])
        #expect(empty.send(.savePreset("a")).status == .noSuchContent)
        #expect(empty.send(.loadPreset("a")).status == .noSuchContent)
        #expect(empty.send(.removePreset("a")).status == .noSuchContent)
        var missing = TestPlayer([.missing("gone")])
        #expect(missing.send(.savePreset("a")).status == .noSuchContent)
        var player = TestPlayer([.make("one")])
        for number in 0..<Preset.limit { #expect(player.send(.savePreset("\(number)")).status == .success) }
        #expect(player.send(.savePreset("one more")).status == .queueFull)
        #expect(player.send(.savePreset("0")).status == .success)
    }

    @Test("presets of many layers are limited by the number of their values, so that the session can still be saved")
    func values() {
        let patch = Patch(duration: 60, layers: (0..<64).map { Layer(name: "layer \($0)", kind: .binaural) })
        var player = TestPlayer([QueueItem(reference: "many", patch: patch)])
        let each = (player.send(.savePreset("0")).status, player.state.presets[0].values.count + player.state.presets[0].waves.count)
        #expect(each.0 == .success)
        var count = 1
        while player.send(.savePreset("\(count)")).status == .success { count += 1 }
        #expect(count == Preset.valueLimit / each.1)
        #expect(player.send(.savePreset("one more")).status == .queueFull)
        // One of the same name is replaced.
        #expect(player.send(.savePreset("0")).status == .success)
    }

    @Test("an item to be added is requested, until the queue is full")
    func add() {
        var player = TestPlayer([.make("one")])
        #expect(player.send(.addItem("rain")).status == .success)
        #expect(player.effects() == [.request(.addItem("rain"))])
        player.player.add(.make("rain"))
        #expect(player.state.items.map(\.reference) == ["one", "rain"])
        #expect(player.effects() == [.sound(.upcoming)])
        #expect(player.send(.addItem("rain", .next)).status == .success)
        #expect(player.effects() == [.request(.addItem("rain", .next))])
        var full = player.state
        full.items = Array(repeating: full.items[0], count: 4096)
        player.player = Player(full)
        #expect(player.send(.addItem("rain")).status == .queueFull)
        #expect(player.send(.addFile("/rain.yaml", .next)).status == .queueFull)
        // It may be in the queue already.
        #expect(player.send(.openItem("rain")).status == .success)
    }
}
