import Patches
import Playback
import Testing

@Suite struct TransportTests {
    @Test("play starts the current item at 0, and a second play changes nothing")
    func play() {
        var rig = TestPlayer([.make("one")])
        #expect(rig.send(.play) == CommandResult(.success, by: "application"))
        #expect(rig.effects() == [.sound(.start(position: 0))])
        rig.advance(seconds: 5)
        #expect(rig.elapsed == 5)
        #expect(rig.send(.play).status == .success)
        #expect(rig.effects().isEmpty)
        #expect(rig.elapsed == 5)
    }

    @Test("pause freezes the position and play resumes from it")
    func pause() {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        rig.advance(seconds: 5)
        rig.send(.pause)
        rig.advance(seconds: 100)
        #expect(rig.state.playback == .paused)
        #expect(rig.elapsed == 5)
        _ = rig.effects()
        rig.send(.play)
        #expect(rig.effects() == [.sound(.start(position: 5 * 48_000))])
    }

    @Test("stop goes back to 0, keeps the item, and stopping again sends nothing to the engine")
    func stop() {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        rig.advance(seconds: 5)
        _ = rig.effects()
        rig.send(.stop)
        #expect(rig.effects() == [.sound(.silence(.short))])
        rig.send(.stop)
        #expect(rig.effects().isEmpty)
        #expect(rig.state.currentIndex == 0)
        #expect(rig.elapsed == 0)
    }

    @Test("pause is disabled while stopped, and the chain is not called")
    func pauseWhileStopped() {
        var rig = TestPlayer([.make("one")])
        #expect(!rig.isEnabled(.pause))
        #expect(rig.send(.pause).status == .disabled)
        #expect(rig.state.playback == .stopped)
    }

    @Test(
        "an empty queue answers 100 to everything that needs content",
        arguments: [Command.play, .toggle, .next, .previous, .skip(by: 5), .changePosition(to: 1), .pause])
    func emptyQueue(_ command: Command) {
        var rig = TestPlayer([])
        #expect(rig.send(command).status == .noSuchContent)
    }

    @Test("toggle plays when stopped or paused, and pauses when playing or interrupted")
    func toggle() {
        var rig = TestPlayer([.make("one")])
        rig.send(.toggle)
        #expect(rig.state.playback == .playing)
        rig.send(.toggle)
        #expect(rig.state.playback == .paused)
        rig.send(.toggle)
        rig.player.audioLost(position: 7, at: rig.now)
        rig.send(.toggle)
        #expect(rig.state.playback == .paused)
    }

    @Test("a position is clamped, moves silently while paused, and makes stopped paused unless it is 0")
    func position() {
        var rig = TestPlayer([.make("one")])
        rig.send(.changePosition(to: 0))
        #expect(rig.state.playback == .stopped)
        rig.send(.changePosition(to: 10))
        #expect(rig.state.playback == .paused)
        #expect(rig.elapsed == 10)
        rig.send(.changePosition(to: -4))
        #expect(rig.elapsed == 0)
        #expect(rig.effects().isEmpty)
    }

    @Test("a position at the duration ends the item")
    func positionAtTheEnd() {
        var rig = TestPlayer([.make("one"), .make("two")])
        rig.send(.play)
        rig.send(.changePosition(to: 60))
        #expect(rig.state.currentIndex == 1)
        #expect(rig.state.playback == .playing)
        rig.send(.changePosition(to: 1e9))
        #expect(rig.state.currentIndex == 0)
        #expect(rig.state.playback == .stopped)
    }

    @Test("position/norm needs a duration")
    func normalizedPosition() {
        var rig = TestPlayer([.make("one"), .make("endless", duration: nil)])
        rig.send(.changeNormalizedPosition(to: 0.5))
        #expect(rig.elapsed == 30)
        rig.send(.nextItem)
        #expect(!rig.isEnabled(.normalizedPosition))
        #expect(rig.send(.changeNormalizedPosition(to: 0.5)).status == .disabled)
    }

    @Test(
        "no number traps, however extreme: a number that is not finite is refused",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func wildNumbers(_ value: Double) {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        for command in [
            Command.skip(by: value), .changePosition(to: value), .changeNormalizedPosition(to: value), .fadeOut(seconds: value),
            .sleep(in: value, fade: 1, .linear), .sleep(in: 1, fade: value, .linear),
            .setMasterGain(value, ramp: nil), .tune(a4: value),
            .set(Setting(layer: 0, parameter: .beat, value: value), ramp: nil),
        ] {
            let before = rig.state
            if rig.send(command).status == .badArguments { #expect(rig.state == before) } else { #expect(value.isFinite) }
        }
        #expect(rig.state.masterGain.isFinite)
        #expect(rig.state.a4.isFinite)
    }

    @Test("panic stops from any state with its own fade")
    func panic() {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        _ = rig.effects()
        rig.send(.panic)
        #expect(rig.effects() == [.sound(.silence(.panic))])
        #expect(rig.state.playback == .stopped)
        #expect(rig.send(.panic).status == .success)
    }

    @Test("a master fade stops playback at its end, and the level is restored")
    func masterFade() {
        var rig = TestPlayer([.make("one")])
        rig.send(.setMasterGain(-3, ramp: nil))
        rig.send(.play)
        rig.send(.fadeOut(seconds: 10))
        #expect(rig.state.masterTarget == Parameter.off)
        rig.advance(seconds: 9.9)
        rig.player.tick(at: rig.now)
        #expect(rig.state.playback == .playing)
        rig.advance(seconds: 0.2)
        rig.player.tick(at: rig.now)
        #expect(rig.state.playback == .stopped)
        #expect(rig.state.masterTarget == -3)
    }

    @Test("a master fade ends at the same time at another sample rate, and so do a held seek and a sleep timer")
    func masterFadeAtAnotherRate() {
        for sampleRate in [22_050, 44_100, 96_000, 192_000] {
            var rig = TestPlayer([.make("one", duration: nil)])
            rig.send(.play)
            rig.advance(seconds: 100)
            rig.send(.fadeOut(seconds: 10))
            rig.send(.sleep(in: 30, fade: 1, .linear))
            rig.send(.seek(.forward, begins: true))
            rig.advance(seconds: 4)
            rig.player.audioLost(position: nil, at: rig.now)
            rig.player.audioAvailable(sampleRate: sampleRate, at: rig.now)
            #expect(abs(rig.state.timeToSleep(at: rig.now) - 26) < 1e-3)
            rig.now.frame += Int64(5.5 * Double(sampleRate))
            rig.player.tick(at: rig.now)
            #expect(rig.state.playback == .playing, "\(sampleRate) Hz")
            #expect(rig.state.heldSeek != nil, "\(sampleRate) Hz")
            rig.now.frame += Int64(sampleRate)
            rig.player.tick(at: rig.now)
            #expect(rig.state.playback == .stopped, "\(sampleRate) Hz")
            #expect(rig.state.heldSeek == nil, "\(sampleRate) Hz")
        }
    }
}
