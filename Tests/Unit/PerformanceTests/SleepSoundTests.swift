import Foundation
import Patches
import Playback
import TestSupport
import Testing

/// The sound at the end of a sleep timer.
@Suite struct SleepSoundTests {
    private func host(crossfade: Double = 0) -> RenderedHost {
        let items = [PlayingTests.item("one", carrier: 200, seconds: nil), PlayingTests.item("two", carrier: 200, seconds: nil)]
        let host = RenderedHost(items)
        host.performance.crossfade = crossfade
        host.send(.play)
        host.cycles(20)
        return host
    }

    /// As control does, every 10 ms or so.
    private func run(_ host: RenderedHost, seconds: Double) {
        for _ in 0..<Int(seconds * 48_000) / (2 * RenderedHost.period) {
            host.cycles(2)
            host.player.tick(at: host.performance.moment)
            host.carryOut()
        }
    }

    @Test("the last frame that sounds is the one before the timer's, nothing clicks, and nothing comes back", arguments: [0, 0.5, 1.5])
    func exact(fade: Double) throws {
        let host = host()
        let asked = Int(host.performance.moment.frame)
        host.send(.sleep(in: 2, fade: fade, .linear))
        run(host, seconds: 3)
        let silent = asked + 2 * 48_000
        // At -120 dB of a tone at -20 dBFS, a sample is below what the last frames could show: the gain is 0, and they were not.
        let last = try #require(host.left.lastIndex { $0 != 0 })
        #expect(last < silent)
        #expect(last > silent - 2400)
        let start = silent - max(Int(fade * 48_000), 960)
        let untouched = host.left[start - 480..<start].map(abs).max() ?? 0
        #expect(untouched > 0.0999, "up to its fade it is as it was")
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
        #expect(host.player.state.playback == .stopped)
        host.send(.play)
        run(host, seconds: 0.5)
        #expect((host.left.suffix(4800).map(abs).max() ?? 0) > 0.0999)
    }

    /// An independent second implementation.
    nonisolated private static let courses: [(easing: Easing, course: @Sendable (Double) -> Double)] = [
        (.linear, { $0 }), (.quadIn, { $0 * $0 }), (.cubicOut, { 1 - pow(1 - $0, 3) }), (.sineInOut, { (1 - cos(.pi * $0)) / 2 }),
        (.circIn, { 1 - (1 - $0 * $0).squareRoot() }),
    ]

    @Test("the fade follows its easing, in dB, down to -120", arguments: courses.indices)
    func easings(index: Int) throws {
        let (easing, course) = Self.courses[index]
        let host = host()
        let asked = Int(host.performance.moment.frame)
        host.send(.sleep(in: 5, fade: 4, easing))
        run(host, seconds: 6)
        let start = asked + 48_000
        var heard = 0
        for place in stride(from: 0.0625, to: 1, by: 0.0625) {
            // A period of the tone, whose crest is its level there.
            let middle = start + Int(place * 4 * 48_000)
            let level = decibels(Double(host.left[middle - 120..<middle + 120].map(abs).max() ?? 0))
            let wanted = -20 - 120 * course(place)
            // Below that a period is not a sine any more.
            guard wanted > -110 else { continue }
            heard += 1
            // Half a period is a 1600th of the fade: there the steepest of these courses moves by 0.3 dB.
            #expect(abs(level - wanted) < 0.3, "\(easing) at \(place): \(level) dB in place of \(wanted)")
        }
        #expect(heard >= 4)
        #expect(host.player.state.playback == .stopped)
        #expect(host.isSilent(from: host.left.count - 4800))
    }

    @Test("an item still in a crossfade does not come back when the level does, nor does the sound at a stop in the fade")
    func tails() throws {
        for isStopped in [false, true] {
            let host = host(crossfade: 5)
            host.send(.nextItem)
            run(host, seconds: 0.2)
            host.send(.sleep(in: 1, fade: 1, .linear))
            run(host, seconds: 0.6)
            let level = host.left.suffix(480).map(abs).max() ?? 0
            #expect(level > 0)
            #expect(level < 0.01)
            let mark = host.left.count
            if isStopped { host.send(.stop) }
            run(host, seconds: 2)
            #expect((host.left[mark...].map(abs).max() ?? 1) <= level)
            #expect(host.isSilent(from: host.left.count - 48_000))
        }
    }

    @Test("after a pause in a fade of the master, nothing is heard while the level returns")
    func pausedFade() {
        let host = host()
        host.send(.fadeOut(seconds: 1))
        run(host, seconds: 0.6)
        let level = host.left.suffix(480).map(abs).max() ?? 0
        let mark = host.left.count
        host.send(.pause)
        run(host, seconds: 0.5)
        #expect((host.left[mark...].map(abs).max() ?? 1) <= level)
    }
}
