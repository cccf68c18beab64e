import Engine
import Patches
import Playback
import Performance
import Testing

/// Following a transport that is polled only now and then, on an engine whose cycles the test runs by hand.
@Suite struct TransportFollowTests {
    private final class FollowingPlayer {
        var player: Player
        let performance = LivePerformance(kernel: .baseline, ceiling: -6)
        let handle: RenderHandle
        private(set) var left: [Float] = []
        /// The transport's frame at each frame of `left`; `nil` while it was stopped.
        private(set) var frames: [Int64?] = []
        var frame: Int64 = 0
        var isRolling = false

        static let period = 256

        init(_ patch: Patch) {
            var state = PlayerState()
            state.items = [QueueItem(reference: "one", patch: patch)]
            state.currentIndex = 0
            state.transportMode = .follow
            player = Player(state)
            handle = performance.prepare(sampleRate: 48_000, state: state).handle
            player.audioAvailable(sampleRate: 48_000, at: performance.moment)
        }

        /// Runs cycles; the player sees the transport after every `interval` of them.
        func cycles(_ count: Int, seenEvery interval: Int = 5) {
            var (left, right) = ([Float](repeating: 0, count: Self.period), [Float](repeating: 0, count: Self.period))
            for cycle in 1...count {
                let moment = performance.moment
                let seen = (isRolling, frame)
                handle.render(left: &left, right: &right, frames: Self.period, hostTime: 0)
                self.left += left
                frames += (0..<Int64(Self.period)).map { isRolling ? frame + $0 : nil }
                if isRolling { frame += Int64(Self.period) }
                performance.poll(&player)
                if cycle % interval == 0 { player.follow(isRolling: seen.0, frame: seen.1, at: moment) }
                for case .sound(let change) in player.takeEffects() { performance.carryOut(change, player.state) }
            }
        }
    }

    private static let patch = Patch(
        duration: 2,
        layers: [
            Layer(name: "bed", kind: .binaural, values: [.carrier: 213.7, .beat: 7, .gain: -20]),
            Layer(name: "rain", kind: .noise, values: [.gain: -30], color: .pink),
        ])

    private func rendered() -> [Float] {
        let renderer = OfflineRenderer(PlanCompiler.compile(Self.patch, sampleRate: 48_000), kernel: .baseline)
        var (left, right) = ([Float](repeating: 0, count: 96_000), [Float](repeating: 0, count: 96_000))
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        return left
    }

    @Test(
        "However late a start or a locate is detected, the sound at transport frame n is frame n of the patch, bit for bit",
        arguments: [1, 5, 11])
    func exact(interval: Int) {
        let testPlayer = FollowingPlayer(Self.patch)
        let rendered = rendered()
        testPlayer.frame = 12_345
        testPlayer.isRolling = true
        testPlayer.cycles(44, seenEvery: interval)
        testPlayer.frame = 50_001
        testPlayer.cycles(44, seenEvery: interval)
        // Dropped cycles: the transport has moved on meanwhile.
        testPlayer.frame += 3 * 256
        testPlayer.cycles(44, seenEvery: interval)
        for segment in 0..<3 {
            // Seen within `interval` cycles, begun with the next one, faded in after 960 frames more.
            let begin = segment * 44 * 256 + (interval + 1) * 256 + 960
            let wrong = (begin..<(segment + 1) * 44 * 256).first { testPlayer.left[$0] != rendered[Int(testPlayer.frames[$0] ?? 0)] }
            #expect(wrong == nil, "segment \(segment)")
        }
    }

    @Test("When the transport stops, the sound continues into a fade of 20 ms, without a step")
    func stop() throws {
        let testPlayer = FollowingPlayer(Self.patch)
        let rendered = rendered()
        testPlayer.frame = 20_000
        testPlayer.isRolling = true
        testPlayer.cycles(40)
        testPlayer.isRolling = false
        testPlayer.cycles(20)
        // It begins with a cycle, after the one in which it was seen.
        let differs = try #require(testPlayer.left.indices.dropFirst(40 * 256).first { testPlayer.left[$0] != rendered[20_000 + $0] })
        let begin = differs / 256 * 256
        #expect(begin == 45 * 256)
        let errors = (begin..<begin + 1_500).map { index in
            let t = max(1 - Double(index - begin) / 960, 0)
            let gain = t * t * t * t * (35 + t * (t * (70 - 20 * t) - 84))
            return abs(Double(testPlayer.left[index]) - Double(rendered[20_000 + index]) * gain)
        }
        // The fade's own 24 bits, of samples below 0.2.
        #expect(errors.max() ?? 1 < 1e-6)
        #expect(testPlayer.player.state.playback == .paused)
        #expect(testPlayer.player.state.position(at: testPlayer.performance.moment) == testPlayer.frame)
    }

    @Test("Past the end of the item there is silence while the transport rolls, and sound again once it is back inside")
    func pastTheEnd() {
        let testPlayer = FollowingPlayer(Self.patch)
        testPlayer.frame = 95_000
        testPlayer.isRolling = true
        testPlayer.cycles(40)
        #expect(testPlayer.left[1_000...].allSatisfy { $0 == 0 })
        #expect(testPlayer.player.state.playback == .playing)
        testPlayer.frame = 10_000
        testPlayer.cycles(30)
        #expect(testPlayer.left.suffix(256) == rendered()[Int(testPlayer.frame) - 256..<Int(testPlayer.frame)])
    }
}
