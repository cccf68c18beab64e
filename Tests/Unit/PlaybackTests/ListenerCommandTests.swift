import Patches
import Playback
import Testing

/// Rating, likes, bookmarks, rate, shuffle, held seeks.
@Suite struct ListenerCommandTests {
    @Test("a rating is clamped to 0...5 and belongs to the current item")
    func rating() {
        var player = TestPlayer([.make("one"), .make("two")])
        #expect(player.send(.rate(9)) == CommandResult(.success, by: "item"))
        #expect(player.state.items.map(\.rating) == [5, 0])
        #expect(NowPlaying(player.state, at: player.now).rating == 5)
    }

    @Test("dislike clears like, and clearing a mark that is not set changes nothing")
    func likes() {
        var player = TestPlayer([.make("one")])
        player.send(.like(true))
        #expect(player.state.items[0].liked == true)
        player.send(.dislike(true))
        #expect(player.state.items[0].liked == false)
        player.send(.like(false))
        #expect(player.state.items[0].liked == false)
        player.send(.dislike(false))
        #expect(player.state.items[0].liked == nil)
    }

    @Test("a session holds 4096 bookmarks in all items together")
    func bookmarkLimit() {
        var items = [QueueItem.make("one"), .make("two", duration: 100_000)]
        items[0].bookmarks = (0..<4000).map { Double($0) * 2 }
        var player = TestPlayer(items)
        player.send(.selectItem(1))
        for index in 0..<96 {
            player.send(.changePosition(to: Double(2 * index)))
            #expect(player.send(.bookmark(true)).status == .success)
        }
        player.send(.changePosition(to: 5000))
        #expect(player.send(.bookmark(true)).status == .queueFull)
        player.send(.changePosition(to: 0))
        #expect(player.send(.bookmark(false)).status == .success)
        player.send(.changePosition(to: 5000))
        #expect(player.send(.bookmark(true)).status == .success)
    }

    @Test("a session holds 8192 edits in all items together; replacing one, resetting and releasing a fader stay possible")
    func editLimit() {
        let gain = { (value: Double) in Command.set(Setting(layer: 0, parameter: .gain, value: value), ramp: nil) }
        let beat = { (value: Double) in Command.set(Setting(layer: 0, parameter: .beat, value: value), ramp: nil) }
        var items = [QueueItem.make("one"), .make("two")]
        items[0].edits = (0..<8190).map { LiveEdit(setting: Setting(layer: 0, parameter: .gain, value: -20), position: Double($0)) }
        var player = TestPlayer(items)
        player.send(.selectItem(1))
        player.send(gain(-31))
        player.send(.savePreset("one"))
        player.send(gain(-30))
        #expect(player.send(beat(6)).status == .success)
        let full = player.send(.set(Setting(layer: 1, parameter: .gain, value: -30), ramp: nil))
        #expect(full.status == .queueFull)
        #expect(full.message == "A session holds at most 8192 edits: reset a layer or remove an item first.")
        #expect(player.send(.loadPreset("one")).status == .queueFull)
        #expect(player.send(.touch(.parameter(.gain, layer: 1), true)).status == .queueFull)
        #expect(player.state.items.reduce(0) { $0 + $1.edits.count } == 8192)
        // Others replace an edit that is there.
        #expect(player.send(gain(-32)).status == .success)
        #expect(player.send(.touch(.parameter(.gain, layer: 0), true)).status == .success)
        #expect(player.send(gain(-33)).status == .success)
        #expect(player.send(.touch(.parameter(.gain, layer: 0), false)).status == .success)
        #expect(player.state.current?.edits.last?.setting.value == -33)
        #expect(player.send(.reset(layer: 0)).status == .success)
        #expect(player.send(.set(Setting(layer: 1, parameter: .gain, value: -30), ramp: nil)).status == .success)
        #expect(player.send(beat(7)).status == .success)
        #expect(player.send(gain(-34)).status == .queueFull)
    }

    @Test("a bookmark marks the position once, and is removed there")
    func bookmarks() {
        var player = TestPlayer([.make("one")])
        player.send(.changePosition(to: 20))
        player.send(.bookmark(true))
        player.send(.bookmark(true))
        player.send(.changePosition(to: 5))
        player.send(.bookmark(true))
        #expect(player.state.items[0].bookmarks == [5, 20])
        player.send(.bookmark(false))
        #expect(player.state.items[0].bookmarks == [20])
    }

    @Test("the rate is the speed of the timeline: elapsed follows it, and now playing reports it")
    func rate() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.advance(seconds: 10)
        _ = player.effects()
        player.send(.changeRate(to: 2))
        #expect(player.effects() == [.sound(.crossfadeInPlace)])
        #expect(player.elapsed == 10)
        player.advance(seconds: 5)
        #expect(player.elapsed == 20)
        #expect(NowPlaying(player.state, at: player.now).rate == 2)
        player.send(.changeRate(to: 99))
        #expect(player.state.rate == 10)
        player.send(.pause)
        #expect(NowPlaying(player.state, at: player.now).rate == 0)
    }

    @Test("an item with a sound file or JACK's inputs has the rate 1, which now playing reports; the next one has the chosen rate")
    func rateOfItsOwn() {
        for kind in [LayerKind.file, .input] {
            var player = TestPlayer([.make("one"), .foreign(kind), .make("three")])
            player.send(.changeRate(to: 2))
            player.send(.play)
            player.advance(seconds: 10)
            #expect(player.elapsed == 20)
            player.send(.nextItem)
            player.advance(seconds: 10)
            #expect(player.elapsed == 10)
            let now = NowPlaying(player.state, at: player.now)
            #expect(now.rate == 1)
            #expect(now.defaultRate == 1)
            let result = player.send(.changeRate(to: 3))
            #expect(result.status == .disabled)
            #expect(result.message.contains("its own speed"))
            player.send(.nextItem)
            player.advance(seconds: 10)
            #expect(player.elapsed == 20)
            #expect(NowPlaying(player.state, at: player.now).rate == 2)
        }
    }

    @Test("when the engine goes to an item with a sound file, the rate 1 applies from its start")
    func rateOfItsOwnByItself() {
        var player = TestPlayer([.make("one"), .foreign(.file)])
        player.send(.changeRate(to: 2))
        player.send(.play)
        player.advance(seconds: 30)
        player.advanceToFollowing()
        player.advance(seconds: 5)
        #expect(player.state.currentIndex == 1)
        #expect(player.elapsed == 5)
        // The transport may be followed here; then no chosen rate is kept for later items.
        player.send(.changeTransportMode(to: .follow))
        player.send(.changeTransportMode(to: .none))
        #expect(player.state.chosenRate == 1)
    }

    @Test("shuffle plays each item once before any repeats, and previous follows the playing order", arguments: [1, 2, 77] as [UInt64])
    func shuffle(_ seed: UInt64) {
        var player = TestPlayer((1...6).map { .make("item \($0)") })
        player.send(.selectItem(3))
        player.send(.changeShuffleMode(to: .items, seed: seed))
        player.send(.play)
        var played = [3]
        while player.isEnabled(.nextItem) {
            player.send(.nextItem)
            played.append(player.state.currentIndex ?? -1)
        }
        #expect(played.sorted() == Array(0..<6))
        for index in played.reversed().dropFirst() {
            player.send(.previousItem)
            #expect(player.state.currentIndex == index)
        }
        player.send(.changeShuffleMode(to: .off, seed: 0))
        player.send(.nextItem)
        #expect(player.state.currentIndex == 4)
    }

    @Test("a selected item comes next in a shuffled queue: previous goes back to where it was selected, and all others still follow")
    func selectedInShuffle() throws {
        var player = TestPlayer((1...6).map { .make("item \($0)") })
        player.send(.changeShuffleMode(to: .items, seed: 3))
        player.send(.nextItem)
        let here = try #require(player.state.currentIndex)
        let order = try #require(player.state.shuffledOrder)
        #expect(!order.isChanged)
        let last = order.indexes[5]
        player.send(.selectItem(last))
        #expect(player.state.currentIndex == last)
        player.send(.previousItem)
        #expect(player.state.currentIndex == here)
        var played = [0, here]
        while player.isEnabled(.nextItem) {
            player.send(.nextItem)
            played.append(player.state.currentIndex ?? -1)
        }
        try #require(played.sorted() == Array(0..<6))
        #expect(played[2] == last)
        // An item that was already played comes next, and repeats only then.
        player.send(.selectItem(here))
        player.send(.previousItem)
        #expect(player.state.currentIndex == played[5])
    }

    @Test(
        "added, moved and removed items do not change a shuffled round: nothing is repeated, and nothing is left out",
        arguments: 1...40)
    func roundGoesOn(seed: UInt64) throws {
        var player = TestPlayer((0..<6).map { .make("item \($0)") })
        player.send(.selectItem(2))
        player.send(.changeShuffleMode(to: .items, seed: seed))
        player.send(.play)
        var heard: [Int] = []
        func hear() throws { heard.append(try #require(player.state.current?.id)) }
        try hear()
        for step in 0..<2 {
            player.send(.nextItem)
            try hear()
            player.player.add(.make("new \(step)"))
            player.send(.moveItem(from: step, to: 5))
        }
        // One item that was played, and one that is still to come.
        let indexOf = { (id: Int) in player.state.items.firstIndex { $0.id == id } }
        player.send(.removeItem(try #require(indexOf(heard[0]))))
        let next = try #require(player.state.indexAfterCurrent())
        let gone = player.state.items[next].id
        player.send(.removeItem(next))
        #expect(player.state.current?.id == heard.last)
        let order = try #require(player.state.shuffledOrder)
        // As a session saves it.
        #expect(PlayingOrder(order.indexes, count: player.state.items.count, seed: order.seed) == order)
        while player.isEnabled(.nextItem) {
            player.send(.nextItem)
            try hear()
        }
        #expect(Set(heard).count == heard.count)
        #expect(heard.count == 7)
        #expect(!heard.contains(gone))
        // And back to the start, in the order of playing.
        for id in heard.dropFirst().reversed().dropFirst() {
            player.send(.previousItem)
            #expect(player.state.current?.id == id)
        }
    }

    @Test("when the current item is removed from a shuffled queue, the next one in the round replaces it")
    func removedInShuffle() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var player = TestPlayer((0..<5).map { .make("item \($0)") })
            player.send(.changeShuffleMode(to: .items, seed: seed))
            player.send(.nextItem)
            player.send(.play)
            let next = player.state.items[try #require(player.state.indexAfterCurrent())].id
            player.send(.removeItem(try #require(player.state.currentIndex)))
            #expect(player.state.current?.id == next)
            #expect(player.state.playback == .playing)
            player.send(.previousItem)
            #expect(player.state.current?.title == "Item 0")
        }
    }

    @Test("new items are placed anywhere among the remaining ones, not only last")
    func newPlaces() {
        var places: Set<Int> = []
        for seed in 1...50 as ClosedRange<UInt64> {
            var player = TestPlayer((0..<4).map { .make("item \($0)") })
            player.send(.changeShuffleMode(to: .items, seed: seed))
            player.send(.nextItem)
            player.player.add(.make("new"))
            places.insert(player.state.shuffledOrder?.place(of: 4) ?? -1)
        }
        #expect(places == [2, 3, 4])
    }

    @Test("shuffling a shuffled queue again continues its round")
    func shuffledAgain() {
        var player = TestPlayer((0..<9).map { .make("item \($0)") })
        player.send(.changeShuffleMode(to: .items, seed: 1))
        let order = player.state.shuffledOrder
        player.send(.nextItem)
        player.send(.changeShuffleMode(to: .items, seed: 2))
        #expect(player.state.shuffledOrder == order)
    }

    @Test("a saved order is restored, unless it is that of another queue")
    func orderTakenUp() throws {
        var player = TestPlayer((1...4).map { .make("item \($0)") })
        player.send(.changeShuffleMode(to: .items, seed: 9))
        let last = try #require(player.state.shuffledOrder?.indexes.last)
        player.send(.selectItem(last))
        let left = try #require(player.state.shuffledOrder)
        #expect(left.isChanged)
        #expect(PlayingOrder(left.indexes, count: 4, seed: 9) == left)
        for (indexes, count) in [([0, 1, 2], 4), ([0, 1, 2, 2], 4), ([0, 1, 4, 2], 4), ([], 1)] {
            #expect(PlayingOrder(indexes, count: count, seed: 9) == nil, "\(indexes)")
        }
    }

    @Test("equal seeds give the same order, and now/queue has the listed index")
    func seeds() {
        let orders = [5, 5, 6].map { PlayingOrder(count: 20, first: 2, seed: $0).indexes }
        #expect(orders[0] == orders[1])
        #expect(orders[0] != orders[2])
        #expect(orders.allSatisfy { $0.first == 2 && $0.sorted() == Array(0..<20) })
    }

    @Test("a held seek moves faster the longer it is held, and ends when it is released, or after 10 s")
    func heldSeek() {
        var player = TestPlayer([.make("one", duration: 3600)])
        player.send(.play)
        player.send(.seek(.forward, begins: true))
        var gains: [Double] = []
        for _ in 0..<60 {
            let before = player.elapsed
            player.advance(seconds: 0.2)
            player.player.tick(at: player.now)
            gains.append(player.elapsed - before)
        }
        #expect(gains[1] < gains[12])
        #expect(gains[12] < gains[22])
        #expect(gains[22] < gains[40])
        #expect(abs(gains[55] - 0.2) < 1e-9)
        player.send(.seek(.backward, begins: true))
        player.send(.seek(.backward, begins: false))
        let before = player.elapsed
        player.advance(seconds: 1)
        player.player.tick(at: player.now)
        #expect(abs(player.elapsed - before - 1) < 1e-9)
    }

    @Test("a held seek ends when its holder releases it, not when another peer does; a peer that starts another one holds that")
    func seekOfAnother() {
        var player = TestPlayer([.make("one", duration: 3600)])
        player.player.sender = "one"
        player.send(.seek(.forward, begins: true))
        player.player.sender = "two"
        #expect(player.send(.seek(.forward, begins: false)).status == .success)
        #expect(player.state.heldSeek?.direction == .forward)
        player.send(.seek(.backward, begins: true))
        player.player.sender = "one"
        player.send(.seek(.forward, begins: false))
        #expect(player.state.heldSeek?.direction == .backward)
        player.player.sender = "two"
        player.send(.seek(.backward, begins: false))
        #expect(player.state.heldSeek == nil)
    }

    @Test("a held backward seek goes to the beginning once and does not restart the item repeatedly", arguments: [0, 0.1, 3, 30.0])
    func heldSeekAtTheStart(position: Double) {
        for isPlaying in [true, false] {
            var player = TestPlayer([.make("one")])
            player.send(.changePosition(to: position))
            if isPlaying { player.send(.play) }
            _ = player.effects()
            player.send(.seek(.backward, begins: true))
            var starts = 0
            for _ in 0..<40 {
                player.advance(seconds: 0.2)
                player.player.tick(at: player.now)
                starts += player.effects().count { $0 == .sound(.start(position: 0)) }
            }
            #expect(starts == (isPlaying ? 1 : 0))
            #expect(player.elapsed < (isPlaying ? 8 : 0.001))
            #expect(player.state.heldSeek == nil)
            #expect(player.send(.seek(.backward, begins: false)).status == .success)
        }
    }

    @Test("a held seek stops a second before the item's end, and at its beginning")
    func heldSeekAtTheEnds() {
        var player = TestPlayer([.make("one"), .make("two")])
        player.send(.play)
        for direction in SeekDirection.allCases {
            player.send(.seek(direction, begins: true))
            for _ in 0..<45 {
                player.advance(seconds: 0.2)
                player.player.tick(at: player.now)
            }
            #expect(player.state.currentIndex == 0 || direction == .backward)
        }
        #expect(player.elapsed < 60)
    }
}
