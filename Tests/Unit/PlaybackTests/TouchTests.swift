import Patches
import Playback
import Testing

/// Touching a control.
@Suite struct TouchTests {
    private static let beat = Fader.parameter(.beat, layer: 0)

    /// At 20 s a chapter moves the beat to 4 over 10 s, at 40 s another one to 2.
    private func rig(_ mode: TouchMode = .latch) -> TestPlayer {
        var item = QueueItem.make("one", chapters: [0, 20, 40])
        for (index, value) in [(1, 4.0), (2, 2)] {
            item.patch?.chapters[index].over = 10
            item.patch?.chapters[index].settings = [Setting(layer: 0, parameter: .beat, value: value)]
        }
        var rig = TestPlayer([item, .make("two")])
        rig.send(.changeTouchMode(to: mode))
        rig.send(.play)
        rig.player.sender = "hand"
        return rig
    }

    private func beat(_ value: Double) -> Command { .set(Setting(layer: 0, parameter: .beat, value: value), ramp: nil) }

    private func value(_ rig: TestPlayer, at seconds: Double? = nil) -> Double? {
        let moment = seconds.map { Moment(frame: Int64($0 * 48_000)) } ?? rig.now
        return rig.state.value(of: .beat, layer: 0, at: moment)
    }

    @Test("chapters do not change a touched parameter: it keeps its value, or the one that is set")
    func chapters() throws {
        var rig = rig()
        rig.advance(seconds: 25)
        let found = try #require(value(rig))
        #expect(found < 10)
        #expect(found > 4)
        _ = rig.effects()
        #expect(rig.send(.touch(Self.beat, true)) == CommandResult(.success, by: "layer/1"))
        #expect(rig.effects() == [.sound(.course(.beat, layer: 0, seconds: nil))])
        rig.advance(seconds: 30)
        #expect(value(rig) == found)
        #expect(rig.state.heldSettings == [Setting(layer: 0, parameter: .beat, value: found)])
        rig.send(beat(7))
        #expect(rig.effects() == [.sound(.move(Setting(layer: 0, parameter: .beat, value: 7), ramp: Ramp(seconds: 0.05)))])
        #expect(value(rig) == 7)
        #expect(rig.state.current?.edits.isEmpty == true)
    }

    @Test("latch: a released parameter stays, as an edit of one step, until the next chapter that sets it")
    func latch() {
        var rig = rig()
        rig.advance(seconds: 5)
        rig.send(.touch(Self.beat, true))
        for value in [7.0, 8, 9] {
            rig.send(beat(value))
            rig.advance(seconds: 6)
        }
        _ = rig.effects()
        rig.advance(seconds: 2)
        rig.send(.touch(Self.beat, false))
        #expect(rig.effects() == [.sound(.course(.beat, layer: 0, seconds: nil))])
        #expect(rig.state.current?.edits == [LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: 9), position: 25)])
        #expect(rig.state.held.isEmpty)
        #expect(value(rig, at: 10) == 10)
        #expect(value(rig, at: 30) == 9)
        #expect(value(rig, at: 55) == 2)
        #expect(rig.state.history.undoDepth == 1)
        rig.send(.undo)
        #expect(rig.state.current?.edits.isEmpty == true)
    }

    @Test("return: it goes back to the timeline over 50 ms, and no edit remains")
    func goesBack() {
        var rig = rig(.return)
        rig.send(.touch(Self.beat, true))
        rig.send(beat(7))
        _ = rig.effects()
        rig.advance(seconds: 50)
        #expect(value(rig) == 7)
        rig.send(.touch(Self.beat, false))
        #expect(rig.effects() == [.sound(.course(.beat, layer: 0, seconds: 0.05))])
        #expect(value(rig) == 2)
        #expect(rig.state.current?.edits.isEmpty == true)
        #expect(rig.state.history.undoDepth == 0)
        rig.send(.setMasterGain(-10, ramp: nil))
        rig.send(.touch(.masterGain, true))
        rig.send(.setMasterGain(-3, ramp: nil))
        _ = rig.effects()
        rig.send(.touch(.masterGain, false))
        #expect(rig.effects() == [.sound(.master(Ramp(seconds: 0.05)))])
        #expect(rig.state.masterGain == -10)
    }

    @Test("a touch that changes nothing is not an edit")
    func nothing() {
        var rig = rig()
        rig.send(.touch(Self.beat, true))
        rig.advance(seconds: 3)
        rig.send(.touch(Self.beat, false))
        #expect(rig.state.current?.edits.isEmpty == true)
        #expect(rig.state.history.undoDepth == 0)
        // A move stopped in the middle is an edit.
        rig.advance(seconds: 22)
        rig.send(.touch(Self.beat, true))
        rig.send(.touch(Self.beat, false))
        #expect(rig.state.current?.edits.count == 1)
    }

    @Test("any other peer that sets or touches it is refused as busy; only the peer that touches it can release it")
    func busy() {
        var rig = rig()
        rig.send(.touch(Self.beat, true))
        rig.send(.touch(.masterGain, true))
        rig.player.sender = "other"
        #expect(rig.send(beat(3)).status == .busy)
        #expect(rig.send(.touch(Self.beat, true)).status == .busy)
        #expect(rig.send(.touch(Self.beat, false)).status == .success)
        #expect(rig.send(.setMasterGain(-3, ramp: nil)).status == .busy)
        #expect(rig.send(.touch(.masterGain, true)).status == .busy)
        #expect(rig.send(.set(Setting(layer: 0, parameter: .pan, value: 1), ramp: nil)).status == .success)
        #expect(rig.state.held.count == 2)
        rig.player.sender = "hand"
        #expect(rig.send(.touch(Self.beat, true)).status == .success)
        #expect(rig.send(beat(3)).status == .success)
        #expect(rig.send(.touch(.parameter(.beat, layer: 1), true)).status == .notSupported)
        #expect(rig.send(.touch(.parameter(.beat, layer: 9), true)).status == .unknownAddress)
    }

    @Test(
        "a change of item ends it: the value is kept with the item it belongs to; a touch of the master stays",
        arguments: TouchMode.allCases)
    func item(mode: TouchMode) {
        var rig = rig(mode)
        rig.send(.touch(Self.beat, true))
        rig.send(.touch(.masterGain, true))
        rig.send(beat(7))
        rig.advance(seconds: 30)
        rig.advanceToFollowing()
        #expect(rig.state.currentIndex == 1)
        #expect(Array(rig.state.held.keys) == [.masterGain])
        let expected = mode == .latch ? [LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: 7), position: 30)] : []
        #expect(rig.state.items[0].edits == expected)
        #expect(rig.state.items[1].edits.isEmpty)
        rig.send(.touch(Self.beat, true))
        rig.send(beat(6))
        rig.send(.removeItem(1))
        #expect(Array(rig.state.held.keys) == [.masterGain])
    }

    @Test("a ramp in progress continues under the touch, to its end")
    func ramp() {
        var rig = rig()
        rig.send(.set(Setting(layer: 0, parameter: .beat, value: 6), ramp: Ramp(seconds: 2)))
        rig.advance(seconds: 0.5)
        _ = rig.effects()
        rig.send(.touch(Self.beat, true))
        #expect(rig.effects() == [.sound(.course(.beat, layer: 0, seconds: 1.5))])
        #expect(value(rig) == 6)
    }
}
