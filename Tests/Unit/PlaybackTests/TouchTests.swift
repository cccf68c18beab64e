import Patches
import Playback
import Testing

/// Touching a control.
@Suite struct TouchTests {
    private static let beat = Fader.parameter(.beat, layer: 0)

    /// At 20 s a chapter moves the beat to 4 over 10 s, at 40 s another one to 2.
    private func player(_ mode: TouchMode = .latch) -> TestPlayer {
        var item = QueueItem.make("one", chapters: [0, 20, 40])
        for (index, value) in [(1, 4.0), (2, 2)] {
            item.patch?.chapters[index].over = 10
            item.patch?.chapters[index].settings = [Setting(layer: 0, parameter: .beat, value: value)]
        }
        var player = TestPlayer([item, .make("two")])
        player.send(.changeTouchMode(to: mode))
        player.send(.play)
        player.player.sender = "hand"
        return player
    }

    private func beat(_ value: Double) -> Command { .set(Setting(layer: 0, parameter: .beat, value: value), ramp: nil) }

    private func value(_ player: TestPlayer, at seconds: Double? = nil) -> Double? {
        let moment = seconds.map { Moment(frame: Int64($0 * 48_000)) } ?? player.now
        return player.state.value(of: .beat, layer: 0, at: moment)
    }

    @Test("chapters do not change a touched parameter: it keeps its value, or the one that is set")
    func chapters() throws {
        var player = player()
        player.advance(seconds: 25)
        let found = try #require(value(player))
        #expect(found < 10)
        #expect(found > 4)
        _ = player.effects()
        #expect(player.send(.touch(Self.beat, true)) == CommandResult(.success, by: "layer/1"))
        #expect(player.effects() == [.sound(.course(.beat, layer: 0, seconds: nil))])
        player.advance(seconds: 30)
        #expect(value(player) == found)
        #expect(player.state.heldSettings == [Setting(layer: 0, parameter: .beat, value: found)])
        player.send(beat(7))
        #expect(player.effects() == [.sound(.move(Setting(layer: 0, parameter: .beat, value: 7), ramp: Ramp(seconds: 0.05)))])
        #expect(value(player) == 7)
        #expect(player.state.current?.edits.isEmpty == true)
    }

    @Test("latch: a released parameter stays, as an edit of one step, until the next chapter that sets it")
    func latch() {
        var player = player()
        player.advance(seconds: 5)
        player.send(.touch(Self.beat, true))
        for value in [7.0, 8, 9] {
            player.send(beat(value))
            player.advance(seconds: 6)
        }
        _ = player.effects()
        player.advance(seconds: 2)
        player.send(.touch(Self.beat, false))
        #expect(player.effects() == [.sound(.course(.beat, layer: 0, seconds: nil))])
        #expect(player.state.current?.edits == [LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: 9), position: 25)])
        #expect(player.state.held.isEmpty)
        #expect(value(player, at: 10) == 10)
        #expect(value(player, at: 30) == 9)
        #expect(value(player, at: 55) == 2)
        #expect(player.state.history.undoDepth == 1)
        player.send(.undo)
        #expect(player.state.current?.edits.isEmpty == true)
    }

    @Test("return: it goes back to the timeline over 50 ms, and no edit remains")
    func goesBack() {
        var player = player(.return)
        player.send(.touch(Self.beat, true))
        player.send(beat(7))
        _ = player.effects()
        player.advance(seconds: 50)
        #expect(value(player) == 7)
        player.send(.touch(Self.beat, false))
        #expect(player.effects() == [.sound(.course(.beat, layer: 0, seconds: 0.05))])
        #expect(value(player) == 2)
        #expect(player.state.current?.edits.isEmpty == true)
        #expect(player.state.history.undoDepth == 0)
        player.send(.setMasterGain(-10, ramp: nil))
        player.send(.touch(.masterGain, true))
        player.send(.setMasterGain(-3, ramp: nil))
        _ = player.effects()
        player.send(.touch(.masterGain, false))
        #expect(player.effects() == [.sound(.master(Ramp(seconds: 0.05)))])
        #expect(player.state.masterGain == -10)
    }

    @Test("a touch that changes nothing is not an edit")
    func nothing() {
        var player = player()
        player.send(.touch(Self.beat, true))
        player.advance(seconds: 3)
        player.send(.touch(Self.beat, false))
        #expect(player.state.current?.edits.isEmpty == true)
        #expect(player.state.history.undoDepth == 0)
        // A move stopped in the middle is an edit.
        player.advance(seconds: 22)
        player.send(.touch(Self.beat, true))
        player.send(.touch(Self.beat, false))
        #expect(player.state.current?.edits.count == 1)
    }

    @Test("any other peer that sets or touches it is refused as busy; only the peer that touches it can release it")
    func busy() {
        var player = player()
        player.send(.touch(Self.beat, true))
        player.send(.setMasterGain(-10, ramp: nil))
        player.send(.touch(.masterGain, true))
        player.player.sender = "other"
        #expect(player.send(beat(3)).status == .busy)
        #expect(player.send(.touch(Self.beat, true)).status == .busy)
        #expect(player.send(.touch(Self.beat, false)).status == .success)
        #expect(player.send(.setMasterGain(-3, ramp: nil)).status == .busy)
        #expect(player.send(.touch(.masterGain, true)).status == .busy)
        #expect(player.send(.set(Setting(layer: 0, parameter: .pan, value: 1), ramp: nil)).status == .success)
        #expect(player.state.held.count == 2)
        player.player.sender = "hand"
        #expect(player.send(.touch(Self.beat, true)).status == .success)
        #expect(player.send(beat(3)).status == .success)
        #expect(player.send(.touch(.parameter(.beat, layer: 1), true)).status == .notSupported)
        #expect(player.send(.touch(.parameter(.beat, layer: 9), true)).status == .unknownAddress)
    }

    @Test(
        "a change of item ends it: the value is kept with the item it belongs to; a touch of the master stays",
        arguments: TouchMode.allCases)
    func item(mode: TouchMode) {
        var player = player(mode)
        player.send(.touch(Self.beat, true))
        player.send(.touch(.masterGain, true))
        player.send(beat(7))
        player.advance(seconds: 30)
        player.advanceToFollowing()
        #expect(player.state.currentIndex == 1)
        #expect(Array(player.state.held.keys) == [.masterGain])
        let expected = mode == .latch ? [LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: 7), position: 30)] : []
        #expect(player.state.items[0].edits == expected)
        #expect(player.state.items[1].edits.isEmpty)
        player.send(.touch(Self.beat, true))
        player.send(beat(6))
        player.send(.removeItem(1))
        #expect(Array(player.state.held.keys) == [.masterGain])
    }

    @Test("a level can be lowered under somebody else's hand, whose touch ends; it cannot be raised")
    func lowered() {
        var player = player()
        let layer = { (gain: Double) in Command.set(Setting(layer: 0, parameter: .gain, value: gain), ramp: nil) }
        player.send(.setMasterGain(-10, ramp: nil))
        player.send(layer(-10))
        for fader in [Fader.masterGain, .parameter(.gain, layer: 0)] { player.send(.touch(fader, true)) }
        player.player.sender = "other"
        for command in [Command.setMasterGain(-9, ramp: nil), layer(-9)] { #expect(player.send(command).status == .busy) }
        #expect(player.state.held.count == 2)
        for command in [Command.setMasterGain(-30, ramp: nil), layer(-30)] { #expect(player.send(command).status == .success) }
        #expect(player.state.held.isEmpty)
        #expect(player.state.masterGain == -30)
        #expect(player.state.value(of: .gain, layer: 0, at: player.now) == -30)
    }

    @Test("5 s after its last movement others may move and touch a fader; this computer's keys may at once")
    func idle() {
        var player = player()
        let faders = [Fader.masterGain, .a4, Self.beat]
        for fader in faders { player.send(.touch(fader, true)) }
        player.advance(seconds: 4)
        for command in [beat(7), .setMasterGain(-20, ramp: nil), .tune(a4: 432)] { player.send(command) }
        player.player.sender = "other"
        player.advance(seconds: 4.9)
        for fader in faders { #expect(player.send(.touch(fader, true)).status == .busy) }
        player.advance(seconds: 0.1)
        for command in [beat(3), .setMasterGain(-19, ramp: nil), .tune(a4: 441)] { #expect(player.send(command).status == .success) }
        #expect(player.state.held.isEmpty)
        #expect(value(player) == 3)
        for fader in faders { player.send(.touch(fader, true)) }
        player.player.sender = nil
        #expect(player.send(.setMasterGain(-18, ramp: nil)).status == .success)
        #expect(Set(player.state.held.keys) == [.a4, Self.beat])
    }

    @Test("a ramp in progress continues under the touch, to its end")
    func ramp() {
        var player = player()
        player.send(.set(Setting(layer: 0, parameter: .beat, value: 6), ramp: Ramp(seconds: 2)))
        player.advance(seconds: 0.5)
        _ = player.effects()
        player.send(.touch(Self.beat, true))
        #expect(player.effects() == [.sound(.course(.beat, layer: 0, seconds: 1.5))])
        #expect(value(player) == 6)
    }
}
