import Patches
import Playback
import Testing

@Suite("Items that follow the time of day") struct DayClockTests {
    private func item(loops: Bool = true, chapters: [Double] = []) -> QueueItem {
        var item = QueueItem.make("day", duration: Patch.day, chapters: chapters)
        item.patch?.clock = 0
        item.patch?.loops = loops
        return item
    }

    @Test("play starts at the time of day")
    func play() {
        var rig = TestPlayer([item()])
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 79_200)
        rig.advance(seconds: 60)
        rig.send(.play)
        #expect(rig.elapsed == 79_260)
        rig.advance(seconds: 5)
        #expect(rig.elapsed == 79_265)
    }

    @Test("without a clock it starts at its beginning")
    func noClock() {
        var rig = TestPlayer([item()])
        rig.send(.play)
        #expect(rig.elapsed == 0)
    }

    @Test("a pause keeps the position, a stop drops it")
    func pauseAndStop() {
        var rig = TestPlayer([item()])
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 1000)
        rig.send(.play)
        rig.advance(seconds: 10)
        rig.send(.pause)
        rig.advance(seconds: 100)
        rig.send(.play)
        #expect(rig.elapsed == 1010)
        rig.send(.stop)
        #expect(rig.elapsed == 0)
        rig.advance(seconds: 10)
        rig.send(.play)
        #expect(rig.elapsed == 1120)
    }

    @Test("a seek goes to its position")
    func seek() {
        var rig = TestPlayer([item()])
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 1000)
        rig.send(.play)
        rig.send(.changePosition(to: 50_000))
        rig.advance(seconds: 1)
        #expect(rig.elapsed == 50_001)
    }

    @Test("an item that follows another starts at the time of day, and the engine seeks there")
    func follows() {
        var rig = TestPlayer([.make("first"), item()])
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 3600)
        rig.send(.play)
        _ = rig.effects()
        rig.advance(seconds: 60)
        rig.advanceToFollowing()
        #expect(rig.state.currentIndex == 1)
        #expect(rig.elapsed == 3660)
        #expect(rig.effects().contains(.sound(.start(position: 3660 * 48_000))))
    }

    @Test("next and select start there too")
    func next() {
        var rig = TestPlayer([.make("first"), item()])
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 3600)
        rig.send(.play)
        rig.send(.nextItem)
        #expect(rig.elapsed == 3600)
    }

    @Test("at midnight the day restarts, from its first frame")
    func midnight() {
        var rig = TestPlayer([item(), .make("other")])
        #expect(rig.state.followingIndex == 0)
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 86_390)
        rig.send(.play)
        _ = rig.effects()
        rig.advance(seconds: 10)
        // The sample clock and the wall clock never quite agree.
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 86_399.9)
        rig.advanceToFollowing()
        #expect(rig.state.currentIndex == 0)
        #expect(rig.elapsed == 0)
        #expect(rig.effects().isEmpty)
    }

    @Test("a looping item is left only by next")
    func loops() {
        var rig = TestPlayer([.make("loop"), .make("other")])
        rig.player.dayClock = nil
        #expect(rig.state.followingIndex == 1)
        var item = QueueItem.make("loop")
        item.patch?.loops = true
        rig = TestPlayer([item, .make("other")])
        #expect(rig.state.followingIndex == 0)
        rig.send(.play)
        rig.send(.nextItem)
        #expect(rig.state.currentIndex == 1)
    }

    @Test("after a restart, and when JACK comes back, the time of day applies")
    func returning() {
        var rig = TestPlayer([item()])
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 500)
        rig.send(.play)
        rig.advance(seconds: 1)
        rig.player.audioLost(position: nil, at: rig.now)
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 4000)
        rig.player.audioAvailable(sampleRate: 48_000, at: rig.now)
        #expect(rig.elapsed == 4000)
        let state = rig.state
        rig.player.dayClock = DayClock(moment: rig.now, seconds: 7000)
        rig.player.restore(state, position: 4000, at: rig.now)
        #expect(rig.elapsed == 7000)
    }
}
