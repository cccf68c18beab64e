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
        var player = TestPlayer([item()])
        player.player.dayClock = DayClock(moment: player.now, seconds: 79_200)
        player.advance(seconds: 60)
        player.send(.play)
        #expect(player.elapsed == 79_260)
        player.advance(seconds: 5)
        #expect(player.elapsed == 79_265)
    }

    @Test("without a clock it starts at its beginning")
    func noClock() {
        var player = TestPlayer([item()])
        player.send(.play)
        #expect(player.elapsed == 0)
    }

    @Test("a pause keeps the position, a stop drops it")
    func pauseAndStop() {
        var player = TestPlayer([item()])
        player.player.dayClock = DayClock(moment: player.now, seconds: 1000)
        player.send(.play)
        player.advance(seconds: 10)
        player.send(.pause)
        player.advance(seconds: 100)
        player.send(.play)
        #expect(player.elapsed == 1010)
        player.send(.stop)
        #expect(player.elapsed == 0)
        player.advance(seconds: 10)
        player.send(.play)
        #expect(player.elapsed == 1120)
    }

    @Test("a seek goes to its position")
    func seek() {
        var player = TestPlayer([item()])
        player.player.dayClock = DayClock(moment: player.now, seconds: 1000)
        player.send(.play)
        player.send(.changePosition(to: 50_000))
        player.advance(seconds: 1)
        #expect(player.elapsed == 50_001)
    }

    @Test("an item that follows another starts at the time of day, and the engine seeks there")
    func follows() {
        var player = TestPlayer([.make("first"), item()])
        player.player.dayClock = DayClock(moment: player.now, seconds: 3600)
        player.send(.play)
        _ = player.effects()
        player.advance(seconds: 60)
        player.advanceToFollowing()
        #expect(player.state.currentIndex == 1)
        #expect(player.elapsed == 3660)
        #expect(player.effects().contains(.sound(.start(position: 3660 * 48_000))))
    }

    @Test("next and select start there too")
    func next() {
        var player = TestPlayer([.make("first"), item()])
        player.player.dayClock = DayClock(moment: player.now, seconds: 3600)
        player.send(.play)
        player.send(.nextItem)
        #expect(player.elapsed == 3600)
    }

    @Test("at midnight the day restarts, from its first frame")
    func midnight() {
        var player = TestPlayer([item(), .make("other")])
        #expect(player.state.followingIndex == 0)
        player.player.dayClock = DayClock(moment: player.now, seconds: 86_390)
        player.send(.play)
        _ = player.effects()
        player.advance(seconds: 10)
        // The sample clock and the wall clock never quite agree.
        player.player.dayClock = DayClock(moment: player.now, seconds: 86_399.9)
        player.advanceToFollowing()
        #expect(player.state.currentIndex == 0)
        #expect(player.elapsed == 0)
        #expect(player.effects().isEmpty)
    }

    @Test("a looping item is left only by next")
    func loops() {
        var player = TestPlayer([.make("loop"), .make("other")])
        player.player.dayClock = nil
        #expect(player.state.followingIndex == 1)
        var item = QueueItem.make("loop")
        item.patch?.loops = true
        player = TestPlayer([item, .make("other")])
        #expect(player.state.followingIndex == 0)
        player.send(.play)
        player.send(.nextItem)
        #expect(player.state.currentIndex == 1)
    }

    @Test("after a restart, and when JACK comes back, the time of day applies")
    func returning() {
        var player = TestPlayer([item()])
        player.player.dayClock = DayClock(moment: player.now, seconds: 500)
        player.send(.play)
        player.advance(seconds: 1)
        player.player.audioLost(position: nil, at: player.now)
        player.player.dayClock = DayClock(moment: player.now, seconds: 4000)
        player.player.audioAvailable(sampleRate: 48_000, at: player.now)
        #expect(player.elapsed == 4000)
        let state = player.state
        player.player.dayClock = DayClock(moment: player.now, seconds: 7000)
        player.player.restore(state, position: 4000, at: player.now)
        #expect(player.elapsed == 7000)
    }
}
