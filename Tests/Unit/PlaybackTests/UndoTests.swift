import Patches
import Playback
import Testing

@Suite struct UndoTests {
    private func beat(_ value: Double) -> Command { .set(Setting(layer: 0, parameter: .beat, value: value), ramp: nil) }

    @Test("undo and redo go through the edits and never change the play state")
    func steps() {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        for value in [8.0, 9, 10] {
            rig.send(beat(value))
            rig.advance(seconds: 1)
        }
        _ = rig.effects()
        #expect(rig.state.history.undoDepth == 3)
        rig.send(.undo)
        #expect(rig.effects() == [.sound(.glide), .request(.notice("Undone: layer/bed/beat 9 Hz."))])
        #expect(rig.state.current?.edits.map(\.setting.value) == [9])
        rig.send(.undo)
        rig.send(.undo)
        #expect(rig.state.current?.edits.isEmpty == true)
        #expect(!rig.isEnabled(.undo))
        #expect(rig.send(.undo).status == .disabled)
        rig.send(.redo)
        #expect(rig.state.current?.edits.map(\.setting.value) == [8])
        #expect(rig.state.playback == .playing)
        #expect(rig.elapsed == 3)
        rig.send(beat(5))
        #expect(!rig.isEnabled(.redo))
    }

    @Test("sets of one parameter by one sender less than 500 ms apart are one step")
    func fader() {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        rig.player.sender = "one"
        for value in 1...20 {
            rig.send(beat(Double(value)))
            rig.advance(seconds: 0.02)
        }
        #expect(rig.state.history.undoDepth == 1)
        rig.player.sender = "two"
        rig.send(beat(3))
        #expect(rig.state.history.undoDepth == 2)
        rig.advance(seconds: 0.6)
        rig.send(beat(4))
        #expect(rig.state.history.undoDepth == 3)
        rig.send(.undo)
        rig.send(.undo)
        rig.send(.undo)
        #expect(rig.state.current?.edits.isEmpty == true)
    }

    @Test("setting the current value again while it plays is not a step")
    func again() {
        var rig = TestPlayer([.make("one")])
        rig.send(beat(8))
        rig.send(.play)
        for _ in 0..<4 {
            rig.advance(seconds: 0.7)
            rig.send(beat(8))
        }
        #expect(rig.state.history.undoDepth == 1)
        #expect(rig.state.current?.edits.count == 1)
        rig.send(.undo)
        #expect(rig.state.current?.edits.isEmpty == true)
    }

    @Test("mute and reset are steps too")
    func others() {
        var rig = TestPlayer([.make("one")])
        rig.send(beat(8))
        rig.send(.mute(layer: 1, true))
        rig.send(.reset(layer: 0))
        #expect(rig.state.history.undoDepth == 3)
        rig.send(.undo)
        #expect(rig.state.current?.edits.count == 1)
        rig.send(.undo)
        #expect(rig.state.isAudible(layer: 1))
    }

    private func set(_ parameter: Parameter, _ value: Double) -> Command {
        .set(Setting(layer: 0, parameter: parameter, value: value), ramp: nil)
    }

    private func value(_ rig: TestPlayer, _ parameter: Parameter) -> Double? { rig.state.value(of: parameter, layer: 0, at: rig.now) }

    /// The set values of each item.
    private func edits(_ rig: TestPlayer) -> [[Double]] { rig.state.items.map { $0.edits.map(\.setting.value) } }

    @Test("two faders that move at once are a step each, and undo reverts one without the other")
    func twoFaders() {
        var rig = TestPlayer([.make("one")])
        for step in 1...10 {
            rig.send(set(.beat, Double(step)))
            rig.send(set(.carrier, 100 + Double(step)))
            rig.advance(seconds: 0.02)
        }
        #expect(rig.state.history.undoDepth == 2)
        rig.send(.undo)
        #expect(value(rig, .beat) == 10)
        #expect(value(rig, .carrier) == 200)
        rig.send(.undo)
        #expect(rig.state.current?.edits.isEmpty == true)
        rig.send(.redo)
        rig.send(.redo)
        #expect(value(rig, .beat) == 10)
        #expect(value(rig, .carrier) == 110)
    }

    @Test("undoing a fader's move keeps other changes made during it")
    func between() {
        var rig = TestPlayer([.make("one")])
        rig.send(set(.beat, 8))
        rig.send(.mute(layer: 1, true))
        rig.send(set(.beat, 9))
        #expect(rig.state.history.undoDepth == 2)
        rig.send(.undo)
        #expect(value(rig, .beat) == 10)
        #expect(!rig.state.isAudible(layer: 1))
        rig.send(.undo)
        #expect(rig.state.isAudible(layer: 1))
        rig.send(.redo)
        rig.send(.redo)
        #expect(value(rig, .beat) == 9)
        #expect(!rig.state.isAudible(layer: 1))
    }

    @Test("two peers on one parameter have a step each; undo goes back through both results, and redo forward again")
    func twoPeers() {
        var rig = TestPlayer([.make("one")])
        for (number, name) in (1...9).map({ ($0, $0.isMultiple(of: 2) ? "two" : "one") }) {
            rig.player.sender = name
            rig.send(set(.beat, Double(number)))
            rig.advance(seconds: 0.02)
        }
        #expect(rig.state.history.undoDepth == 2)
        let undone = [8.0, 10].map { expected in
            rig.send(.undo)
            return value(rig, .beat) == expected
        }
        #expect(undone == [true, true])
        rig.send(.redo)
        #expect(value(rig, .beat) == 8)
        rig.send(.redo)
        #expect(value(rig, .beat) == 9)
    }

    @Test("a fader that returns to its start leaves no step")
    func thereAndBack() {
        var rig = TestPlayer([.make("one")])
        rig.send(set(.beat, 8))
        rig.advance(seconds: 1)
        rig.send(set(.beat, 9))
        rig.send(set(.carrier, 300))
        rig.send(set(.beat, 8))
        #expect(rig.state.history.undoDepth == 2)
        rig.send(.undo)
        #expect(value(rig, .beat) == 8)
        #expect(value(rig, .carrier) == 200)
    }

    @Test("a control that moves several parameters makes one step")
    func together() {
        var rig = TestPlayer([.make("one")])
        for step in 1...20 {
            let settings = [(Parameter.beat, Double(step)), (.gain, -Double(step))].map { Setting(layer: 0, parameter: $0, value: $1) }
            #expect(rig.send(.setTogether(settings)) == CommandResult(.success, by: "layer/1"))
            rig.advance(seconds: 0.02)
        }
        #expect(rig.state.history.undoDepth == 1)
        #expect(value(rig, .beat) == 20)
        #expect(value(rig, .gain) == -20)
        let gain = rig.state.patch?.layers[0].values[.gain]
        rig.send(.undo)
        #expect(rig.state.current?.edits.isEmpty == true)
        #expect(value(rig, .beat) == 10)
        #expect(gain != -20)
        rig.send(.redo)
        #expect(value(rig, .beat) == 20)
        #expect(value(rig, .gain) == -20)
    }

    @Test("undo and redo say which values they have restored")
    func words() {
        var rig = TestPlayer([.make("one")])
        func last(_ command: Command) -> String? {
            _ = rig.effects()
            rig.send(command)
            return rig.effects().compactMap { if case .request(.notice(let text)) = $0 { text } else { nil } }.last
        }
        rig.send(set(.gain, -20))
        rig.send(.mute(layer: 1, true))
        rig.send(.changeWave(layer: 0, .triangle))
        #expect(last(.undo) == "Undone: layer/bed/wave sine.")
        #expect(last(.undo) == "Undone: layer/rain/mute off.")
        #expect(last(.redo) == "Redone: layer/rain/mute on.")
        #expect(last(.redo) == "Redone: layer/bed/wave triangle.")
        rig.send(.reset(layer: 0))
        #expect(last(.undo) == "Undone: layer/bed/gain -20 dB, layer/bed/wave triangle.")
    }

    @Test("undoing a step in another item is reported with its place; one in the current item with its value")
    func elsewhere() {
        var rig = TestPlayer([.make("one"), .make("two")])
        rig.send(beat(8))
        rig.send(.selectItem(1))
        rig.send(beat(9))
        _ = rig.effects()
        rig.send(.undo)
        #expect(rig.effects() == [.sound(.glide), .request(.notice("Undone: layer/bed/beat 10 Hz."))])
        rig.send(.undo)
        #expect(
            rig.effects() == [.sound(.upcoming), .request(.notice("Undone in queue item 1, 'One', which is not the current one."))])
        #expect(rig.state.currentIndex == 1)
        rig.send(.redo)
        #expect(
            rig.effects() == [
                .sound(.upcoming), .request(.notice("Redone in queue item 1, 'One', which is not the current one.")),
            ])
        rig.send(.redo)
        #expect(rig.effects() == [.sound(.glide), .request(.notice("Redone: layer/bed/beat 9 Hz."))])
    }

    @Test("the same patch twice in the queue is two items: each has its own steps, and undo edits no other")
    func twins() {
        var rig = TestPlayer([.make("one"), .make("one")])
        rig.send(set(.beat, 8))
        rig.send(.nextItem)
        rig.send(set(.beat, 9))
        #expect(rig.state.history.undoDepth == 2)
        rig.send(.undo)
        #expect(edits(rig) == [[8], []])
        rig.send(.moveItem(from: 0, to: 1))
        rig.send(.undo)
        #expect(edits(rig) == [[], []])
        rig.send(.redo)
        #expect(edits(rig) == [[], [8]])
    }

    @Test("an item that leaves the queue takes its steps along, done and undone")
    func removed() {
        var rig = TestPlayer([.make("one"), .make("two")])
        rig.send(set(.beat, 8))
        rig.send(.nextItem)
        rig.send(set(.beat, 9))
        rig.advance(seconds: 1)
        rig.send(set(.beat, 7))
        rig.send(.undo)
        rig.send(.removeItem(1))
        #expect(rig.state.history.undoDepth == 1)
        #expect(rig.state.history.redoDepth == 0)
        rig.send(.removeItem(0))
        #expect(!rig.isEnabled(.undo))
        #expect(!rig.isEnabled(.redo))
    }
}
