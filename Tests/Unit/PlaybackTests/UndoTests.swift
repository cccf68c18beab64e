import Patches
import Playback
import Testing

@Suite struct UndoTests {
    private func beat(_ value: Double) -> Command { .set(Setting(layer: 0, parameter: .beat, value: value), ramp: nil) }

    @Test("undo and redo go through the edits and never change the play state")
    func steps() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        for value in [8.0, 9, 10] {
            player.send(beat(value))
            player.advance(seconds: 1)
        }
        _ = player.effects()
        #expect(player.state.history.undoDepth == 3)
        player.send(.undo)
        #expect(player.effects() == [.sound(.crossfadeInPlace), .request(.notice("Undone: layer/bed/beat 9 Hz."))])
        #expect(player.state.current?.edits.map(\.setting.value) == [9])
        player.send(.undo)
        player.send(.undo)
        #expect(player.state.current?.edits.isEmpty == true)
        #expect(!player.isEnabled(.undo))
        #expect(player.send(.undo).status == .disabled)
        player.send(.redo)
        #expect(player.state.current?.edits.map(\.setting.value) == [8])
        #expect(player.state.playback == .playing)
        #expect(player.elapsed == 3)
        player.send(beat(5))
        #expect(!player.isEnabled(.redo))
    }

    @Test("sets of one parameter by one sender less than 500 ms apart are one step")
    func fader() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.player.sender = "one"
        for value in 1...20 {
            player.send(beat(Double(value)))
            player.advance(seconds: 0.02)
        }
        #expect(player.state.history.undoDepth == 1)
        player.player.sender = "two"
        player.send(beat(3))
        #expect(player.state.history.undoDepth == 2)
        player.advance(seconds: 0.6)
        player.send(beat(4))
        #expect(player.state.history.undoDepth == 3)
        player.send(.undo)
        player.send(.undo)
        player.send(.undo)
        #expect(player.state.current?.edits.isEmpty == true)
    }

    @Test("steps that change many values are kept up to a number of values")
    func changes() {
        let patch = Patch(duration: 60, layers: (0..<64).map { Layer(name: "layer \($0)", kind: .tone) })
        var player = TestPlayer([QueueItem(reference: "many", patch: patch)])
        player.send(.play)
        player.send(.savePreset("a"))
        for _ in 1...400 {
            player.send(.loadPreset("a"))
            player.advance(seconds: 0.1)
        }
        // Each step changes some 260 values.
        #expect((50..<70).contains(player.state.history.undoDepth))
    }

    @Test("setting the current value again while it plays is not a step")
    func again() {
        var player = TestPlayer([.make("one")])
        player.send(beat(8))
        player.send(.play)
        for _ in 0..<4 {
            player.advance(seconds: 0.7)
            player.send(beat(8))
        }
        #expect(player.state.history.undoDepth == 1)
        #expect(player.state.current?.edits.count == 1)
        player.send(.undo)
        #expect(player.state.current?.edits.isEmpty == true)
    }

    @Test("mute and reset are steps too")
    func others() {
        var player = TestPlayer([.make("one")])
        player.send(beat(8))
        player.send(.mute(layer: 1, true))
        player.send(.reset(layer: 0))
        #expect(player.state.history.undoDepth == 3)
        player.send(.undo)
        #expect(player.state.current?.edits.count == 1)
        player.send(.undo)
        #expect(player.state.isAudible(layer: 1))
    }

    private func set(_ parameter: Parameter, _ value: Double) -> Command {
        .set(Setting(layer: 0, parameter: parameter, value: value), ramp: nil)
    }

    private func value(_ player: TestPlayer, _ parameter: Parameter) -> Double? {
        player.state.value(of: parameter, layer: 0, at: player.now)
    }

    /// The set values of each item.
    private func edits(_ player: TestPlayer) -> [[Double]] { player.state.items.map { $0.edits.map(\.setting.value) } }

    @Test("two faders that move at once are a step each, and undo reverts one without the other")
    func twoFaders() {
        var player = TestPlayer([.make("one")])
        for step in 1...10 {
            player.send(set(.beat, Double(step)))
            player.send(set(.carrier, 100 + Double(step)))
            player.advance(seconds: 0.02)
        }
        #expect(player.state.history.undoDepth == 2)
        player.send(.undo)
        #expect(value(player, .beat) == 10)
        #expect(value(player, .carrier) == 200)
        player.send(.undo)
        #expect(player.state.current?.edits.isEmpty == true)
        player.send(.redo)
        player.send(.redo)
        #expect(value(player, .beat) == 10)
        #expect(value(player, .carrier) == 110)
    }

    @Test("undoing a fader's move keeps other changes made during it")
    func between() {
        var player = TestPlayer([.make("one")])
        player.send(set(.beat, 8))
        player.send(.mute(layer: 1, true))
        player.send(set(.beat, 9))
        #expect(player.state.history.undoDepth == 2)
        player.send(.undo)
        #expect(value(player, .beat) == 10)
        #expect(!player.state.isAudible(layer: 1))
        player.send(.undo)
        #expect(player.state.isAudible(layer: 1))
        player.send(.redo)
        player.send(.redo)
        #expect(value(player, .beat) == 9)
        #expect(!player.state.isAudible(layer: 1))
    }

    @Test("two peers on one parameter have a step each; undo goes back through both results, and redo forward again")
    func twoPeers() {
        var player = TestPlayer([.make("one")])
        for (number, name) in (1...9).map({ ($0, $0.isMultiple(of: 2) ? "two" : "one") }) {
            player.player.sender = name
            player.send(set(.beat, Double(number)))
            player.advance(seconds: 0.02)
        }
        #expect(player.state.history.undoDepth == 2)
        let undone = [8.0, 10].map { expected in
            player.send(.undo)
            return value(player, .beat) == expected
        }
        #expect(undone == [true, true])
        player.send(.redo)
        #expect(value(player, .beat) == 8)
        player.send(.redo)
        #expect(value(player, .beat) == 9)
    }

    @Test("a fader that returns to its start leaves no step")
    func thereAndBack() {
        var player = TestPlayer([.make("one")])
        player.send(set(.beat, 8))
        player.advance(seconds: 1)
        player.send(set(.beat, 9))
        player.send(set(.carrier, 300))
        player.send(set(.beat, 8))
        #expect(player.state.history.undoDepth == 2)
        player.send(.undo)
        #expect(value(player, .beat) == 8)
        #expect(value(player, .carrier) == 200)
    }

    @Test("a control that moves several parameters makes one step")
    func together() {
        var player = TestPlayer([.make("one")])
        for step in 1...20 {
            let settings = [(Parameter.beat, Double(step)), (.gain, -Double(step))].map { Setting(layer: 0, parameter: $0, value: $1) }
            #expect(player.send(.setTogether(settings)) == CommandResult(.success, by: "layer/1"))
            player.advance(seconds: 0.02)
        }
        #expect(player.state.history.undoDepth == 1)
        #expect(value(player, .beat) == 20)
        #expect(value(player, .gain) == -20)
        let gain = player.state.patch?.layers[0].values[.gain]
        player.send(.undo)
        #expect(player.state.current?.edits.isEmpty == true)
        #expect(value(player, .beat) == 10)
        #expect(gain != -20)
        player.send(.redo)
        #expect(value(player, .beat) == 20)
        #expect(value(player, .gain) == -20)
    }

    @Test("undo and redo say which values they have restored")
    func words() {
        var player = TestPlayer([.make("one")])
        func last(_ command: Command) -> String? {
            _ = player.effects()
            player.send(command)
            return player.effects().compactMap { if case .request(.notice(let text)) = $0 { text } else { nil } }.last
        }
        player.send(set(.gain, -20))
        player.send(.mute(layer: 1, true))
        player.send(.changeWave(layer: 0, .triangle))
        #expect(last(.undo) == "Undone: layer/bed/wave sine.")
        #expect(last(.undo) == "Undone: layer/rain/mute off.")
        #expect(last(.redo) == "Redone: layer/rain/mute on.")
        #expect(last(.redo) == "Redone: layer/bed/wave triangle.")
        player.send(.reset(layer: 0))
        #expect(last(.undo) == "Undone: layer/bed/gain -20 dB, layer/bed/wave triangle.")
    }

    @Test("undoing a step in another item is reported with its place; one in the current item with its value")
    func elsewhere() {
        var player = TestPlayer([.make("one"), .make("two")])
        player.send(beat(8))
        player.send(.selectItem(1))
        player.send(beat(9))
        _ = player.effects()
        player.send(.undo)
        #expect(player.effects() == [.sound(.crossfadeInPlace), .request(.notice("Undone: layer/bed/beat 10 Hz."))])
        player.send(.undo)
        #expect(
            player.effects() == [.sound(.upcoming), .request(.notice("Undone in queue item 1, 'One', which is not the current one."))])
        #expect(player.state.currentIndex == 1)
        player.send(.redo)
        #expect(
            player.effects() == [
                .sound(.upcoming), .request(.notice("Redone in queue item 1, 'One', which is not the current one.")),
            ])
        player.send(.redo)
        #expect(player.effects() == [.sound(.crossfadeInPlace), .request(.notice("Redone: layer/bed/beat 9 Hz."))])
    }

    @Test("the same patch twice in the queue is two items: each has its own steps, and undo edits no other")
    func twins() {
        var player = TestPlayer([.make("one"), .make("one")])
        player.send(set(.beat, 8))
        player.send(.nextItem)
        player.send(set(.beat, 9))
        #expect(player.state.history.undoDepth == 2)
        player.send(.undo)
        #expect(edits(player) == [[8], []])
        player.send(.moveItem(from: 0, to: 1))
        player.send(.undo)
        #expect(edits(player) == [[], []])
        player.send(.redo)
        #expect(edits(player) == [[], [8]])
    }

    @Test("an item that leaves the queue takes its steps along, done and undone")
    func removed() {
        var player = TestPlayer([.make("one"), .make("two")])
        player.send(set(.beat, 8))
        player.send(.nextItem)
        player.send(set(.beat, 9))
        player.advance(seconds: 1)
        player.send(set(.beat, 7))
        player.send(.undo)
        player.send(.removeItem(1))
        #expect(player.state.history.undoDepth == 1)
        #expect(player.state.history.redoDepth == 0)
        player.send(.removeItem(0))
        #expect(!player.isEnabled(.undo))
        #expect(!player.isEnabled(.redo))
    }
}
