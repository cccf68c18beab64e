import Patches
import Playback
import Testing

@Suite struct NowPlayingTests {
    /// Runs commands and counts the now playing reports after each.
    private func watch(_ player: inout TestPlayer, _ steps: [(inout TestPlayer) -> Void]) -> [Int] {
        let center = NowPlayingCenter()
        center.update(from: player.state, at: player.now)
        return steps.map { step in
            step(&player)
            return center.update(from: player.state, at: player.now) ? 1 : 0
        }
    }

    @Test("now playing changes on play, jump, chapter, pause and rating, and not because time passes")
    func changes() {
        var player = TestPlayer([.make("one", chapters: [0, 20])])
        let published = watch(
            &player,
            [
                { $0.send(.play) },
                { $0.advance(seconds: 5) },
                { $0.send(.play) },
                { $0.send(.changePosition(to: 7)) },
                { $0.advance(seconds: 14) },
                { $0.advance(seconds: 1) },
                { $0.send(.pause) },
                { $0.advance(seconds: 50) },
                { $0.send(.rate(3)) },
                { $0.send(.setMasterGain(-3, ramp: nil)) },
            ])
        #expect(published == [1, 0, 0, 1, 1, 0, 1, 0, 1, 0])
    }

    @Test("a start in the engine is reported with the moment of its frame, later changes with their own")
    func landing() {
        var player = TestPlayer([.make("one")])
        let center = NowPlayingCenter()
        center.update(from: player.state, at: player.now)
        player.send(.changePosition(to: 7))
        player.send(.play)
        player.advance(seconds: 0.01)
        player.player.landed(position: 336_000, at: Moment(frame: 100))
        center.update(from: player.state, at: player.now)
        #expect(center.nowPlaying.moment.frame == 100)
        #expect(center.nowPlaying.frame == 336_000)
        player.advance(seconds: 1)
        player.send(.rate(3))
        center.update(from: player.state, at: player.now)
        #expect(center.nowPlaying.moment == player.now)
    }

    @Test("at any rate, a start where it was expected is not reported, and one elsewhere is", arguments: [0.5, 1.7, 2])
    func rate(rate: Double) {
        var player = TestPlayer([.make("one", duration: 600)])
        let landings: [(inout TestPlayer) -> Void] = [0, 0, 4800 as Int64].map { off in
            { player in
                player.advance(seconds: 5.0001)
                player.player.landed(position: player.state.position(at: player.now) + off, at: player.now)
            }
        }
        player.send(.changeRate(to: rate))
        #expect(watch(&player, [{ $0.send(.play) }] + landings) == [1, 0, 0, 1])
    }

    @Test("the default rate is reported while nothing plays; with an empty queue it is 0 like everything else")
    func defaultRate() {
        var player = TestPlayer([.make("one")])
        let published = watch(&player, [{ $0.send(.changeRate(to: 2)) }])
        #expect(published == [1])
        let now = NowPlaying(player.state, at: player.now)
        #expect(now.rate == 0)
        #expect(now.defaultRate == 2)
        #expect(NowPlaying(PlayerState(), at: Moment(frame: 0)).defaultRate == 0)
    }

    @Test("elapsed is the position at its moment, and rate is 0 unless playing")
    func elapsed() {
        var player = TestPlayer([.make("one")])
        #expect(NowPlaying(player.state, at: player.now).rate == 0)
        player.send(.play)
        player.advance(seconds: 12.5)
        let now = NowPlaying(player.state, at: player.now)
        #expect(now.rate == 1)
        #expect(now.elapsed == 12.5)
        #expect(now.frame == 600_000)
        #expect(now.moment == player.now)
    }

    @Test("with an empty queue every field is empty or 0")
    func empty() {
        #expect(
            NowPlaying(TestPlayer([]).state, at: Moment(frame: 9))
                == {
                    var now = NowPlaying()
                    now.moment.frame = 9
                    return now
                }())
    }

    @Test("indexes count from 1 and the chapter is that of the position")
    func indexes() {
        var player = TestPlayer([.make("one"), .make("two", chapters: [5, 20])])
        player.send(.selectItem(1))
        player.send(.changePosition(to: 4))
        #expect(NowPlaying(player.state, at: player.now).chapterIndex == 0)
        player.send(.changePosition(to: 20))
        let now = NowPlaying(player.state, at: player.now)
        #expect(now.queueIndex == 2)
        #expect(now.queueCount == 2)
        #expect(now.chapterIndex == 2)
        #expect(now.chapterCount == 2)
        #expect(now.chapterTitle == "Chapter 2")
        #expect(now.title == "Two")
        #expect(now.duration == 60)
    }
}
