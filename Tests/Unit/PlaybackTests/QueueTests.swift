import Patches
import Playback
import Testing

@Suite struct QueueTests {
    @Test("next goes through the chapters, then to the next item, and is disabled at the last chapter of the last item")
    func next() {
        var player = TestPlayer([.make("one", chapters: [0, 20, 40]), .make("two", chapters: [0, 30])])
        player.send(.play)
        #expect(player.send(.next).responder == "patch")
        #expect(player.elapsed == 20)
        player.send(.next)
        #expect(player.elapsed == 40)
        #expect(player.send(.next).responder == "queue")
        #expect(player.state.currentIndex == 1)
        player.send(.next)
        #expect(!player.isEnabled(.next))
        let refusal = player.send(.next)
        #expect(refusal.status == .disabled)
        #expect(refusal.message.contains("repeat"))
        player.send(.changeRepeatMode(to: .all))
        #expect(player.send(.next).status == .success)
        #expect(player.state.currentIndex == 0)
    }

    @Test(
        "previous goes to the chapter's start after 3 s, before that to the previous chapter, then to the previous item, and finally to 0")
    func previous() {
        var player = TestPlayer([.make("one"), .make("two", chapters: [0, 20])])
        player.send(.selectItem(1))
        player.send(.play)
        player.send(.changePosition(to: 24))
        player.send(.previous)
        #expect(player.elapsed == 20)
        player.advance(seconds: 2)
        player.send(.previous)
        #expect(player.elapsed == 0)
        player.send(.previous)
        #expect(player.state.currentIndex == 0)
        player.advance(seconds: 2)
        player.send(.previous)
        #expect(player.state.currentIndex == 0)
        #expect(player.elapsed == 0)
    }

    @Test("previous in an item without chapters goes to its start after 3 s")
    func previousWithoutChapters() {
        var player = TestPlayer([.make("one"), .make("two")])
        player.send(.selectItem(1))
        player.send(.play)
        player.advance(seconds: 4)
        player.send(.previous)
        #expect(player.state.currentIndex == 1)
        #expect(player.elapsed == 0)
        player.send(.previous)
        #expect(player.state.currentIndex == 0)
    }

    @Test("queue/next and queue/previous never stop at chapters")
    func items() {
        var player = TestPlayer([.make("one", chapters: [0, 20]), .make("two", chapters: [0, 20])])
        player.send(.play)
        #expect(player.send(.nextItem).responder == "queue")
        #expect(player.state.currentIndex == 1)
        #expect(player.send(.nextItem).status == .disabled)
        player.send(.changePosition(to: 25))
        player.send(.previousItem)
        #expect(player.state.currentIndex == 0)
    }

    @Test("An item that is asked for is crossfaded to, at once and for two seconds at least, and plays whatever was before")
    func asked() {
        var player = TestPlayer([.make("one"), .make("two")])
        #expect(player.send(.playItem(1)).status == .success)
        #expect(player.state.playback == .playing && player.state.currentIndex == 1)
        _ = player.effects()
        #expect(player.send(.playItem(0)).status == .success)
        #expect(player.effects().contains(.sound(.crossfade(position: 0, atLeast: 2))))
        player.send(.pause)
        #expect(player.send(.playItem(1)).status == .success)
        #expect(player.state.playback == .playing && player.state.currentIndex == 1)
        #expect(player.send(.playItem(2)).status == .noSuchContent)
        #expect(player.state.currentIndex == 1)
    }

    @Test("An item is added last, or next: behind the current one in the list and in a shuffled order", arguments: [false, true])
    func places(isShuffled: Bool) {
        var player = TestPlayer([.make("one"), .make("two"), .make("three")])
        player.send(.play)
        player.send(.nextItem)
        if isShuffled { player.send(.changeShuffleMode(to: .items, seed: 5)) }
        #expect(player.player.add(.make("last")) == 3)
        #expect(player.player.add(.make("next"), at: .next) == 2)
        #expect(player.state.items.map(\.reference) == ["one", "two", "next", "three", "last"])
        #expect(player.state.indexAfterCurrent() == 2)
        #expect(player.state.current?.reference == "two")
        var empty = TestPlayer([])
        #expect(empty.player.add(.make("only"), at: .next) == 0)
        #expect(empty.state.currentIndex == 0)
    }

    @Test("a skip past the end goes to the next item, on the last one it stops, and before the start it goes to 0")
    func skip() {
        var player = TestPlayer([.make("one"), .make("two")])
        player.send(.play)
        player.send(.skip(by: -15))
        #expect(player.elapsed == 0)
        player.send(.skip(by: 15))
        #expect(player.elapsed == 15)
        #expect(player.send(.skip(by: 50)).responder == "queue")
        #expect(player.state.currentIndex == 1)
        player.send(.skip(by: 90))
        #expect(player.state.playback == .stopped)
    }

    @Test("a missing item stays listed and is skipped, in both directions and automatically")
    func missing() {
        var player = TestPlayer([.make("one"), .missing("gone"), .make("three")])
        player.send(.play)
        #expect(player.state.followingIndex == 2)
        player.send(.next)
        #expect(player.state.currentIndex == 2)
        player.send(.previous)
        #expect(player.state.currentIndex == 0)
        let refusal = player.send(.selectItem(1))
        #expect(refusal.status == .noSuchContent)
        #expect(refusal.message.contains("vanished"))
        #expect(player.send(.selectItem(9)).status == .noSuchContent)
    }

    @Test("repeat decides what follows the end of an item", arguments: zip(RepeatMode.allCases, [nil, 1, 0] as [Int?]))
    func repeatModes(_ mode: RepeatMode, _ following: Int?) {
        var player = TestPlayer([.make("one"), .make("two")])
        player.send(.selectItem(1))
        player.send(.changeRepeatMode(to: mode))
        #expect(player.state.followingIndex == following)
    }

    @Test("the player follows the engine's change of item and the end of the queue")
    func engineEvents() {
        var player = TestPlayer([.make("one"), .make("two")])
        player.send(.play)
        player.advance(seconds: 60)
        player.advanceToFollowing()
        #expect(player.state.currentIndex == 1)
        #expect(player.elapsed == 0)
        player.advance(seconds: 60)
        player.player.ended(at: player.now)
        #expect(player.state.playback == .stopped)
        #expect(player.state.currentIndex == 0)
    }

    @Test("the item that the engine went to is current, however the queue was changed just before that was reported")
    func changedAtTheEnd() {
        let changes: [(Command, index: Int)] = [
            (.moveItem(from: 1, to: 2), 2), (.moveItem(from: 2, to: 1), 2), (.removeItem(2), 1), (.changeRepeatMode(to: .one), 1),
            (.changeRepeatMode(to: .all), 1), (.changeShuffleMode(to: .items, seed: 4), 1),
        ]
        for (change, index) in changes {
            var player = TestPlayer([.make("one"), .make("two"), .make("three")])
            player.send(.play)
            let sounding = player.state.items[1].id
            player.advance(seconds: 60)
            player.send(change)
            player.player.advanced(to: sounding, at: player.now)
            #expect(player.state.current?.id == sounding, "\(change)")
            #expect(player.state.currentIndex == index, "\(change)")
            #expect(player.elapsed == 0, "\(change)")
        }
    }

    @Test("an item removed just before it starts is replaced by the one that follows now, or by silence")
    func removedAtTheEnd() {
        for (items, current) in [(["one", "two", "three"], "three"), (["one", "two"], "one")] {
            var player = TestPlayer(items.map { .make($0) })
            player.send(.play)
            let sounding = player.state.items[1].id
            player.advance(seconds: 60)
            player.send(.removeItem(1))
            _ = player.effects()
            player.player.advanced(to: sounding, at: player.now)
            #expect(player.state.current?.reference == current)
            #expect(player.state.playback == (current == "one" ? .stopped : .playing))
            #expect(player.effects().contains(current == "one" ? .sound(.silence(.short)) : .sound(.start(position: 0))))
        }
    }

    @Test("a removed item comes back in its place with its edits, and the current one keeps playing; the last eight can, the latest first")
    func restored() {
        var player = TestPlayer([.make("one"), .make("two"), .make("three")])
        player.send(.selectItem(1))
        player.send(.set(Setting(layer: 0, parameter: .gain, value: -33), ramp: nil))
        player.send(.selectItem(2))
        player.send(.play)
        let removed = player.state.items[1], playing = player.state.current?.id
        player.send(.removeItem(1))
        player.send(.removeItem(0))
        _ = player.effects()
        player.send(.restoreItem)
        #expect(player.state.items.map(\.reference) == ["one", "three"])
        player.send(.restoreItem)
        #expect(player.state.items.map(\.reference) == ["one", "two", "three"])
        #expect(player.state.items[1] == removed)
        #expect(player.state.current?.id == playing && player.state.currentIndex == 2)
        #expect(player.effects() == [.sound(.upcoming), .sound(.upcoming)])
        #expect(player.send(.restoreItem).status == .noSuchContent)
        var many = TestPlayer((0..<10).map { .make("\($0)") })
        for _ in 0..<10 { many.send(.removeItem(0)) }
        for number in 0..<8 {
            #expect(many.send(.restoreItem).status == .success, "\(number)")
        }
        #expect(many.send(.restoreItem).status == .noSuchContent)
        #expect(many.state.items.map(\.reference) == (2..<10).map { "\($0)" })
        #expect(many.state.currentIndex == 7 && many.state.playback != .playing)
    }

    @Test("a removed item that comes back in a shuffled queue is still to come")
    func restoredWhileShuffled() {
        for index in 1..<4 {
            var player = TestPlayer([.make("one"), .make("two"), .make("three"), .make("four")])
            player.send(.changeShuffleMode(to: .items, seed: 7))
            player.send(.removeItem(index))
            player.send(.restoreItem)
            let order = player.state.shuffledOrder?.indexes ?? []
            #expect(order.sorted() == [0, 1, 2, 3] && order.first == 0, "\(index)")
        }
    }

    @Test("an item that was added or repeated too late for the engine is started at the end")
    func addedAtTheEnd() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.advance(seconds: 60)
        player.player.add(.make("two"))
        _ = player.effects()
        player.player.ended(at: player.now)
        #expect(player.state.current?.reference == "two")
        #expect(player.effects() == [.sound(.start(position: 0))])

        player.send(.changeRepeatMode(to: .one))
        _ = player.effects()
        player.player.ended(at: player.now)
        #expect(player.state.current?.reference == "two")
        #expect(player.state.playback == .playing)
    }

    @Test("changing the item ends solos and keeps the selected layer if it exists")
    func layersOfAnotherItem() {
        var small = QueueItem.make("small")
        small.patch?.layers.removeLast()
        var player = TestPlayer([.make("one"), .make("two"), small])
        player.send(.selectLayer(1))
        player.send(.solo(layer: 0, true))
        player.send(.nextItem)
        #expect(player.state.selectedLayer == 1)
        #expect(player.state.soloedLayers.isEmpty)
        player.send(.nextItem)
        #expect(player.state.selectedLayer == 0)
    }
}
