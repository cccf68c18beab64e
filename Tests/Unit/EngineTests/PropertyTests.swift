import Engine
import Patches
import Testing

/// Frame n is one value: for any patch, any edits, any sample rate, any cut into blocks, any place to begin at.
@Suite("Any patch, with any edits, in any blocks")
struct PropertyTests {
    private static let sampleRates = [8000.0, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000, 384_000]

    @Test("Any blocks and any start give the samples of the whole render", arguments: Kernel.available, sampleRates)
    func oneSound(kernel: Kernel, sampleRate: Double) {
        for seed in 0..<6 {
            var generator = SeededGenerator(seed: UInt64(seed) &+ UInt64(sampleRate) &* 31)
            let patch = Patch.random(using: &generator, sines: seed.isMultiple(of: 2) ? 0 : 8)
            let count = Int(sampleRate * 0.8)
            let plan = edited(patch, sampleRate: sampleRate, frames: count, using: &generator)
            let whole = render(plan, count: count, blocks: [1024], kernel: kernel)
            let isFinite = whole.left.allSatisfy(\.isFinite) && whole.right.allSatisfy(\.isFinite)
            #expect(isFinite, "seed \(seed)")
            let blocks = (0..<40).map { _ in Int.random(in: 1...(Bool.random(using: &generator) ? 40 : 3000), using: &generator) }
            let isSameInBlocks = render(plan, count: count, blocks: blocks, kernel: kernel) == whole
            #expect(isSameInBlocks, "seed \(seed), blocks \(blocks)")
            for _ in 0..<3 {
                let start = Int.random(in: 1..<count, using: &generator)
                let length = min(count - start, 5000)
                let isSameFromThere =
                    render(plan, from: Int64(start), count: length, blocks: blocks, kernel: kernel)
                    == Samples(left: Array(whole.left[start..<start + length]), right: Array(whole.right[start..<start + length]))
                #expect(isSameFromThere, "seed \(seed), from \(start)")
            }
        }
    }

    @Test("An edit does not change any frame before it", arguments: Kernel.available)
    func before(kernel: Kernel) {
        for seed in 0..<20 {
            var generator = SeededGenerator(seed: UInt64(seed) &+ 5)
            let patch = Patch.random(using: &generator, sines: seed.isMultiple(of: 2) ? 0 : 8)
            let plan = PlanCompiler.compile(patch, sampleRate: 48_000)
            let frame = Int.random(in: 100..<20_000, using: &generator)
            let changed = plan.applying([patch.randomSetting(using: &generator)], at: Int64(frame))
            let isSame = render(plan, count: frame, kernel: kernel) == render(changed, count: frame, kernel: kernel)
            #expect(isSame, "seed \(seed), edit at \(frame)")
        }
    }

    /// With a few manual edits and mutes, in order.
    private func edited(_ patch: Patch, sampleRate: Double, frames: Int, using generator: inout SeededGenerator) -> Plan {
        var plan = PlanCompiler.compile(patch, sampleRate: sampleRate)
        let places = (0..<Int.random(in: 0...5, using: &generator)).map { _ in Int64.random(in: 1..<Int64(frames), using: &generator) }
        for place in places.sorted() {
            if Bool.random(using: &generator) {
                plan = plan.applying([patch.randomSetting(using: &generator)], at: place)
            } else {
                plan = plan.muting(Bool.random(using: &generator) ? [0] : [], at: place)
            }
        }
        return plan
    }
}
