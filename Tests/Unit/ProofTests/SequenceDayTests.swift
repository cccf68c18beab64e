import Engine
import Foundation
import Patches
import SBaGen
import TestSupport
import Testing

/// Sequences through the engine, over the whole day.
@Suite struct SequenceDayTests {
    private static let sampleRate = 8000
    /// Seconds in which something starts or ends.
    private static let corners = [
        0, 1, 11_385, 11_414, 11_430, 21_599, 43_171, 43_199, 43_200, 43_219, 66_570, 66_599, 86_360, 86_390, 86_399,
    ]

    /// A day with every kind of sound; noises cost more than all the rest.
    private static func plan(hasNoises: Bool) throws -> Plan {
        let noises = hasNoises ? ["pink/30", "pink/20", "brown/20 spin:300+0.5/20"] : ["-", "-", "- -"]
        let text = """
            off: -
            base: 200+10/20 \(noises[0])
            deep: 150+4/30 \(noises[1]) bell+400/10
            high: square:300+20/10 \(noises[2]) 200@8/10
            00:00 == base
            03:10:15 deep ->
            06:00 == high
            12:00 <> off
            12:00:20 base ->
            18:30 deep
            23:59:50 high
            """
        let patch = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "day.sbg").patch()
        let plan = PlanCompiler.compile(patch, sampleRate: Double(sampleRate))
        #expect(plan.lengthInFrames == Int64(86_400 * sampleRate))
        return plan
    }

    /// A second of sound, in memory of the caller.
    private struct Second: Equatable {
        var left = [Float](repeating: 0, count: sampleRate)
        var right = [Float](repeating: 0, count: sampleRate)

        mutating func fill(from renderer: OfflineRenderer, blocks: Int) {
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    for start in stride(from: 0, to: sampleRate, by: blocks) {
                        let range = start..<min(start + blocks, sampleRate)
                        _ = renderer.render(left: .init(rebasing: left[range]), right: .init(rebasing: right[range]))
                    }
                }
            }
        }
    }

    /// In a stress run with noises.
    @Test("A day by the clock is played from midnight to midnight, and a seek to any of 500 seconds of it gives exactly the same samples")
    func playedThrough() throws {
        let plan = try Self.plan(hasNoises: isStress)
        var random = SplitMix64(seed: 6)
        let seconds = Set(Self.corners + (Self.corners.count..<500).map { _ in .random(in: 0..<86_400, using: &random) })
        let played = OfflineRenderer(plan)
        var (here, sought) = (Second(), Second())
        var different: [Int] = []
        for second in 0..<86_400 {
            here.fill(from: played, blocks: Self.sampleRate)
            guard seconds.contains(second) else { continue }
            sought.fill(from: OfflineRenderer(plan, from: Int64(second * Self.sampleRate)), blocks: 256)
            if here != sought { different.append(second) }
        }
        print("figure: a day played through, \(seconds.count) seeks into it, \(different.count) of them different")
        #expect(different.isEmpty)
    }

    @Test("With noise the same holds at its corners and in 40 other seconds, after a seek or after a second of playback, in other blocks")
    func noises() throws {
        let plan = try Self.plan(hasNoises: true)
        var random = SplitMix64(seed: 5)
        for second in Self.corners.dropFirst() + (0..<40).map({ _ in .random(in: 1..<86_400, using: &random) }) {
            var (played, sought) = (Second(), Second())
            let renderer = OfflineRenderer(plan, from: Int64((second - 1) * Self.sampleRate))
            played.fill(from: renderer, blocks: 64)
            played.fill(from: renderer, blocks: 17)
            sought.fill(from: OfflineRenderer(plan, from: Int64(second * Self.sampleRate)), blocks: 256)
            #expect(played == sought, "at second \(second)")
        }
    }
}
