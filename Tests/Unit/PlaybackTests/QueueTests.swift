import Patches
import Playback
import Testing

@Suite struct QueueTests {
    @Test("next goes through the chapters, then to the next item, and is disabled at the last chapter of the last item")
    func next() {
        var rig = TestPlayer([.make("one", chapters: [0, 20, 40]), .make("two", chapters: [0, 30])])
        rig.send(.play)
        #expect(rig.send(.next).responder == "patch")
        #expect(rig.elapsed == 20)
        rig.send(.next)
        #expect(rig.elapsed == 40)
        #expect(rig.send(.next).responder == "queue")
        #expect(rig.state.currentIndex == 1)
        rig.send(.next)
        #expect(!rig.isEnabled(.next))
        let refusal = rig.send(.next)
        #expect(refusal.status == .disabled)
        #expect(refusal.message.contains("repeat"))
        rig.send(.changeRepeatMode(to: .all))
        #expect(rig.send(.next).status == .success)
        #expect(rig.state.currentIndex == 0)
    }

    @Test(
        "previous goes to the chapter's start after 3 s, before that to the previous chapter, then to the previous item, and finally to 0")
    func previous() {
        var rig = TestPlayer([.make("one"), .make("two", chapters: [0, 20])])
        rig.send(.selectItem(1))
        rig.send(.play)
        rig.send(.changePosition(to: 24))
        rig.send(.previous)
        #expect(rig.elapsed == 20)
        rig.advance(seconds: 2)
        rig.send(.previous)
        #expect(rig.elapsed == 0)
        rig.send(.previous)
        #expect(rig.state.currentIndex == 0)
        rig.advance(seconds: 2)
        rig.send(.previous)
        #expect(rig.state.currentIndex == 0)
        #expect(rig.elapsed == 0)
    }

    @Test("previous in an item without chapters goes to its start after 3 s")
    func previousWithoutChapters() {
        var rig = TestPlayer([.make("one"), .make("two")])
        rig.send(.selectItem(1))
        rig.send(.play)
        rig.advance(seconds: 4)
        rig.send(.previous)
        #expect(rig.state.currentIndex == 1)
        #expect(rig.elapsed == 0)
        rig.send(.previous)
        #expect(rig.state.currentIndex == 0)
    }

    @Test("queue/next and queue/previous never stop at chapters")
    func items() {
        var rig = TestPlayer([.make("one", chapters: [0, 20]), .make("two", chapters: [0, 20])])
        rig.send(.play)
        #expect(rig.send(.nextItem).responder == "queue")
        #expect(rig.state.currentIndex == 1)
        #expect(rig.send(.nextItem).status == .disabled)
        rig.send(.changePosition(to: 25))
        rig.send(.previousItem)
        #expect(rig.state.currentIndex == 0)
    }

    @Test("a skip past the end goes to the next item, on the last one it stops, and before the start it goes to 0")
    func skip() {
        var rig = TestPlayer([.make("one"), .make("two")])
        rig.send(.play)
        rig.send(.skip(by: -15))
        #expect(rig.elapsed == 0)
        rig.send(.skip(by: 15))
        #expect(rig.elapsed == 15)
        #expect(rig.send(.skip(by: 50)).responder == "queue")
        #expect(rig.state.currentIndex == 1)
        rig.send(.skip(by: 90))
        #expect(rig.state.playback == .stopped)
    }

    @Test("a missing item stays listed and is skipped, in both directions and automatically")
    func missing() {
        var rig = TestPlayer([.make("one"), .missing("gone"), .make("three")])
        rig.send(.play)
        #expect(rig.state.followingIndex == 2)
        rig.send(.next)
        #expect(rig.state.currentIndex == 2)
        rig.send(.previous)
        #expect(rig.state.currentIndex == 0)
        let refusal = rig.send(.selectItem(1))
        #expect(refusal.status == .noSuchContent)
        #expect(refusal.message.contains("vanished"))
        #expect(rig.send(.selectItem(9)).status == .noSuchContent)
    }

    @Test("repeat decides what follows the end of an item", arguments: zip(RepeatMode.allCases, [nil, 1, 0] as [Int?]))
    func repeatModes(_ mode: RepeatMode, _ following: Int?) {
        var rig = TestPlayer([.make("one"), .make("two")])
        rig.send(.selectItem(1))
        rig.send(.changeRepeatMode(to: mode))
        #expect(rig.state.followingIndex == following)
    }

    @Test("the player follows the engine's change of item and the end of the queue")
    func engineEvents() {
        var rig = TestPlayer([.make("one"), .make("two")])
        rig.send(.play)
        rig.advance(seconds: 60)
        rig.advanceToFollowing()
        #expect(rig.state.currentIndex == 1)
        #expect(rig.elapsed == 0)
        rig.advance(seconds: 60)
        rig.player.ended(at: rig.now)
        #expect(rig.state.playback == .stopped)
        #expect(rig.state.currentIndex == 0)
    }

    @Test("the item that the engine went to is current, however the queue was changed just before that was reported")
    func changedAtTheEnd() {
        let changes: [(Command, index: Int)] = [
            (.moveItem(from: 1, to: 2), 2), (.moveItem(from: 2, to: 1), 2), (.removeItem(2), 1), (.changeRepeatMode(to: .one), 1),
            (.changeRepeatMode(to: .all), 1), (.changeShuffleMode(to: .items, seed: 4), 1),
        ]
        for (change, index) in changes {
            var rig = TestPlayer([.make("one"), .make("two"), .make("three")])
            rig.send(.play)
            let sounding = rig.state.items[1].id
            rig.advance(seconds: 60)
            rig.send(change)
            rig.player.advanced(to: sounding, at: rig.now)
            #expect(rig.state.current?.id == sounding, "\(change)")
            #expect(rig.state.currentIndex == index, "\(change)")
            #expect(rig.elapsed == 0, "\(change)")
        }
    }

    @Test("an item removed just before it starts is replaced by the one that follows now, or by silence")
    func removedAtTheEnd() {
        for (items, current) in [(["one", "two", "three"], "three"), (["one", "two"], "one")] {
            var rig = TestPlayer(items.map { .make($0) })
            rig.send(.play)
            let sounding = rig.state.items[1].id
            rig.advance(seconds: 60)
            rig.send(.removeItem(1))
            _ = rig.effects()
            rig.player.advanced(to: sounding, at: rig.now)
            #expect(rig.state.current?.reference == current)
            #expect(rig.state.playback == (current == "one" ? .stopped : .playing))
            #expect(rig.effects().contains(current == "one" ? .sound(.silence(.short)) : .sound(.start(position: 0))))
        }
    }

    @Test("an item that was added or repeated too late for the engine is started at the end")
    func addedAtTheEnd() {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        rig.advance(seconds: 60)
        rig.player.add(.make("two"))
        _ = rig.effects()
        rig.player.ended(at: rig.now)
        #expect(rig.state.current?.reference == "two")
        #expect(rig.effects() == [.sound(.start(position: 0))])

        rig.send(.changeRepeatMode(to: .one))
        _ = rig.effects()
        rig.player.ended(at: rig.now)
        #expect(rig.state.current?.reference == "two")
        #expect(rig.state.playback == .playing)
    }

    @Test("changing the item ends solos and keeps the selected layer if it exists")
    func layersOfAnotherItem() {
        var small = QueueItem.make("small")
        small.patch?.layers.removeLast()
        var rig = TestPlayer([.make("one"), .make("two"), small])
        rig.send(.selectLayer(1))
        rig.send(.solo(layer: 0, true))
        rig.send(.nextItem)
        #expect(rig.state.selectedLayer == 1)
        #expect(rig.state.soloedLayers.isEmpty)
        rig.send(.nextItem)
        #expect(rig.state.selectedLayer == 0)
    }
}
