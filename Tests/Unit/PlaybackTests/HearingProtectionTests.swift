import Patches
import Playback
import Testing

/// The soft start and the highest level.
@Suite struct HearingProtectionTests {
    private static func player(softStart: Double = 0, highest: Double = 0, hasAudio: Bool = true) -> TestPlayer {
        var player = TestPlayer([.make("one"), .make("two")], hasAudio: hasAudio)
        player.player.protect(HearingProtection(softStart: softStart, highestMasterGain: highest))
        return player
    }

    private static func master(_ seconds: Double, _ easing: Easing? = nil) -> Effect {
        .sound(.master(Ramp(seconds: seconds, easing: easing)))
    }

    @Test(
        "the level comes in when something sounds for the first time, and only then: the longer, the louder it is",
        arguments: [
            (1, 0, 5), (1, -24, 3), (1, -55, 1), (8, 0, 8), (0.5, -120, 0.5),
        ] as [(Double, Double, Double)])
    func once(softStart: Double, gain: Double, seconds: Double) {
        var player = Self.player(softStart: softStart)
        player.send(.setMasterGain(gain, ramp: nil))
        #expect(player.state.masterTarget == Parameter.off)
        #expect(player.state.masterGain == gain)
        _ = player.effects()
        player.send(.play)
        #expect(player.effects() == [.sound(.start(position: 0)), Self.master(seconds, .quadOut)])
        #expect(player.state.masterTarget == gain)
        player.advance(seconds: 10)
        player.send(.pause)
        player.send(.play)
        #expect(!player.effects().contains { if case .sound(.master) = $0 { true } else { false } })
    }

    @Test("while JACK is away nothing sounds, so the level comes in when it is there")
    func waits() {
        var player = Self.player(softStart: 1, hasAudio: false)
        player.send(.play)
        #expect(player.effects() == [])
        #expect(player.state.masterTarget == Parameter.off)
        player.player.audioAvailable(sampleRate: 48_000, at: player.now)
        #expect(player.effects() == [.sound(.start(position: 0)), Self.master(5, .quadOut)])
    }

    @Test("while the master is muted nothing sounds, so the level comes in with the unmute")
    func muted() {
        var player = Self.player(softStart: 1)
        player.send(.muteMaster(true))
        _ = player.effects()
        player.send(.play)
        #expect(player.effects() == [.sound(.start(position: 0))])
        player.advance(seconds: 60)
        player.send(.muteMaster(false))
        #expect(player.effects() == [Self.master(5, .quadOut)])
        player.advance(seconds: 60)
        player.send(.muteMaster(true))
        player.advance(seconds: 60)
        _ = player.effects()
        player.send(.muteMaster(false))
        #expect(player.effects() == [Self.master(0.02)])
    }

    @Test("a soft start can be stopped: a softer level is there at once, and none is reached faster than without it")
    func stopped() {
        func started(seconds: Double) -> TestPlayer {
            var player = Self.player(softStart: 1)
            player.send(.play)
            player.advance(seconds: seconds)
            _ = player.effects()
            return player
        }
        // In the middle, -30 dB are heard.
        for (gain, expected) in [(-40, Self.master(0.02)), (-30, Self.master(0.02)), (-6, Self.master(2, .linear))] as [(Double, Effect)] {
            var player = started(seconds: 2.5)
            player.send(.setMasterGain(gain, ramp: nil))
            #expect(player.effects() == [expected], "\(gain) dB")
        }
        var player = started(seconds: 2.5)
        player.send(.muteMaster(true))
        #expect(player.effects() == [Self.master(0.02)])
        player.send(.muteMaster(false))
        #expect(player.effects() == [Self.master(2.5)])
        player.send(.setMasterGain(-3, ramp: Ramp(seconds: 7)))
        #expect(player.effects() == [Self.master(7)])
        // While nothing is heard yet, 12 dB a second would take longer.
        var early = started(seconds: 0.5)
        early.send(.setMasterGain(-12, ramp: nil))
        #expect(early.effects() == [Self.master(4.5, .quadOut)])
    }

    @Test("a session that is more than 6 dB louder than what was heard comes in softly as well, when it sounds")
    func louder() {
        func playing(_ gain: Double) -> PlayerState {
            var state = PlayerState()
            (state.items, state.currentIndex, state.playback, state.masterGain) = ([.make("other")], 0, .playing, gain)
            return state
        }
        var player = Self.player(softStart: 1)
        player.send(.setMasterGain(-30, ramp: nil))
        player.send(.play)
        player.advance(seconds: 10)
        _ = player.effects()
        player.player.restore(playing(-24), position: 0, at: player.now)
        #expect(player.effects() == [.sound(.silence(.short)), Self.master(0.02), .sound(.start(position: 0))])
        player.player.restore(playing(-12), position: 0, at: player.now)
        #expect(player.effects() == [.sound(.silence(.short)), .sound(.start(position: 0)), Self.master(4, .quadOut)])
        player.advance(seconds: 10)
        var paused = playing(0)
        paused.playback = .paused
        player.player.restore(paused, position: 0, at: player.now)
        #expect(player.state.masterTarget == Parameter.off)
        #expect(player.effects() == [.sound(.silence(.short)), Self.master(0.02)])
        player.send(.play)
        #expect(player.effects() == [.sound(.start(position: 0)), Self.master(5, .quadOut)])
        player.advance(seconds: 10)
        player.send(.muteMaster(true))
        _ = player.effects()
        player.player.restore(playing(-24), position: 0, at: player.now)
        #expect(player.effects().last == Self.master(3, .quadOut), "nothing was heard")
    }

    @Test("without a soft start, a louder session is there at once")
    func withoutSoftStart() {
        var player = Self.player()
        player.send(.setMasterGain(-30, ramp: nil))
        player.send(.play)
        _ = player.effects()
        var louder = player.state
        louder.masterGain = 0
        player.player.restore(louder, position: 0, at: player.now)
        #expect(player.effects() == [.sound(.silence(.short)), Self.master(0.02), .sound(.start(position: 0))])
    }

    // MARK: A level raised in silence

    /// Commands that end the sound, and those that bring it back.
    private static let endings: [(Command, Command)] = [
        (.pause, .play), (.stop, .play), (.panic, .play), (.muteMaster(true), .muteMaster(false)),
    ]

    /// Plays at a level, without a soft start under way.
    private static func playing(at gain: Double) -> TestPlayer {
        var player = Self.player(softStart: 1)
        player.send(.setMasterGain(gain, ramp: nil))
        player.send(.play)
        player.advance(seconds: 10)
        _ = player.effects()
        return player
    }

    /// The changes of the master since the last call.
    private static func masterChanges(_ player: inout TestPlayer) -> [Effect] {
        player.effects().filter {
            switch $0 {
            case .sound(.master), .sound(.loweredMaster), .sound(.fadedMaster), .sound(.masterWhenSilent): true
            default: false
            }
        }
    }

    @Test("a level raised by more than 6 dB since it was heard comes in softly; any other is there at once", arguments: 0..<4)
    func raised(ending: Int) {
        let (end, resume) = Self.endings[ending]
        // A play does not move the master; an unmute does.
        let atOnce = resume == .play ? [] : [Self.master(0.02)]
        for (gains, expected) in [
            ([0], [Self.master(5, .quadOut)]), ([-30], [Self.master(2.5, .quadOut)]), ([-34], atOnce), ([-40], atOnce), ([-60], atOnce),
            ([], atOnce), ([0, -36], atOnce), ([-36, -32, -28, -24], [Self.master(3, .quadOut)]),
        ] as [([Double], [Effect])] {
            var player = Self.playing(at: -40)
            player.send(end)
            for gain in gains { player.send(.setMasterGain(gain, ramp: nil)) }
            #expect(player.state.masterGain == gains.last ?? -40)
            player.advance(seconds: 5)
            _ = player.effects()
            player.send(resume)
            #expect(Self.masterChanges(&player) == expected, "\(gains) dB")
            #expect(player.state.masterTarget == player.state.masterGain)
        }
    }

    @Test("a level raised in silence keeps the master silent until the sound rises")
    func keptSilent() {
        var player = Self.playing(at: -40)
        player.send(.pause)
        player.send(.setMasterGain(0, ramp: Ramp(seconds: 60)))
        #expect(Self.masterChanges(&player) == [Self.master(0.02)])
        #expect(player.state.masterTarget == Parameter.off)
        player.send(.muteMaster(true))
        player.send(.play)
        player.advance(seconds: 20)
        #expect(player.state.masterTarget == Parameter.off)
        _ = player.effects()
        player.send(.muteMaster(false))
        #expect(Self.masterChanges(&player) == [Self.master(40, .quadOut)], "no faster than the ramp that was asked for")
    }

    @Test("a rise that was not over when the sound ended starts again", arguments: 0..<4)
    func riseEnded(ending: Int) {
        let (end, resume) = Self.endings[ending]
        for seconds in [0, 2.5] {
            var player = Self.player(softStart: 1)
            player.send(.play)
            player.advance(seconds: seconds)
            _ = player.effects()
            player.send(end)
            #expect(Self.masterChanges(&player) == [end == .muteMaster(true) ? Self.master(0.02) : .sound(.masterWhenSilent)])
            #expect(player.state.masterTarget == Parameter.off)
            player.advance(seconds: 10)
            player.send(resume)
            #expect(Self.masterChanges(&player) == [Self.master(5, .quadOut)])
        }
    }

    @Test("the end of the queue and a followed transport that stops count like a stop", arguments: [true, false])
    func endedByOthers(follows: Bool) {
        var player = Self.player(softStart: 1)
        if follows { player.send(.changeTransportMode(to: .follow)) }
        func begin() {
            if follows { return player.player.follow(isRolling: true, frame: 0, at: player.now) }
            player.send(.selectItem(1))
            player.send(.play)
        }
        func end() {
            if follows { return player.player.follow(isRolling: false, frame: 0, at: player.now) }
            player.player.ended(at: player.now)
            #expect(player.state.playback == .stopped)
        }
        begin()
        player.advance(seconds: 2.5)
        _ = player.effects()
        end()
        #expect(Self.masterChanges(&player) == [.sound(.masterWhenSilent)])
        player.advance(seconds: 10)
        begin()
        #expect(Self.masterChanges(&player) == [Self.master(5, .quadOut)])
        player.advance(seconds: 10)
        end()
        begin()
        #expect(Self.masterChanges(&player) == [])
    }

    @Test("after a fade the level before it counts: it is back at once, unless the sound was still rising", arguments: [true, false])
    func faded(sleeps: Bool) {
        for (seconds, expected) in [(10, []), (2.5, [Self.master(5, .quadOut)])] as [(Double, [Effect])] {
            var player = Self.player(softStart: 1)
            player.send(.play)
            player.advance(seconds: seconds)
            player.send(sleeps ? .sleep(in: 1, fade: 1, .linear) : .fadeOut(seconds: 1))
            player.advance(seconds: 0.5)
            player.send(.muteMaster(true))
            player.send(.muteMaster(false))
            player.player.tick(at: player.now)
            player.advance(seconds: 1)
            player.player.tick(at: player.now)
            #expect(player.state.playback == .stopped)
            #expect(Self.masterChanges(&player).last == .sound(.masterWhenSilent))
            player.send(.play)
            #expect(Self.masterChanges(&player) == expected, "after \(seconds) s")
        }
    }

    @Test("after more than a quarter of an hour of silence any level comes in softly, as the first sound does", arguments: 0..<4)
    func longSilence(ending: Int) {
        let (end, resume) = Self.endings[ending]
        for (seconds, isSoft) in [(890, false), (910, true)] as [(Double, Bool)] {
            var player = Self.playing(at: -24)
            player.send(end)
            player.advance(seconds: seconds)
            _ = player.effects()
            player.send(resume)
            let changes = Self.masterChanges(&player)
            let rise = SoundChange.loweredMaster(Parameter.off, Ramp(seconds: 3, easing: .quadOut))
            #expect(changes.contains(.sound(rise)) == isSoft, "\(changes) after \(seconds) s")
        }
    }

    @Test("after that time the master is silent in advance, so that the next start needs no more time than any other")
    func preparedSilence() {
        var player = Self.playing(at: -24)
        player.send(.pause)
        player.advance(seconds: 890)
        player.player.tick(at: player.now)
        #expect(player.state.masterTarget == -24)
        player.advance(seconds: 20)
        _ = player.effects()
        for expected in [[Effect.sound(.masterWhenSilent)], []] {
            player.player.tick(at: player.now)
            #expect(player.effects() == expected)
            #expect(player.state.masterTarget == Parameter.off)
        }
        player.send(.play)
        #expect(Self.masterChanges(&player) == [Self.master(3, .quadOut)])
        #expect(player.state.masterTarget == -24)
    }

    @Test("time in which JACK was away or the machine suspended counts as silence", arguments: [10, 1000] as [Double])
    func longAbsence(seconds: Double) {
        var player = Self.playing(at: -24)
        player.player.audioLost(position: nil, at: player.now)
        _ = player.effects()
        player.player.audioAvailable(sampleRate: 44_100, at: player.now, unrendered: seconds)
        let rise = Effect.sound(.loweredMaster(Parameter.off, Ramp(seconds: 3, easing: .quadOut)))
        #expect(Self.masterChanges(&player) == (seconds > 900 ? [rise] : []))
    }

    @Test("a level that was raised while JACK was away comes in softly when it is back")
    func raisedWhileAway() {
        for (gain, expected) in [(0, [Self.master(5, .quadOut)]), (-40, [])] as [(Double, [Effect])] {
            var player = Self.playing(at: -40)
            player.player.audioLost(position: nil, at: player.now)
            player.send(.setMasterGain(gain, ramp: nil))
            _ = player.effects()
            player.player.audioAvailable(sampleRate: 48_000, at: player.now)
            #expect(Self.masterChanges(&player) == expected)
        }
    }

    @Test("a session that is opened in silence is compared with what was heard")
    func sessionInSilence() {
        var player = Self.playing(at: -40)
        player.send(.pause)
        player.send(.setMasterGain(0, ramp: nil))
        for (gain, expected) in [(0, [Self.master(5, .quadOut)]), (-36, [])] as [(Double, [Effect])] {
            var restored = player.state
            restored.masterGain = gain
            player.player.restore(restored, position: 0, at: player.now)
            _ = player.effects()
            var resumed = player
            resumed.send(.play)
            #expect(Self.masterChanges(&resumed) == expected)
        }
    }

    @Test("without a soft start, a level raised in silence is there at once", arguments: 0..<4)
    func raisedWithoutSoftStart(ending: Int) {
        let (end, resume) = Self.endings[ending]
        var player = Self.player()
        player.send(.setMasterGain(-40, ramp: nil))
        player.send(.play)
        player.send(end)
        player.send(.setMasterGain(0, ramp: nil))
        player.advance(seconds: 5)
        _ = player.effects()
        player.send(resume)
        #expect(Self.masterChanges(&player) == (resume == .play ? [] : [Self.master(0.02)]))
    }

    @Test("no command raises the master above the highest level", arguments: [0, -11.9, -12, 1e9])
    func limited(gain: Double) {
        var player = Self.player(highest: -12)
        #expect(player.state.masterGain == -12)
        #expect(player.send(.setMasterGain(gain, ramp: nil)).status == .success)
        #expect(player.state.masterGain == -12)
        player.send(.setMasterGain(-20, ramp: nil))
        #expect(player.state.masterGain == -20)
    }

    @Test("a session above the highest level is lowered, and the user is notified")
    func session() {
        var player = Self.player(highest: -12)
        var restored = PlayerState()
        restored.masterGain = -3.5
        player.player.restore(restored, position: 0, at: player.now)
        #expect(player.state.masterGain == -12)
        #expect(player.state.hearing.highestMasterGain == -12)
        #expect(
            player.effects().contains(
                .request(
                    .notice("The session's master level of -3.5 dB is above the preference maximumLevel: it is now -12 dB."))))
        restored.masterGain = -30
        player.player.restore(restored, position: 0, at: player.now)
        #expect(player.state.masterGain == -30)
        #expect(!player.effects().contains { if case .request = $0 { true } else { false } })
    }
}
