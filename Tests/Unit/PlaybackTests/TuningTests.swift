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

    private func carrier(_ rig: TestPlayer, item: Int = 0, layer: Int = 0) -> Double? {
        rig.state.items[item].patch?.layers[layer].values[.carrier]
    }

    @Test("A changed tuning moves the notes of the current item, and those of the items that follow")
    func live() {
        var rig = TestPlayer([item(), item()])
        rig.send(.play)
        _ = rig.effects()
        #expect(rig.send(.tune(a4: 432)).status == .success)
        #expect(rig.effects() == [.sound(.course(.carrier, layer: 0, seconds: nil)), .sound(.upcoming)])
        #expect(carrier(rig) == 432)
        #expect(carrier(rig, item: 1) == 432)
        #expect(carrier(rig, layer: 1) == nil)
        rig.send(.tune(a4: 432))
        #expect(rig.effects().isEmpty)
    }

    @Test("An item that is added, or whose patch is replaced, has the session's tuning")
    func added() {
        var rig = TestPlayer([item()])
        rig.send(.tune(a4: 415))
        rig.player.add(item())
        #expect(carrier(rig, item: 1) == 415)
        var reloaded = rig.state.items[0]
        reloaded.patch = item().patch
        #expect(reloaded.patch?.layers[0].values[.carrier] == 415)
    }

    @Test("Items of one patch share its memory: as they are added, and in another tuning")
    func shared() {
        var rig = TestPlayer([item()])
        for _ in 0..<3 { rig.player.add(item()) }
        func storage() -> Set<UnsafeRawPointer?> {
            Set(rig.state.items.map { item in (item.patch?.layers ?? []).withUnsafeBytes { $0.baseAddress } })
        }
        #expect(storage().count == 1)
        rig.send(.tune(a4: 432))
        #expect(storage().count == 1)
        #expect(rig.state.items.map { $0.patch?.layers[0].values[.carrier] } == [432, 432, 432, 432])
        rig.player.add(item())
        #expect(storage().count == 1)
    }

    @Test("A patch's own tuning takes precedence, also for keys and notes that are set")
    func own() {
        var rig = TestPlayer([item(tuning: 444), .make("two")])
        rig.send(.play)
        _ = rig.effects()
        rig.send(.tune(a4: 432))
        #expect(rig.effects().isEmpty)
        #expect(carrier(rig) == 444)
        #expect(rig.state.tuning.a4 == 444)
        #expect(rig.state.a4 == 432)
        rig.send(.selectItem(1))
        #expect(rig.state.tuning.a4 == 432)
    }

    @Test("A released touch of the tuning takes the notes back to where they were")
    func touched() {
        var rig = TestPlayer([item()])
        rig.send(.changeTouchMode(to: .return))
        rig.send(.touch(.a4, true))
        rig.send(.tune(a4: 460))
        #expect(carrier(rig) == 460)
        rig.send(.touch(.a4, false))
        #expect(carrier(rig) == 440)
        #expect(rig.state.a4 == 440)
    }
}
