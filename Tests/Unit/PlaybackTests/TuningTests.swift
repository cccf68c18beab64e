import Patches
import Playback
import Testing

@Suite("The session's tuning and its items") struct TuningTests {
    private func item(tuning: Double? = nil) -> QueueItem {
        var patch = Patch(duration: 60, layers: [Layer(name: "a", kind: .tone, values: [.carrier: 440]), Layer(name: "b", kind: .tone)])
        patch.layers[0].note = Note(name: "A4")
        patch.tuning = tuning
        return QueueItem(reference: "a", patch: patch)
    }

    private func carrier(_ player: TestPlayer, item: Int = 0, layer: Int = 0) -> Double? {
        player.state.items[item].patch?.layers[layer].values[.carrier]
    }

    @Test("A changed tuning moves the notes of the current item, and those of the items that follow")
    func live() {
        var player = TestPlayer([item(), item()])
        player.send(.play)
        _ = player.effects()
        #expect(player.send(.tune(a4: 432)).status == .success)
        #expect(player.effects() == [.sound(.course(.carrier, layer: 0, seconds: nil)), .sound(.upcoming)])
        #expect(carrier(player) == 432)
        #expect(carrier(player, item: 1) == 432)
        #expect(carrier(player, layer: 1) == nil)
        player.send(.tune(a4: 432))
        #expect(player.effects().isEmpty)
    }

    @Test("An item that is added, or whose patch is replaced, has the session's tuning")
    func added() {
        var player = TestPlayer([item()])
        player.send(.tune(a4: 415))
        player.player.add(item())
        #expect(carrier(player, item: 1) == 415)
        var reloaded = player.state.items[0]
        reloaded.patch = item().patch
        #expect(reloaded.patch?.layers[0].values[.carrier] == 415)
    }

    @Test("A changed tuning counts as a change of the patches whose notes follow it, and of no others")
    func revisions() {
        var player = TestPlayer([item(), item(), item(tuning: 444), .make("two")])
        let before = player.state.items.map(\.revision)
        func changes() -> [Int] { zip(player.state.items, before).map { $0.revision - $1 } }
        player.send(.tune(a4: 432))
        #expect(changes() == [1, 1, 0, 0])
        player.send(.tune(a4: 432))
        #expect(changes() == [1, 1, 0, 0])
        player.send(.changeCourse(.value(place: nil, Setting(layer: 0, parameter: .carrier, value: 300))))
        #expect(changes() == [2, 1, 0, 0])
        // The carrier is not a note any more.
        player.send(.tune(a4: 415))
        #expect(changes() == [2, 2, 0, 0])
    }

    @Test("Items of one patch share its memory: as they are added, and in another tuning")
    func shared() {
        var player = TestPlayer([item()])
        for _ in 0..<3 { player.player.add(item()) }
        func storage() -> Set<UnsafeRawPointer?> {
            Set(player.state.items.map { item in (item.patch?.layers ?? []).withUnsafeBytes { $0.baseAddress } })
        }
        #expect(storage().count == 1)
        player.send(.tune(a4: 432))
        #expect(storage().count == 1)
        #expect(player.state.items.map { $0.patch?.layers[0].values[.carrier] } == [432, 432, 432, 432])
        player.player.add(item())
        #expect(storage().count == 1)
    }

    @Test("A patch's own tuning takes precedence, also for keys and notes that are set")
    func own() {
        var player = TestPlayer([item(tuning: 444), .make("two")])
        player.send(.play)
        _ = player.effects()
        player.send(.tune(a4: 432))
        #expect(player.effects().isEmpty)
        #expect(carrier(player) == 444)
        #expect(player.state.tuning.a4 == 444)
        #expect(player.state.a4 == 432)
        player.send(.selectItem(1))
        #expect(player.state.tuning.a4 == 432)
    }

    @Test("A released touch of the tuning takes the notes back to where they were")
    func touched() {
        var player = TestPlayer([item()])
        player.send(.changeTouchMode(to: .return))
        player.send(.touch(.a4, true))
        player.send(.tune(a4: 460))
        #expect(carrier(player) == 460)
        player.send(.touch(.a4, false))
        #expect(carrier(player) == 440)
        #expect(player.state.a4 == 440)
    }
}
