@testable import Engine
import Synthesis
import TestSupport
import Testing

@Suite("Envelopes of pulses")
struct PulseTests {
    @Test(
        "With an edge that stays the same, the level is that of one frame after the other in every bit, for any rate, duty, edge and phase",
        arguments: Kernel.allCases.filter(\.isAvailable))
    func runs(kernel: Kernel) {
        var random = SplitMix64(seed: 5)
        var (steady, uneven) = (0, 0)
        for _ in 0..<20_000 {
            let duty = [0.01, 0.5, 0.9985, 0.9995, 1, Float.random(in: 0...1, using: &random)].randomElement(using: &random)!
            let edge = [0, 1e-9, 0.4 * duty, 0.5, -0.1, Float.random(in: 0...0.5, using: &random)].randomElement(using: &random)!
            let shape = PulseShape(duty: duty, edgeScale: 1, isLongest: isLongest(edge: edge, duty: duty))
            let step = UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 1...63, using: &random)
            // Near the start, the end of the pulse, and the end of the period, too.
            let place = [
                0, UInt64.max &- 3 &* step, UInt64(Double(duty) * 0x1p62) &<< 2 &- 3 &* step, UInt64.random(in: 0...(.max), using: &random),
            ]
            let pulse = PhaseDifferences(
                phase: place.randomElement(using: &random)!, d1: Bool.random(using: &random) ? step : 0 &- step,
                d2: Int.random(in: 0..<8, using: &random) == 0 ? 12_345 : 0, d3: 0, d4: 0)
            let count = Int.random(in: 1...256, using: &random)
            var (known, levels) = ([Float](repeating: 9, count: count), [Float](repeating: 9, count: count))
            shape.fill(&known, count: count, pulse: pulse, edges: [Float](repeating: edge, count: count))
            // As pulses in the other ear: the same rate from another phase.
            var other = pulse
            other.phase &+= .random(in: 0...(.max), using: &random)
            if let level = SteadyPulses(shape, edge: edge, pulse: other).fill(&levels, count: count, pulse: pulse, kernel: kernel) {
                levels = [Float](repeating: level, count: count)
                steady += 1
            } else {
                uneven += 1
            }
            let isSame = zip(known, levels).allSatisfy { $0.bitPattern == $1.bitPattern }
            #expect(isSame, "duty \(duty), edge \(edge), \(pulse)")
        }
        #expect(steady > 1000)
        #expect(uneven > 1000)
    }
}
