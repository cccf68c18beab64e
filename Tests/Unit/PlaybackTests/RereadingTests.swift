import Patches
import Playback
import Testing

@Suite("A patch that is saved again while it is in the queue")
struct RereadingTests {
    private static func set(_ layer: Int, _ parameter: Parameter, _ value: Double) -> Command {
        .set(Setting(layer: layer, parameter: parameter, value: value), ramp: nil)
    }

    private static func patch(_ names: [String], duration: Double? = 60) -> Patch {
        Patch(duration: duration, layers: names.map { Layer(name: $0, kind: .binaural) })
    }

    /// A player that has played two layers, `a` and `b`, for ten seconds.
    private func player(_ commands: Command...) -> TestPlayer {
        var player = TestPlayer([QueueItem(reference: "/one.yaml", patch: Self.patch(["a", "b"])), .make("two")])
        player.send(.play)
        for command in commands {
            player.send(command)
            player.advance(seconds: 1)
        }
        player.advance(seconds: 10 - Double(commands.count))
        _ = player.effects()
        return player
    }

    @Test("continues at the same position, crossfaded once")
    func position() {
        var player = player()
        #expect(player.player.replacePatch(ofItem: 0, with: Self.patch(["a"]), restored: nil, at: player.now) == Rereading())
        #expect(player.elapsed == 10)
        #expect(player.state.playback == .playing)
        #expect(player.state.layerCount == 1)
        #expect(player.effects() == [.sound(.crossfadeInPlace)])
    }

    @Test("that has not changed is left alone")
    func same() {
        var player = player()
        #expect(player.player.replacePatch(ofItem: 0, with: Self.patch(["a", "b"]), restored: nil, at: player.now) == nil)
        #expect(player.effects().isEmpty)
    }

    @Test("that has not changed is left alone, also when its notes follow a tuning of the session")
    func tuned() {
        var layer = Layer(name: "a", kind: .binaural)
        layer.note = Note(rawValue: 69)
        let patch = Patch(duration: 60, layers: [layer])
        var player = TestPlayer([QueueItem(reference: "/one.yaml", patch: patch)])
        player.send(.tune(a4: 432))
        player.send(.play)
        #expect(player.state.patch != patch)
        #expect(player.player.replacePatch(ofItem: 0, with: patch, restored: nil, at: player.now) == nil)
    }

    @Test("starts again if it is now shorter than the position, playing or paused")
    func shorter() {
        for pauses in [false, true] {
            var player = player()
            if pauses { player.send(.pause) }
            _ = player.effects()
            let rereading = player.player.replacePatch(
                ofItem: 0, with: Self.patch(["a", "b"], duration: 10), restored: nil, at: player.now)
            #expect(rereading?.startsAgain == true)
            #expect(player.elapsed == 0)
            #expect(player.state.playback == (pauses ? .paused : .playing))
            #expect(player.effects().contains(.sound(.start(position: 0))) == !pauses)
        }
    }

    @Test("stays where a followed transport is, beyond its end too")
    func follows() {
        var player = player(.changeTransportMode(to: .follow))
        player.player.follow(isRolling: true, frame: 480_000, at: player.now)
        _ = player.effects()
        let rereading = player.player.replacePatch(ofItem: 0, with: Self.patch(["a", "b"], duration: 5), restored: nil, at: player.now)
        #expect(rereading?.startsAgain == false)
        #expect(player.state.playback == .playing)
        #expect(player.state.anchor.position == 480_000)
    }

    @Test("that follows the time of day stays at it when its first time has changed")
    func clock() {
        var old = Self.patch(["a"], duration: 3600)
        old.clock = 79_200
        var player = TestPlayer([QueueItem(reference: "/one.sbg", patch: old)])
        player.send(.play)
        player.send(.changePosition(to: 100))
        var new = old
        new.clock = 79_140
        _ = player.player.replacePatch(ofItem: 0, with: new, restored: nil, at: player.now)
        #expect(player.elapsed == 160)
    }

    @Test("keeps what was set by hand on the layers of the same names, wherever they are now")
    func edits() {
        var player = player(
            Self.set(0, .beat, 7), Self.set(1, .gain, -40), .mute(layer: 1, true), .changeWave(layer: 1, .square), .solo(layer: 1, true),
            .selectLayer(1))
        let rereading = player.player.replacePatch(ofItem: 0, with: Self.patch(["b", "c"]), restored: nil, at: player.now)
        #expect(rereading == Rereading(startsAgain: false, keptEdits: 1, waitingLayers: ["a"]))
        let item = player.state.items[0]
        #expect(item.edits.map(\.setting) == [Setting(layer: 0, parameter: .gain, value: -40)])
        #expect(item.mutedLayers == [0])
        #expect(item.waves == [0: .square])
        #expect(player.state.soloedLayers == [0])
        #expect(player.state.selectedLayer == 0)
    }

    @Test("keeps what was set by hand on a layer that is gone, and applies it when the layer is back")
    func halfSaved() {
        var player = player(Self.set(0, .beat, 7), .mute(layer: 1, true), .changeWave(layer: 1, .square), Self.set(1, .gain, -40))
        let before = player.state.items[0]
        for names in [["a"], ["a", "bb"], ["a"]] {
            _ = player.player.replacePatch(ofItem: 0, with: Self.patch(names), restored: nil, at: player.now)
            let item = player.state.items[0]
            #expect(item.edits.map(\.setting.parameter) == [.beat])
            #expect(item.mutedLayers.isEmpty)
            #expect(item.waves.isEmpty)
            #expect(item.namedChanges == before.namedChanges, "what is saved in the session")
        }
        let rereading = player.player.replacePatch(ofItem: 0, with: Self.patch(["b", "a"]), restored: nil, at: player.now)
        #expect(rereading == Rereading(keptEdits: 2))
        let item = player.state.items[0]
        #expect(item.mutedLayers == [0])
        #expect(item.waves == [0: .square])
        #expect(
            player.state.value(of: .gain, layer: 0, at: player.now) == -40 && player.state.value(of: .beat, layer: 1, at: player.now) == 7)
    }

    @Test("keeps no changes to missing layers of an item that was reset")
    func reset() {
        var player = player(Self.set(1, .gain, -40))
        _ = player.player.replacePatch(ofItem: 0, with: Self.patch(["a"]), restored: nil, at: player.now)
        player.send(.resetItem(0))
        _ = player.player.replacePatch(ofItem: 0, with: Self.patch(["a", "b"]), restored: nil, at: player.now)
        #expect(player.state.items[0].edits.isEmpty)
    }

    @Test("keeps the steps of undo for those layers, and undo goes back to what the patch says now")
    func undo() {
        var player = player(Self.set(0, .beat, 7), Self.set(1, .beat, 8))
        var new = Self.patch(["b"])
        new.layers[0].values[.beat] = 3
        _ = player.player.replacePatch(ofItem: 0, with: new, restored: nil, at: player.now)
        #expect(player.state.history.undoDepth == 1)
        #expect(player.state.value(of: .beat, layer: 0, at: player.now) == 8)
        player.send(.undo)
        #expect(player.state.value(of: .beat, layer: 0, at: player.now) == 3)
        player.send(.redo)
        #expect(player.state.value(of: .beat, layer: 0, at: player.now) == 8)
    }

    @Test("a touch continues at the same address; any other ends and keeps its value")
    func touches() {
        var player = player(.touch(.parameter(.beat, layer: 0), true), .touch(.parameter(.beat, layer: 1), true), Self.set(1, .beat, 5))
        _ = player.player.replacePatch(ofItem: 0, with: Self.patch(["a", "x", "b"]), restored: nil, at: player.now)
        #expect(Set(player.state.held.keys) == [.parameter(.beat, layer: 0)])
        #expect(player.state.value(of: .beat, layer: 2, at: player.now) == 5)
    }

    @Test("that is not current is used at its next start, without a sound")
    func other() {
        var player = player()
        _ = player.player.replacePatch(ofItem: 1, with: Self.patch(["new"]), restored: nil, at: player.now)
        #expect(player.effects() == [.sound(.upcoming)])
        player.send(.nextItem)
        #expect(player.state.patch?.layers.map(\.name) == ["new"])
    }

    @Test("that could not be read before gets the edits that the session has for it")
    func missing() {
        var player = TestPlayer([.missing("one")])
        var restored = QueueItem(reference: "one", patch: Self.patch(["a"]))
        restored.edits = [LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: 3), position: 0)]
        restored.mutedLayers = [0]
        _ = player.player.replacePatch(ofItem: 0, with: Self.patch(["a"]), restored: restored, at: player.now)
        #expect(player.state.items[0].edits == restored.edits)
        #expect(player.state.items[0].mutedLayers == [0])
        #expect(player.state.items[0].problem.isEmpty)
        player.send(.play)
        #expect(player.state.playback == .playing)
    }

    @Test("keeps its ramps from being reported for other layers: they end without a report")
    func ramps() {
        var player = player(.set(Setting(layer: 0, parameter: .beat, value: 4), ramp: Ramp(seconds: 60)))
        let number = player.state.ramps.lastNumber
        _ = player.player.replacePatch(ofItem: 0, with: Self.patch(["b", "a"]), restored: nil, at: player.now)
        player.advance(seconds: 100)
        player.player.tick(at: player.now)
        #expect(player.state.ramps.reports(since: number).isEmpty)
    }

    @Test("an item that is not there is ignored")
    func nowhere() {
        var player = player()
        #expect(player.player.replacePatch(ofItem: 5, with: Self.patch(["a"]), restored: nil, at: player.now) == nil)
    }
}
