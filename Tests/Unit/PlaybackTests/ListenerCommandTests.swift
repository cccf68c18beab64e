import Patches
import Playback
import Testing

/// Rating, likes, bookmarks, rate, shuffle, held seeks.
@Suite struct ListenerCommandTests {
    @Test("a rating is clamped to 0...5 and belongs to the current item")
    func rating() {
        var rig = TestPlayer([.make("one"), .make("two")])
        #expect(rig.send(.rate(9)) == CommandResult(.success, by: "item"))
        #expect(rig.state.items.map(\.rating) == [5, 0])
        #expect(NowPlaying(rig.state, at: rig.now).rating == 5)
    }

    @Test("dislike clears like, and clearing a mark that is not set changes nothing")
    func likes() {
        var rig = TestPlayer([.make("one")])
        rig.send(.like(true))
        #expect(rig.state.items[0].liked == true)
        rig.send(.dislike(true))
        #expect(rig.state.items[0].liked == false)
        rig.send(.like(false))
        #expect(rig.state.items[0].liked == false)
        rig.send(.dislike(false))
        #expect(rig.state.items[0].liked == nil)
    }

    @Test("a session holds 4096 bookmarks in all items together")
    func bookmarkLimit() {
        var items = [QueueItem.make("one"), .make("two", duration: 100_000)]
        items[0].bookmarks = (0..<4000).map { Double($0) * 2 }
        var rig = TestPlayer(items)
        rig.send(.selectItem(1))
        for index in 0..<96 {
            rig.send(.changePosition(to: Double(2 * index)))
            #expect(rig.send(.bookmark(true)).status == .success)
        }
        rig.send(.changePosition(to: 5000))
        #expect(rig.send(.bookmark(true)).status == .queueFull)
        rig.send(.changePosition(to: 0))
        #expect(rig.send(.bookmark(false)).status == .success)
        rig.send(.changePosition(to: 5000))
        #expect(rig.send(.bookmark(true)).status == .success)
    }

    @Test("a session holds 8192 edits in all items together; replacing one, resetting and releasing a fader stay possible")
    func editLimit() {
        let gain = { (value: Double) in Command.set(Setting(layer: 0, parameter: .gain, value: value), ramp: nil) }
        let beat = { (value: Double) in Command.set(Setting(layer: 0, parameter: .beat, value: value), ramp: nil) }
        var items = [QueueItem.make("one"), .make("two")]
        items[0].edits = (0..<8190).map { LiveEdit(setting: Setting(layer: 0, parameter: .gain, value: -20), position: Double($0)) }
        var rig = TestPlayer(items)
        rig.send(.selectItem(1))
        rig.send(gain(-31))
        rig.send(.savePreset("one"))
        rig.send(gain(-30))
        #expect(rig.send(beat(6)).status == .success)
        let full = rig.send(.set(Setting(layer: 1, parameter: .gain, value: -30), ramp: nil))
        #expect(full.status == .queueFull)
        #expect(full.message == "A session holds at most 8192 edits: reset a layer or remove an item first.")
        #expect(rig.send(.loadPreset("one")).status == .queueFull)
        #expect(rig.send(.touch(.parameter(.gain, layer: 1), true)).status == .queueFull)
        #expect(rig.state.items.reduce(0) { $0 + $1.edits.count } == 8192)
        // Others replace an edit that is there.
        #expect(rig.send(gain(-32)).status == .success)
        #expect(rig.send(.touch(.parameter(.gain, layer: 0), true)).status == .success)
        #expect(rig.send(gain(-33)).status == .success)
        #expect(rig.send(.touch(.parameter(.gain, layer: 0), false)).status == .success)
        #expect(rig.state.current?.edits.last?.setting.value == -33)
        #expect(rig.send(.reset(layer: 0)).status == .success)
        #expect(rig.send(.set(Setting(layer: 1, parameter: .gain, value: -30), ramp: nil)).status == .success)
        #expect(rig.send(beat(7)).status == .success)
        #expect(rig.send(gain(-34)).status == .queueFull)
    }

    @Test("a bookmark marks the position once, and is removed there")
    func bookmarks() {
        var rig = TestPlayer([.make("one")])
        rig.send(.changePosition(to: 20))
        rig.send(.bookmark(true))
        rig.send(.bookmark(true))
        rig.send(.changePosition(to: 5))
        rig.send(.bookmark(true))
        #expect(rig.state.items[0].bookmarks == [5, 20])
        rig.send(.bookmark(false))
        #expect(rig.state.items[0].bookmarks == [20])
    }

    @Test("the rate is the speed of the timeline: elapsed follows it, and now playing reports it")
    func rate() {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        rig.advance(seconds: 10)
        _ = rig.effects()
        rig.send(.changeRate(to: 2))
        #expect(rig.effects() == [.sound(.glide)])
        #expect(rig.elapsed == 10)
        rig.advance(seconds: 5)
        #expect(rig.elapsed == 20)
        #expect(NowPlaying(rig.state, at: rig.now).rate == 2)
        rig.send(.changeRate(to: 99))
        #expect(rig.state.rate == 10)
        rig.send(.pause)
        #expect(NowPlaying(rig.state, at: rig.now).rate == 0)
    }

    @Test("an item with a sound file or JACK's inputs has the rate 1, which now playing reports; the next one has the chosen rate")
    func rateOfItsOwn() {
        for kind in [LayerKind.file, .input] {
            var rig = TestPlayer([.make("one"), .foreign(kind), .make("three")])
            rig.send(.changeRate(to: 2))
            rig.send(.play)
            rig.advance(seconds: 10)
            #expect(rig.elapsed == 20)
            rig.send(.nextItem)
            rig.advance(seconds: 10)
            #expect(rig.elapsed == 10)
            let now = NowPlaying(rig.state, at: rig.now)
            #expect(now.rate == 1)
            #expect(now.defaultRate == 1)
            let result = rig.send(.changeRate(to: 3))
            #expect(result.status == .disabled)
            #expect(result.message.contains("its own speed"))
            rig.send(.nextItem)
            rig.advance(seconds: 10)
            #expect(rig.elapsed == 20)
            #expect(NowPlaying(rig.state, at: rig.now).rate == 2)
        }
    }

    @Test("when the engine goes to an item with a sound file, the rate 1 applies from its start")
    func rateOfItsOwnByItself() {
        var rig = TestPlayer([.make("one"), .foreign(.file)])
        rig.send(.changeRate(to: 2))
        rig.send(.play)
        rig.advance(seconds: 30)
        rig.advanceToFollowing()
        rig.advance(seconds: 5)
        #expect(rig.state.currentIndex == 1)
        #expect(rig.elapsed == 5)
        // The transport may be followed here; then no chosen rate is kept for later items.
        rig.send(.changeTransportMode(to: .follow))
        rig.send(.changeTransportMode(to: .none))
        #expect(rig.state.chosenRate == 1)
    }

    @Test("shuffle plays each item once before any repeats, and previous follows the playing order", arguments: [1, 2, 77] as [UInt64])
    func shuffle(_ seed: UInt64) {
        var rig = TestPlayer((1...6).map { .make("item \($0)") })
        rig.send(.selectItem(3))
        rig.send(.changeShuffleMode(to: .items, seed: seed))
        rig.send(.play)
        var played = [3]
        while rig.isEnabled(.nextItem) {
            rig.send(.nextItem)
            played.append(rig.state.currentIndex ?? -1)
        }
        #expect(played.sorted() == Array(0..<6))
        for index in played.reversed().dropFirst() {
            rig.send(.previousItem)
            #expect(rig.state.currentIndex == index)
        }
        rig.send(.changeShuffleMode(to: .off, seed: 0))
        rig.send(.nextItem)
        #expect(rig.state.currentIndex == 4)
    }

    @Test("a selected item comes next in a shuffled queue: previous goes back to where it was selected, and all others still follow")
    func selectedInShuffle() throws {
        var rig = TestPlayer((1...6).map { .make("item \($0)") })
        rig.send(.changeShuffleMode(to: .items, seed: 3))
        rig.send(.nextItem)
        let here = try #require(rig.state.currentIndex)
        let order = try #require(rig.state.shuffledOrder)
        #expect(!order.isChanged)
        let last = order.indexes[5]
        rig.send(.selectItem(last))
        #expect(rig.state.currentIndex == last)
        rig.send(.previousItem)
        #expect(rig.state.currentIndex == here)
        var played = [0, here]
        while rig.isEnabled(.nextItem) {
            rig.send(.nextItem)
            played.append(rig.state.currentIndex ?? -1)
        }
        try #require(played.sorted() == Array(0..<6))
        #expect(played[2] == last)
        // An item that was already played comes next, and repeats only then.
        rig.send(.selectItem(here))
        rig.send(.previousItem)
        #expect(rig.state.currentIndex == played[5])
    }

    @Test(
        "added, moved and removed items do not change a shuffled round: nothing is repeated, and nothing is left out",
        arguments: 1...40)
    func roundGoesOn(seed: UInt64) throws {
        var rig = TestPlayer((0..<6).map { .make("item \($0)") })
        rig.send(.selectItem(2))
        rig.send(.changeShuffleMode(to: .items, seed: seed))
        rig.send(.play)
        var heard: [Int] = []
        func hear() throws { heard.append(try #require(rig.state.current?.id)) }
        try hear()
        for step in 0..<2 {
            rig.send(.nextItem)
            try hear()
            rig.player.add(.make("new \(step)"))
            rig.send(.moveItem(from: step, to: 5))
        }
        // One item that was played, and one that is still to come.
        let indexOf = { (id: Int) in rig.state.items.firstIndex { $0.id == id } }
        rig.send(.removeItem(try #require(indexOf(heard[0]))))
        let next = try #require(rig.state.indexAfterCurrent())
        let gone = rig.state.items[next].id
        rig.send(.removeItem(next))
        #expect(rig.state.current?.id == heard.last)
        let order = try #require(rig.state.shuffledOrder)
        // As a session saves it.
        #expect(PlayingOrder(order.indexes, count: rig.state.items.count, seed: order.seed) == order)
        while rig.isEnabled(.nextItem) {
            rig.send(.nextItem)
            try hear()
        }
        #expect(Set(heard).count == heard.count)
        #expect(heard.count == 7)
        #expect(!heard.contains(gone))
        // And back to the start, in the order of playing.
        for id in heard.dropFirst().reversed().dropFirst() {
            rig.send(.previousItem)
            #expect(rig.state.current?.id == id)
        }
    }

    @Test("when the current item is removed from a shuffled queue, the next one in the round replaces it")
    func removedInShuffle() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var rig = TestPlayer((0..<5).map { .make("item \($0)") })
            rig.send(.changeShuffleMode(to: .items, seed: seed))
            rig.send(.nextItem)
            rig.send(.play)
            let next = rig.state.items[try #require(rig.state.indexAfterCurrent())].id
            rig.send(.removeItem(try #require(rig.state.currentIndex)))
            #expect(rig.state.current?.id == next)
            #expect(rig.state.playback == .playing)
            rig.send(.previousItem)
            #expect(rig.state.current?.title == "Item 0")
        }
    }

    @Test("new items are placed anywhere among the remaining ones, not only last")
    func newPlaces() {
        var places: Set<Int> = []
        for seed in 1...50 as ClosedRange<UInt64> {
            var rig = TestPlayer((0..<4).map { .make("item \($0)") })
            rig.send(.changeShuffleMode(to: .items, seed: seed))
            rig.send(.nextItem)
            rig.player.add(.make("new"))
            places.insert(rig.state.shuffledOrder?.place(of: 4) ?? -1)
        }
        #expect(places == [2, 3, 4])
    }

    @Test("shuffling a shuffled queue again continues its round")
    func shuffledAgain() {
        var rig = TestPlayer((0..<9).map { .make("item \($0)") })
        rig.send(.changeShuffleMode(to: .items, seed: 1))
        let order = rig.state.shuffledOrder
        rig.send(.nextItem)
        rig.send(.changeShuffleMode(to: .items, seed: 2))
        #expect(rig.state.shuffledOrder == order)
    }

    @Test("a saved order is restored, unless it is that of another queue")
    func orderTakenUp() throws {
        var rig = TestPlayer((1...4).map { .make("item \($0)") })
        rig.send(.changeShuffleMode(to: .items, seed: 9))
        let last = try #require(rig.state.shuffledOrder?.indexes.last)
        rig.send(.selectItem(last))
        let left = try #require(rig.state.shuffledOrder)
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
        var rig = TestPlayer([.make("one", duration: 3600)])
        rig.send(.play)
        rig.send(.seek(.forward, begins: true))
        var gains: [Double] = []
        for _ in 0..<60 {
            let before = rig.elapsed
            rig.advance(seconds: 0.2)
            rig.player.tick(at: rig.now)
            gains.append(rig.elapsed - before)
        }
        #expect(gains[1] < gains[12])
        #expect(gains[12] < gains[22])
        #expect(gains[22] < gains[40])
        #expect(abs(gains[55] - 0.2) < 1e-9)
        rig.send(.seek(.backward, begins: true))
        rig.send(.seek(.backward, begins: false))
        let before = rig.elapsed
        rig.advance(seconds: 1)
        rig.player.tick(at: rig.now)
        #expect(abs(rig.elapsed - before - 1) < 1e-9)
    }

    @Test("a held seek ends when its holder releases it, not when another peer does; a peer that starts another one holds that")
    func seekOfAnother() {
        var rig = TestPlayer([.make("one", duration: 3600)])
        rig.player.sender = "one"
        rig.send(.seek(.forward, begins: true))
        rig.player.sender = "two"
        #expect(rig.send(.seek(.forward, begins: false)).status == .success)
        #expect(rig.state.heldSeek?.direction == .forward)
        rig.send(.seek(.backward, begins: true))
        rig.player.sender = "one"
        rig.send(.seek(.forward, begins: false))
        #expect(rig.state.heldSeek?.direction == .backward)
        rig.player.sender = "two"
        rig.send(.seek(.backward, begins: false))
        #expect(rig.state.heldSeek == nil)
    }

    @Test("a held backward seek goes to the beginning once and does not restart the item repeatedly", arguments: [0, 0.1, 3, 30.0])
    func heldSeekAtTheStart(position: Double) {
        for isPlaying in [true, false] {
            var rig = TestPlayer([.make("one")])
            rig.send(.changePosition(to: position))
            if isPlaying { rig.send(.play) }
            _ = rig.effects()
            rig.send(.seek(.backward, begins: true))
            var starts = 0
            for _ in 0..<40 {
                rig.advance(seconds: 0.2)
                rig.player.tick(at: rig.now)
                starts += rig.effects().count { $0 == .sound(.start(position: 0)) }
            }
            #expect(starts == (isPlaying ? 1 : 0))
            #expect(rig.elapsed < (isPlaying ? 8 : 0.001))
            #expect(rig.state.heldSeek == nil)
            #expect(rig.send(.seek(.backward, begins: false)).status == .success)
        }
    }

    @Test("a held seek stops a second before the item's end, and at its beginning")
    func heldSeekAtTheEnds() {
        var rig = TestPlayer([.make("one"), .make("two")])
        rig.send(.play)
        for direction in SeekDirection.allCases {
            rig.send(.seek(direction, begins: true))
            for _ in 0..<45 {
                rig.advance(seconds: 0.2)
                rig.player.tick(at: rig.now)
            }
            #expect(rig.state.currentIndex == 0 || direction == .backward)
        }
        #expect(rig.elapsed < 60)
    }
}
