import Engine
import Patches
import Playback
import Performance
import SBaGen
import TestSupport
import Testing

/// The sound of a day by the clock, from one day into the next.
@Suite struct MidnightTests {
    private static let day = Int(Patch.day) * 48_000

    /// A change around midnight, a bell struck exactly at midnight, and noise.
    private static let sequence = """
        -F 6000
        late: 200+10/20 pink/10
        early: 150+4/30 pink/20 bell+400/10
        12:00 == late
        00:00 == early

        """

    private func item() throws -> QueueItem {
        let patch = try SBaGenSequence.parse(bytes: Array(Self.sequence.utf8), file: "day.sbg").patch()
        #expect(patch.clock == 0)
        #expect(patch.loops)
        #expect(patch.duration == Patch.day)
        return QueueItem(reference: "day", patch: patch)
    }

    /// Starts at a second of the day.
    private func offline(_ patch: Patch, from second: Int, seconds: Int) -> (left: [Float], right: [Float]) {
        let plan = PlanCompiler.compile(patch, sampleRate: 48_000)
        let renderer = OfflineRenderer(plan, from: Int64(second * 48_000), kernel: .baseline, ceiling: -6)
        let count = seconds * 48_000
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        return (left, right)
    }

    private func run(_ host: RenderedHost, seconds: Double) {
        for _ in 0..<Int(seconds * 48_000) / (2 * RenderedHost.period) {
            host.cycles(2)
            host.player.tick(at: host.performance.moment)
            host.carryOut()
        }
    }

    /// Checks that the sound from there on is the frame of the day at the player's position.
    private func expectDay(_ host: RenderedHost, _ patch: Patch, from first: Int, midnight: Int, _ comment: Comment) {
        let (evening, morning) = (offline(patch, from: 86_395, seconds: 5), offline(patch, from: 0, seconds: 5))
        // After the fade of what started there.
        for (heard, before, after) in [(host.left, evening.left, morning.left), (host.right, evening.right, morning.right)] {
            let wanted = Array((before + after)[(before.count - (midnight - first))...])
            let count = min(wanted.count, heard.count - first)
            #expect(count > 48_000, comment)
            let isSame = heard[first..<first + count].elementsEqual(wanted[..<count])
            #expect(isSame, comment)
        }
    }

    @Test("at midnight playback continues with the first frame of the day, sample for sample, whether it started by the clock or by a seek")
    func wrap() throws {
        for isSought in [false, true] {
            let item = try item()
            let patch = try #require(item.patch)
            let host = RenderedHost([item])
            host.player.dayClock = DayClock(moment: host.performance.moment, seconds: isSought ? 50_000 : 86_397.25)
            host.send(.play)
            run(host, seconds: 0.5)
            if isSought {
                host.send(.changePosition(to: 86_397.5))
                run(host, seconds: 0.25)
            }
            // The reported position is what is heard; midnight follows from it.
            let midnight = host.left.count + Self.day - Int(host.position)
            let first = host.left.count
            #expect(first < midnight - 48_000)
            run(host, seconds: 5)
            #expect(host.player.state.playback == .playing)
            #expect(host.player.state.currentIndex == 0)
            #expect(Int(host.position) == host.left.count - midnight, "the position is not the time since midnight")
            expectDay(host, patch, from: first, midnight: midnight, "\(isSought ? "sought" : "by the clock")")
        }
    }

    @Test("a seek to a time before or after midnight has the samples that were played there")
    func seek() throws {
        let item = try item()
        let patch = try #require(item.patch)
        let host = RenderedHost([item])
        host.player.dayClock = DayClock(moment: host.performance.moment, seconds: 40_000)
        host.send(.play)
        for second in [86_398, 1, 86_396, 0] {
            host.send(.changePosition(to: Double(second)))
            run(host, seconds: 0.25)
            let mark = host.left.count
            let position = Int(host.position)
            run(host, seconds: 1)
            let wanted = offline(patch, from: second, seconds: 2).left.dropFirst(position - second * 48_000)
            #expect(position > second * 48_000)
            #expect(position < (second + 1) * 48_000)
            let isSame = host.left[mark..<mark + 40_000].elementsEqual(wanted.prefix(40_000))
            #expect(isSame, "at second \(second)")
        }
    }
}
