import Patches
import Playback
import Testing

@Suite struct TransportTests {
    @Test("play starts the current item at 0, and a second play changes nothing")
    func play() {
        var player = TestPlayer([.make("one")])
        #expect(player.send(.play) == CommandResult(.success, by: "application"))
        #expect(player.effects() == [.sound(.start(position: 0))])
        player.advance(seconds: 5)
        #expect(player.elapsed == 5)
        #expect(player.send(.play).status == .success)
        #expect(player.effects().isEmpty)
        #expect(player.elapsed == 5)
    }

    @Test("pause freezes the position and play resumes from it")
    func pause() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.advance(seconds: 5)
        player.send(.pause)
        player.advance(seconds: 100)
        #expect(player.state.playback == .paused)
        #expect(player.elapsed == 5)
        _ = player.effects()
        player.send(.play)
        #expect(player.effects() == [.sound(.start(position: 5 * 48_000))])
    }

    @Test("stop goes back to 0, keeps the item, and stopping again sends nothing to the engine")
    func stop() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.advance(seconds: 5)
        _ = player.effects()
        player.send(.stop)
        #expect(player.effects() == [.sound(.silence(.short))])
        player.send(.stop)
        #expect(player.effects().isEmpty)
        #expect(player.state.currentIndex == 0)
        #expect(player.elapsed == 0)
    }

    @Test("pause is disabled while stopped, and the chain is not called")
    func pauseWhileStopped() {
        var player = TestPlayer([.make("one")])
        #expect(!player.isEnabled(.pause))
        #expect(player.send(.pause).status == .disabled)
        #expect(player.state.playback == .stopped)
    }

    @Test(
        "an empty queue answers 100 to everything that needs content",
        arguments: [Command.play, .toggle, .next, .previous, .skip(by: 5), .changePosition(to: 1), .pause])
    func emptyQueue(_ command: Command) {
        var player = TestPlayer([])
        #expect(player.send(command).status == .noSuchContent)
    }

    @Test("toggle plays when stopped or paused, and pauses when playing or interrupted")
    func toggle() {
        var player = TestPlayer([.make("one")])
        player.send(.toggle)
        #expect(player.state.playback == .playing)
        player.send(.toggle)
        #expect(player.state.playback == .paused)
        player.send(.toggle)
        player.player.audioLost(position: 7, at: player.now)
        player.send(.toggle)
        #expect(player.state.playback == .paused)
    }

    @Test("a position is clamped, moves silently while paused, and makes stopped paused unless it is 0")
    func position() {
        var player = TestPlayer([.make("one")])
        player.send(.changePosition(to: 0))
        #expect(player.state.playback == .stopped)
        player.send(.changePosition(to: 10))
        #expect(player.state.playback == .paused)
        #expect(player.elapsed == 10)
        player.send(.changePosition(to: -4))
        #expect(player.elapsed == 0)
        #expect(player.effects().isEmpty)
    }

    @Test("a position at the duration ends the item")
    func positionAtTheEnd() {
        var player = TestPlayer([.make("one"), .make("two")])
        player.send(.play)
        player.send(.changePosition(to: 60))
        #expect(player.state.currentIndex == 1)
        #expect(player.state.playback == .playing)
        player.send(.changePosition(to: 1e9))
        #expect(player.state.currentIndex == 0)
        #expect(player.state.playback == .stopped)
    }

    @Test("position/norm needs a duration")
    func normalizedPosition() {
        var player = TestPlayer([.make("one"), .make("endless", duration: nil)])
        player.send(.changeNormalizedPosition(to: 0.5))
        #expect(player.elapsed == 30)
        player.send(.nextItem)
        #expect(!player.isEnabled(.normalizedPosition))
        #expect(player.send(.changeNormalizedPosition(to: 0.5)).status == .disabled)
    }

    @Test(
        "no number traps, however extreme: a number that is not finite is refused",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func wildNumbers(_ value: Double) {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        for command in [
            Command.skip(by: value), .changePosition(to: value), .changeNormalizedPosition(to: value), .fadeOut(seconds: value),
            .sleep(in: value, fade: 1, .linear), .sleep(in: 1, fade: value, .linear),
            .setMasterGain(value, ramp: nil), .tune(a4: value),
            .set(Setting(layer: 0, parameter: .beat, value: value), ramp: nil),
        ] {
            let before = player.state
            if player.send(command).status == .badArguments { #expect(player.state == before) } else { #expect(value.isFinite) }
        }
        #expect(player.state.masterGain.isFinite)
        #expect(player.state.a4.isFinite)
    }

    @Test("panic stops from any state with its own fade")
    func panic() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        _ = player.effects()
        player.send(.panic)
        #expect(player.effects() == [.sound(.silence(.panic))])
        #expect(player.state.playback == .stopped)
        #expect(player.send(.panic).status == .success)
    }

    @Test("a master fade stops playback at its end, and the level is restored")
    func masterFade() {
        var player = TestPlayer([.make("one")])
        player.send(.setMasterGain(-3, ramp: nil))
        player.send(.play)
        player.send(.fadeOut(seconds: 10))
        #expect(player.state.masterTarget == Parameter.off)
        player.advance(seconds: 9.9)
        player.player.tick(at: player.now)
        #expect(player.state.playback == .playing)
        player.advance(seconds: 0.2)
        player.player.tick(at: player.now)
        #expect(player.state.playback == .stopped)
        #expect(player.state.masterTarget == -3)
    }

    @Test("a master fade ends at the same time at another sample rate, and so do a held seek and a sleep timer")
    func masterFadeAtAnotherRate() {
        for sampleRate in [22_050, 44_100, 96_000, 192_000] {
            var player = TestPlayer([.make("one", duration: nil)])
            player.send(.play)
            player.advance(seconds: 100)
            player.send(.fadeOut(seconds: 10))
            player.send(.sleep(in: 30, fade: 1, .linear))
            player.send(.seek(.forward, begins: true))
            player.advance(seconds: 4)
            player.player.audioLost(position: nil, at: player.now)
            player.player.audioAvailable(sampleRate: sampleRate, at: player.now)
            #expect(abs(player.state.timeToSleep(at: player.now) - 26) < 1e-3)
            player.now.frame += Int64(5.5 * Double(sampleRate))
            player.player.tick(at: player.now)
            #expect(player.state.playback == .playing, "\(sampleRate) Hz")
            #expect(player.state.heldSeek != nil, "\(sampleRate) Hz")
            player.now.frame += Int64(sampleRate)
            player.player.tick(at: player.now)
            #expect(player.state.playback == .stopped, "\(sampleRate) Hz")
            #expect(player.state.heldSeek == nil, "\(sampleRate) Hz")
        }
    }
}
