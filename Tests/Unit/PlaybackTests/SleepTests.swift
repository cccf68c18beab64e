import Patches
import Playback
import Testing

/// The sleep timer, and everything that may happen while it runs.
@Suite struct SleepTests {
    private static let second = Int64(TestPlayer.sampleRate)

    /// Plays, with a timer of 100 s that fades over the last 10.
    private static func testPlayer(_ items: [QueueItem] = [.make("one", duration: nil), .make("two", duration: nil)]) -> TestPlayer {
        var testPlayer = TestPlayer(items)
        testPlayer.send(.play)
        testPlayer.send(.sleep(in: 100, fade: 10, .quadIn))
        _ = testPlayer.effects()
        return testPlayer
    }

    private static let fade = Effect.sound(.fadeMaster(from: Moment(frame: 90 * second), until: Moment(frame: 100 * second), .quadIn))

    @Test("it fades from its first frame to its last, then everything stops and the level is restored")
    func course() {
        var testPlayer = Self.testPlayer()
        #expect(testPlayer.fades(at: 89) == [])
        #expect(testPlayer.fades(at: 89.6) == [Self.fade])
        #expect(testPlayer.fades(at: 99.9) == [])
        #expect(testPlayer.state.playback == .playing)
        #expect(testPlayer.state.masterTarget == Parameter.off)
        #expect(testPlayer.fades(at: 100) == [.sound(.silence(.short)), .sound(.masterWhenSilent)])
        #expect(testPlayer.state.playback == .stopped)
        #expect(testPlayer.state.masterTarget == 0)
        #expect(testPlayer.state.sleep == nil)
        #expect(testPlayer.fades(at: 300) == [])
    }

    @Test("a timer shorter than its fade fades at once, and one without a fade still does not click")
    func short() {
        var testPlayer = Self.testPlayer()
        testPlayer.send(.sleep(in: 5, fade: 10, .linear))
        #expect(
            testPlayer.effects() == [
                .sound(.fadeMaster(from: Moment(frame: -5 * Self.second), until: Moment(frame: 5 * Self.second), .linear))
            ])
        testPlayer = Self.testPlayer()
        testPlayer.send(.sleep(in: 5, fade: 0, .linear))
        #expect(
            testPlayer.fades(at: 5 - 0.1) == [
                .sound(.fadeMaster(from: Moment(frame: 5 * Self.second - 960), until: Moment(frame: 5 * Self.second), .linear))
            ])
    }

    @Test("seeks, other items, a removed item and another session do not delay it")
    func persistence() {
        for command in [Command.changePosition(to: 500), .nextItem, .removeItem(0), .skip(by: 10), .changeRate(to: 2)] {
            var testPlayer = Self.testPlayer()
            testPlayer.send(command)
            _ = testPlayer.effects()
            #expect(testPlayer.fades(at: 95) == [Self.fade], "\(command)")
        }
        var testPlayer = Self.testPlayer()
        testPlayer.player.restore(testPlayer.state, position: 0, at: testPlayer.now)
        _ = testPlayer.effects()
        #expect(testPlayer.fades(at: 95) == [Self.fade])
        testPlayer.player.restore(testPlayer.state, position: 0, at: testPlayer.now)
        #expect(testPlayer.fades(at: 96).last == Self.fade, "in the fade, too")
        #expect(testPlayer.fades(at: 100).contains(.sound(.silence(.short))))
    }

    @Test("a pause does not delay it: what is paused when it ends stays paused, and what resumes is faded over the remaining time")
    func pause() {
        var testPlayer = Self.testPlayer()
        testPlayer.send(.pause)
        #expect(testPlayer.fades(at: 101) == [.sound(.silence(.short))])
        #expect(testPlayer.state.playback == .paused)
        #expect(testPlayer.state.sleep == nil)

        testPlayer = Self.testPlayer()
        _ = testPlayer.fades(at: 95)
        testPlayer.send(.pause)
        #expect(testPlayer.fades(at: 96) == [.sound(.silence(.short)), .sound(.masterWhenSilent)])
        testPlayer.send(.play)
        #expect(testPlayer.fades(at: 97).last == Self.fade)
        #expect(testPlayer.fades(at: 100).first == .sound(.silence(.short)))
    }

    @Test("stop, panic and the end of the queue end it", arguments: [Command.stop, .panic])
    func end(command: Command) {
        var testPlayer = Self.testPlayer()
        testPlayer.send(command)
        #expect(testPlayer.state.sleep == nil)
        testPlayer.send(.play)
        _ = testPlayer.effects()
        #expect(testPlayer.fades(at: 200) == [])

        testPlayer = Self.testPlayer()
        _ = testPlayer.fades(at: 95)
        testPlayer.send(command)
        #expect(testPlayer.effects() == [.sound(.silence(command == .stop ? .short : .panic)), .sound(.masterWhenSilent)])

        testPlayer = Self.testPlayer([.make("one")])
        testPlayer.player.ended(at: testPlayer.now)
        #expect(testPlayer.state.sleep == nil)
    }

    @Test("0 cancels it, and a fade that has started comes back at 12 dB a second; a new time replaces it")
    func cancelled() {
        var testPlayer = Self.testPlayer()
        _ = testPlayer.fades(at: 95)
        testPlayer.send(.sleep(in: 0, fade: 10, .linear))
        #expect(testPlayer.effects() == [.sound(.master(Ramp(seconds: 2.5, easing: .linear)))])
        #expect(testPlayer.state.sleep == nil)
        #expect(testPlayer.state.masterTarget == 0)
        #expect(testPlayer.fades(at: 200) == [])
        #expect(testPlayer.state.playback == .playing)
        testPlayer.send(.sleep(in: 100, fade: 10, .linear))
        _ = testPlayer.fades(at: 295)
        testPlayer.send(.sleep(in: 100, fade: 10, .linear))
        #expect(testPlayer.effects() == [.sound(.master(Ramp(seconds: 5, easing: .linear)))])
        #expect(testPlayer.state.timeToSleep(at: testPlayer.now) == 100)
    }

    @Test("level and mute apply during the fade, from the level that is heard, and the remaining time is faded again")
    func level() {
        // Half of the fade's time is a quarter of its way: -30 dB.
        for (level, ramp) in [(-3.0, Ramp(seconds: 2.25, easing: .linear)), (-36, .shortLevel)] {
            var testPlayer = Self.testPlayer()
            _ = testPlayer.fades(at: 95)
            testPlayer.send(.setMasterGain(level, ramp: nil))
            #expect(testPlayer.effects() == [.sound(.master(ramp))])
            #expect(testPlayer.fades(at: 97) == [Self.fade])
        }
        var testPlayer = Self.testPlayer()
        _ = testPlayer.fades(at: 95)
        testPlayer.send(.muteMaster(true))
        #expect(testPlayer.effects() == [.sound(.master(.shortLevel))])
        #expect(testPlayer.fades(at: 97.5) == [], "there is nothing to fade")
        testPlayer.send(.muteMaster(false))
        #expect(testPlayer.effects() == [.sound(.fadedMaster(-67.5, .shortLevel))])
        #expect(testPlayer.state.masterTarget == 0)
        #expect(testPlayer.fades(at: 98) == [Self.fade])
    }

    @Test("while JACK is away it stops counting, and at another sample rate it ends at the same time")
    func away() {
        var testPlayer = Self.testPlayer()
        _ = testPlayer.fades(at: 95)
        testPlayer.player.audioLost(position: nil, at: testPlayer.now)
        #expect(testPlayer.state.masterTarget == 0)
        testPlayer.player.audioAvailable(sampleRate: 96_000, at: testPlayer.now)
        #expect(testPlayer.state.timeToSleep(at: testPlayer.now) == 5)
        _ = testPlayer.effects()
        testPlayer.player.tick(at: testPlayer.now)
        let (now, second) = (testPlayer.now.frame, Int64(96_000))
        let fade = Effect.sound(.fadeMaster(from: Moment(frame: now - 5 * second), until: Moment(frame: now + 5 * second), .quadIn))
        #expect(testPlayer.effects() == [fade])
    }

    @Test("now playing reports the remaining time when the timer is set, changed or cancelled, and never because time passes")
    func nowPlaying() {
        var testPlayer = TestPlayer([.make("one", duration: nil)])
        let center = NowPlayingCenter()
        var published: [Double] = []
        func update() { if center.update(from: testPlayer.state, at: testPlayer.now) { published.append(center.nowPlaying.timeToSleep) } }
        update()
        for step: (inout TestPlayer) -> Void in [
            { $0.send(.play) }, { $0.send(.sleep(in: 100, fade: 10, .linear)) }, { _ = $0.fades(at: 50) }, { _ = $0.fades(at: 95) },
            { $0.send(.sleep(in: 30, fade: 10, .linear)) }, { $0.send(.sleep(in: 0, fade: 10, .linear)) },
        ] {
            step(&testPlayer)
            update()
        }
        #expect(published == [0, 0, 100, 30, 0])
    }
}

extension TestPlayer {
    /// The effects until then, polled every 10 ms.
    fileprivate mutating func fades(at seconds: Double) -> [Effect] {
        let end = Int64(seconds * Double(Self.sampleRate))
        while now.frame < end {
            now.frame = min(now.frame + 480, end)
            player.tick(at: now)
        }
        return effects()
    }
}
