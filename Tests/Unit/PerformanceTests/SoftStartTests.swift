import Patches
import Playback
import TestSupport
import Testing

/// The first sound after the start of the program.
@Suite struct SoftStartTests {
    private static let second = 48_000 / TestPerformance.period

    @Test("the first sound comes in over the soft start without a click, is then the same as without, and later starts are immediate")
    func comesIn() {
        let item = PlayingTests.item("one", carrier: 200, seconds: nil)
        let (soft, plain) = (TestPerformance([item], softStart: 1), TestPerformance([item]))
        for performance in [soft, plain] {
            performance.send(.play)
            performance.cycles(3 * Self.second)
        }
        let levels = [0.25, 0.5, 0.75].map { part in
            let start = Int(part * 48_000)
            return decibels(Double(soft.left[start..<(start + 2400)].map(abs).max() ?? 0))
        }
        #expect(levels[0] < -60, "\(levels)")
        #expect(levels[0] < levels[1], "\(levels)")
        #expect(levels[1] < levels[2], "\(levels)")
        #expect(levels[2] < -20, "\(levels)")
        // After the second and the period in which it began, every sample is that of a sound without a soft start.
        let after = 48_000 + 2 * TestPerformance.period
        #expect(soft.left[after...] == plain.left[after...])
        for performance in [soft, plain] {
            performance.send(.pause)
            performance.cycles(20)
            performance.send(.play)
            performance.cycles(20)
        }
        #expect(soft.left[after...] == plain.left[after...])
        soft.send(.stop)
        soft.cycles(40)
        #expect(peakAbove(2000, in: soft.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }
}
