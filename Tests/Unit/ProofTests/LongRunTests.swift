import Engine
import Foundation
import Patches
import TestSupport
import Testing

/// A day of sound: 24 hours in `make stress`, two minutes otherwise.
@Suite struct LongRunTests {
    private static let seconds: Int64 = isStress ? 86_400 : 120

    /// Marks that follow from the samples alone, one in 65,536 frames on average: where a stretch of some seconds comes again, so do its marks.
    private struct Marks {
        private(set) var count = 0
        private(set) var repeated = 0
        private var seen: Set<UInt64> = []
        private var window: UInt64 = 0

        /// The last eight samples make a mark: older ones have been pushed out.
        mutating func add(_ sample: Float) {
            window = window << 8 ^ UInt64(sample.bitPattern) &* 0x9e37_79b9_7f4a_7c15
            var mixed = window
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed ^= mixed >> 31
            guard mixed & 0xffff == 0 else { return }
            count += 1
            if !seen.insert(mixed).inserted { repeated += 1 }
        }
    }

    @Test("Noise does not repeat, and memory does not grow while playing", arguments: NoiseColor.allCases)
    func noRepeat(color: NoiseColor) {
        let layer = Layer(name: "noise", kind: .noise, values: [.gain: -20], color: color)
        let renderer = OfflineRenderer(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000))
        let left = UnsafeMutableBufferPointer<Float>.allocate(capacity: 48_000)
        let right = UnsafeMutableBufferPointer<Float>.allocate(capacity: 48_000)
        defer {
            left.deallocate()
            right.deallocate()
        }
        var marks = Marks()
        var (early, late) = (0, 0)
        for second in 0..<Self.seconds {
            _ = renderer.render(left: left, right: right)
            // The fade-in makes all samples different.
            if second > 0 { for sample in left { marks.add(sample) } }
            if second == Self.seconds / 10 { early = allocatedMemory() }
        }
        late = allocatedMemory()
        print(
            "figure: \(color) noise over \(Self.seconds) s: \(marks.count) marks, \(marks.repeated) of them twice; memory \(early) to \(late) kB"
        )
        #expect(marks.repeated == 0)
        #expect(marks.count > Int(Self.seconds) * 48_000 / 65_536 / 2)
        // The marks themselves take 16 bytes each, and twice that while their table grows. Only in `make stress` no other test runs in this
        // process beside it.
        if isStress { #expect(late - early < 1024 + marks.count * 48 / 1024) }
    }

    @Test("Marks find a repeated stretch of noise, wherever it is")
    func plantedRepeat() {
        let layer = Layer(name: "noise", kind: .noise, values: [.gain: -20], color: .pink)
        let renderer = OfflineRenderer(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000))
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 480_000)
        let right = UnsafeMutableBufferPointer<Float>.allocate(capacity: 480_000)
        defer {
            samples.deallocate()
            right.deallocate()
        }
        _ = renderer.render(left: samples, right: right)
        var marks = Marks()
        for sample in samples { marks.add(sample) }
        for sample in samples[12_345..<400_000] { marks.add(sample) }
        #expect(marks.repeated >= 1)
    }
}
