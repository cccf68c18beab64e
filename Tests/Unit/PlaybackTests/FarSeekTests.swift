import Patches
import Playback
import Testing

@Suite("Seeks far ahead")
struct FarSeekTests {
    @Test("Any number of skips in an endless item ends at a position that every rate and sample rate can hold")
    func endless() {
        var player = TestPlayer([QueueItem(reference: "endless", patch: Patch(layers: [Layer(name: "a", kind: .binaural)]))])
        player.send(.play)
        for _ in 0..<10_000 { player.send(.skip(by: 1e30)) }
        #expect((0...1_000_000_000_000_000).contains(player.state.position(at: player.now)))
    }
}
