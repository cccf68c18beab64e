import Foundation
import Patches
import Playback
import TestSupport
import Testing

/// The sound at the end of a sleep timer.
@Suite struct SleepSoundTests {
    private func stage(crossfade: Double = 0) -> TestPerformance {
        let items = [PlayingTests.item("one", carrier: 200, seconds: nil), PlayingTests.item("two", carrier: 200, seconds: nil)]
        let stage = TestPerformance(items)
        stage.performance.crossfade = crossfade
        stage.send(.play)
        stage.cycles(20)
        return stage
    }

    /// As the control actor does, every 10 ms or so.
    private func run(_ stage: TestPerformance, seconds: Double) {
        for _ in 0..<Int(seconds * 48_000) / (2 * TestPerformance.period) {
            stage.cycles(2)
            stage.player.tick(at: stage.performance.moment)
            stage.carryOut()
        }
    }

    @Test("the last frame that sounds is the one before the timer's, nothing clicks, and nothing comes back", arguments: [0, 0.5, 1.5])
    func exact(fade: Double) throws {
        let stage = stage()
        let asked = Int(stage.performance.moment.frame)
        stage.send(.sleep(in: 2, fade: fade, .linear))
        run(stage, seconds: 3)
        let silent = asked + 2 * 48_000
        // At -120 dB of a tone at -20 dBFS, a sample is below what the last frames could show: the gain is 0, and they were not.
        let last = try #require(stage.left.lastIndex { $0 != 0 })
        #expect(last < silent)
        #expect(last > silent - 2400)
        let start = silent - max(Int(fade * 48_000), 960)
        let untouched = stage.left[start - 480..<start].map(abs).max() ?? 0
        #expect(untouched > 0.0999, "up to its fade it is as it was")
        #expect(peakAbove(2000, in: stage.left.map(Double.init)[...], sampleRate: 48_000) < -100)
        #expect(stage.player.state.playback == .stopped)
        stage.send(.play)
        run(stage, seconds: 0.5)
        #expect((stage.left.suffix(4800).map(abs).max() ?? 0) > 0.0999)
    }

    /// An independent second implementation.
    private static let courses: [(easing: Easing, course: @Sendable (Double) -> Double)] = [
        (.linear, { $0 }), (.quadIn, { $0 * $0 }), (.cubicOut, { 1 - pow(1 - $0, 3) }), (.sineInOut, { (1 - cos(.pi * $0)) / 2 }),
        (.circIn, { 1 - (1 - $0 * $0).squareRoot() }),
    ]

    @Test("the fade follows its easing, in dB, down to -120", arguments: courses.indices)
    func easings(index: Int) throws {
        let (easing, course) = Self.courses[index]
        let stage = stage()
        let asked = Int(stage.performance.moment.frame)
        stage.send(.sleep(in: 5, fade: 4, easing))
        run(stage, seconds: 6)
        let start = asked + 48_000
        var heard = 0
        for place in stride(from: 0.0625, to: 1, by: 0.0625) {
            // A period of the tone, whose crest is its level there.
            let middle = start + Int(place * 4 * 48_000)
            let level = decibels(Double(stage.left[middle - 120..<middle + 120].map(abs).max() ?? 0))
            let wanted = -20 - 120 * course(place)
            // Below that a period is not a sine any more.
            guard wanted > -110 else { continue }
            heard += 1
            // Half a period is a 1600th of the fade: there the steepest of these courses moves by 0.3 dB.
            #expect(abs(level - wanted) < 0.3, "\(easing) at \(place): \(level) dB in place of \(wanted)")
        }
        #expect(heard >= 4)
        #expect(stage.player.state.playback == .stopped)
        #expect(stage.isSilent(from: stage.left.count - 4800))
    }

    @Test("an item still in a crossfade does not come back when the level does, nor does the sound at a stop in the fade")
    func tails() throws {
        for isStopped in [false, true] {
            let stage = stage(crossfade: 5)
            stage.send(.nextItem)
            run(stage, seconds: 0.2)
            stage.send(.sleep(in: 1, fade: 1, .linear))
            run(stage, seconds: 0.6)
            let level = stage.left.suffix(480).map(abs).max() ?? 0
            #expect(level > 0)
            #expect(level < 0.01)
            let mark = stage.left.count
            if isStopped { stage.send(.stop) }
            run(stage, seconds: 2)
            #expect((stage.left[mark...].map(abs).max() ?? 1) <= level)
            #expect(stage.isSilent(from: stage.left.count - 48_000))
        }
    }

    @Test("after a pause in a fade of the master, nothing is heard while the level returns")
    func pausedFade() {
        let stage = stage()
        stage.send(.fadeOut(seconds: 1))
        run(stage, seconds: 0.6)
        let level = stage.left.suffix(480).map(abs).max() ?? 0
        let mark = stage.left.count
        stage.send(.pause)
        run(stage, seconds: 0.5)
        #expect((stage.left[mark...].map(abs).max() ?? 1) <= level)
    }
}
