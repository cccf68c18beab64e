import Patches
import Playback
import Testing

/// The sleep timer, and everything that may happen while it runs.
@Suite struct SleepTests {
    private static let second = Int64(TestPlayer.sampleRate)

    /// Plays, with a timer of 100 s that fades over the last 10.
    private static func rig(_ items: [QueueItem] = [.make("one", duration: nil), .make("two", duration: nil)]) -> TestPlayer {
        var rig = TestPlayer(items)
        rig.send(.play)
        rig.send(.sleep(in: 100, fade: 10, .quadIn))
        _ = rig.effects()
        return rig
    }

    private static let fade = Effect.sound(.fadeMaster(from: Moment(frame: 90 * second), until: Moment(frame: 100 * second), .quadIn))

    @Test("it fades from its first frame to its last, then everything stops and the level is restored")
    func course() {
        var rig = Self.rig()
        #expect(rig.fades(at: 89) == [])
        #expect(rig.fades(at: 89.6) == [Self.fade])
        #expect(rig.fades(at: 99.9) == [])
        #expect(rig.state.playback == .playing)
        #expect(rig.state.masterTarget == Parameter.off)
        #expect(rig.fades(at: 100) == [.sound(.silence(.short)), .sound(.masterWhenSilent)])
        #expect(rig.state.playback == .stopped)
        #expect(rig.state.masterTarget == 0)
        #expect(rig.state.sleep == nil)
        #expect(rig.fades(at: 300) == [])
    }

    @Test("a timer shorter than its fade fades at once, and one without a fade still does not click")
    func short() {
        var rig = Self.rig()
        rig.send(.sleep(in: 5, fade: 10, .linear))
        #expect(
            rig.effects() == [.sound(.fadeMaster(from: Moment(frame: -5 * Self.second), until: Moment(frame: 5 * Self.second), .linear))])
        rig = Self.rig()
        rig.send(.sleep(in: 5, fade: 0, .linear))
        #expect(
            rig.fades(at: 5 - 0.1) == [
                .sound(.fadeMaster(from: Moment(frame: 5 * Self.second - 960), until: Moment(frame: 5 * Self.second), .linear))
            ])
    }

    @Test("seeks, other items, a removed item and another session do not delay it")
    func persistence() {
        for command in [Command.changePosition(to: 500), .nextItem, .removeItem(0), .skip(by: 10), .changeRate(to: 2)] {
            var rig = Self.rig()
            rig.send(command)
            _ = rig.effects()
            #expect(rig.fades(at: 95) == [Self.fade], "\(command)")
        }
        var rig = Self.rig()
        rig.player.restore(rig.state, position: 0, at: rig.now)
        _ = rig.effects()
        #expect(rig.fades(at: 95) == [Self.fade])
        rig.player.restore(rig.state, position: 0, at: rig.now)
        #expect(rig.fades(at: 96).last == Self.fade, "in the fade, too")
        #expect(rig.fades(at: 100).contains(.sound(.silence(.short))))
    }

    @Test("a pause does not delay it: what is paused when it ends stays paused, and what resumes is faded over the remaining time")
    func pause() {
        var rig = Self.rig()
        rig.send(.pause)
        #expect(rig.fades(at: 101) == [.sound(.silence(.short))])
        #expect(rig.state.playback == .paused)
        #expect(rig.state.sleep == nil)

        rig = Self.rig()
        _ = rig.fades(at: 95)
        rig.send(.pause)
        #expect(rig.fades(at: 96) == [.sound(.silence(.short)), .sound(.masterWhenSilent)])
        rig.send(.play)
        #expect(rig.fades(at: 97).last == Self.fade)
        #expect(rig.fades(at: 100).first == .sound(.silence(.short)))
    }

    @Test("stop, panic and the end of the queue end it", arguments: [Command.stop, .panic])
    func end(command: Command) {
        var rig = Self.rig()
        rig.send(command)
        #expect(rig.state.sleep == nil)
        rig.send(.play)
        _ = rig.effects()
        #expect(rig.fades(at: 200) == [])

        rig = Self.rig()
        _ = rig.fades(at: 95)
        rig.send(command)
        #expect(rig.effects() == [.sound(.silence(command == .stop ? .short : .panic)), .sound(.masterWhenSilent)])

        rig = Self.rig([.make("one")])
        rig.player.ended(at: rig.now)
        #expect(rig.state.sleep == nil)
    }

    @Test("0 cancels it, and a fade that has started comes back over a second; a new time replaces it")
    func cancelled() {
        var rig = Self.rig()
        _ = rig.fades(at: 95)
        rig.send(.sleep(in: 0, fade: 10, .linear))
        #expect(rig.effects() == [.sound(.master(Ramp(seconds: 1)))])
        #expect(rig.state.sleep == nil)
        #expect(rig.state.masterTarget == 0)
        #expect(rig.fades(at: 200) == [])
        #expect(rig.state.playback == .playing)
        rig.send(.sleep(in: 100, fade: 10, .linear))
        _ = rig.fades(at: 295)
        rig.send(.sleep(in: 100, fade: 10, .linear))
        #expect(rig.effects() == [.sound(.master(Ramp(seconds: 1)))])
        #expect(rig.state.timeToSleep(at: rig.now) == 100)
    }

    @Test("level and mute apply during the fade, and the remaining time is faded again")
    func level() {
        for command in [Command.setMasterGain(-3, ramp: nil), .muteMaster(true)] {
            var rig = Self.rig()
            _ = rig.fades(at: 95)
            rig.send(command)
            #expect(rig.effects().last == .sound(.master(.shortLevel)))
            if command == .muteMaster(true) {
                #expect(rig.fades(at: 96) == [], "there is nothing to fade")
                rig.send(.muteMaster(false))
                #expect(rig.effects() == [.sound(.master(.shortLevel))])
                #expect(rig.state.masterTarget == 0)
            }
            #expect(rig.fades(at: 97) == [Self.fade])
        }
    }

    @Test("while JACK is away it stops counting, and at another sample rate it ends at the same time")
    func away() {
        var rig = Self.rig()
        _ = rig.fades(at: 95)
        rig.player.audioLost(position: nil, at: rig.now)
        #expect(rig.state.masterTarget == 0)
        rig.player.audioAvailable(sampleRate: 96_000, at: rig.now)
        #expect(rig.state.timeToSleep(at: rig.now) == 5)
        _ = rig.effects()
        rig.player.tick(at: rig.now)
        let (now, second) = (rig.now.frame, Int64(96_000))
        let fade = Effect.sound(.fadeMaster(from: Moment(frame: now - 5 * second), until: Moment(frame: now + 5 * second), .quadIn))
        #expect(rig.effects() == [fade])
    }

    @Test("now playing reports the remaining time when the timer is set, changed or cancelled, and never because time passes")
    func nowPlaying() {
        var rig = TestPlayer([.make("one", duration: nil)])
        let center = NowPlayingCenter()
        var published: [Double] = []
        func update() { if center.update(from: rig.state, at: rig.now) { published.append(center.nowPlaying.timeToSleep) } }
        update()
        for step: (inout TestPlayer) -> Void in [
            { $0.send(.play) }, { $0.send(.sleep(in: 100, fade: 10, .linear)) }, { _ = $0.fades(at: 50) }, { _ = $0.fades(at: 95) },
            { $0.send(.sleep(in: 30, fade: 10, .linear)) }, { $0.send(.sleep(in: 0, fade: 10, .linear)) },
        ] {
            step(&rig)
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
