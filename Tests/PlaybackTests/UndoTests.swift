import Patches
import Playback
import Testing

@Suite struct UndoTests {
    private func beat(_ value: Double) -> Command { .set(Setting(layer: 0, parameter: .beat, value: value), ramp: nil) }

    @Test("undo and redo go through the edits and never touch the play state")
    func steps() {
        var rig = Rig([.make("one")])
        rig.send(.play)
        for value in [8.0, 9, 10] {
            rig.send(beat(value))
            rig.advance(seconds: 1)
        }
        _ = rig.effects()
        #expect(rig.state.history.undoDepth == 3)
        rig.send(.undo)
        #expect(rig.effects() == [.glide])
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
        var rig = Rig([.make("one")])
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

    @Test("mute and reset are steps too")
    func others() {
        var rig = Rig([.make("one")])
        rig.send(beat(8))
        rig.send(.mute(layer: 1, true))
        rig.send(.reset(layer: 0))
        #expect(rig.state.history.undoDepth == 3)
        rig.send(.undo)
        #expect(rig.state.current?.edits.count == 1)
        rig.send(.undo)
        #expect(rig.state.isAudible(layer: 1))
    }
}
