import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Files that are repeated without a seam.
@Suite("render --loop")
struct RenderLoopTests {
    let environment: IsolatedEnvironment

    init() throws { environment = try IsolatedEnvironment() }

    private func render(_ arguments: String...) async throws -> FinishedProgram {
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["render", "--depth", "32f"] + arguments, environment: environment.variables,
            folder: environment.folder.path)
        #expect(run.exit == .code(0), "\(run.summary)")
        return run
    }

    /// A loop, and the patch that it was made of played on beyond its end. The loop begins where the first 20 ms of the patch are over.
    private func loop(_ text: String, seconds: Int) async throws -> (remark: String, loop: [[Double]], plain: [[Double]]) {
        _ = try environment.folder.write(text, to: "a.yaml")
        let run = try await render("a.yaml", "-o", "loop.wav", "--loop", "--to", "\(seconds)")
        _ = try environment.folder.write(
            text.split(separator: "\n").filter { !$0.hasPrefix("duration") && !$0.hasPrefix("fade") }.joined(separator: "\n") + "\n",
            to: "b.yaml")
        _ = try await render("b.yaml", "-o", "plain.wav", "--to", "\(seconds + 4)")
        let plain = try WaveFile(contentsOf: environment.folder.file("plain.wav")).channels.map { Array($0.dropFirst(960)) }
        return (run.output, try WaveFile(contentsOf: environment.folder.file("loop.wav")).channels, plain)
    }

    /// Up to here a crossfade of 0.1 s contains a ten-millionth of the new sound: 10 t^3 of the smootherstep, 10 frames of 4800. The
    /// rounding error of the sum of two Float samples below 0.1 is less.
    private static let untouched = (frames: 10, error: 1e-7)

    @Test("the end of a loop of tones whose phases meet is followed by what would have come next, within their phase error")
    func tones() async throws {
        let (remark, loop, plain) = try await loop(
            """
            title: Bed
            layers:
              - {name: low, binaural: {carrier: 200.1, beat: 7.8}, gain: -20}
              - {name: high, isochronic: {carrier: 330, pulseRate: 4.5, edge: 0.01}, gain: -30}

            """, seconds: 60)
        #expect(remark.hasSuffix("32-bit float, a loop whose phases meet within 0.0001 cycles"), "\(remark)")
        for (loop, plain) in zip(loop, plain) {
            let length = loop.count
            #expect(length > 54 * 48_000)
            #expect(length <= 60 * 48_000)
            for frame in 0..<Self.untouched.frames { #expect(abs(loop[frame] - plain[length + frame]) < Self.untouched.error) }
            // A crossfade of two sines of amplitude a whose phases miss each other by e cycles is never more than 2 pi e a from either; an edge of
            // 0.01 s in a period of 1/4.5 s, which is a smootherstep and rises by 1.875 of its length at most, misses by as much as e moves it.
            let (low, high, miss) = (pow(10, -20.0 / 20), pow(10, -30.0 / 20), 1e-4)
            let bound = miss * (2 * .pi * (low + high) + high * 1.875 / (0.01 * 4.5)) + Self.untouched.error
            let worst = (0..<48_000).map { abs(loop[$0] - plain[length + $0]) }.max() ?? 1
            #expect(worst < bound, "\(worst)")
            // After the crossfade it is the patch.
            #expect(loop[4800...].elementsEqual(plain[4800..<length]))
        }
    }

    @Test(
        "layers without a common length are crossfaded: no louder than the louder side and no softer than the softer one",
        arguments: [
            (
                "title: Rain\nlayers:\n  - {name: rain, noise: {color: pink}, gain: -20}\n  - {name: bed, tone: {carrier: 100}, gain: -40}\n",
                "1 of 2 layers are crossfaded over 2 s"
            ),
            (
                """
                title: Moving
                duration: 20
                fade: {in: 2, out: 3}
                layers:
                  - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -40}
                  - {name: rain, noise: {color: pink}, gain: -30}
                chapters:
                  - {at: 4, over: 10, ease: sineInOut, set: {bed.beat: 4, rain.gain: -24}}

                """, "2 of 2 layers are crossfaded over 2 s"
            ),
        ])
    func noise(text: String, crossfaded: String) async throws {
        let (remark, loop, plain) = try await loop(text, seconds: 20)
        #expect(remark.contains(crossfaded), "\(remark)")
        for (loop, plain) in zip(loop, plain) {
            let length = loop.count
            // A crossfade is as long between ends that match as between others.
            for frame in 0..<Self.untouched.frames { #expect(abs(loop[frame] - plain[length + frame]) < Self.untouched.error) }
            #expect(loop[96_000...].elementsEqual(plain[96_000..<length]))
            // The level of the differences between samples, since they spread the power of pink noise over some 20,000 hertz instead of its
            // lowest ones. The level of a second varies by 0.05 dB at random, and an equal-power crossfade does not change it. The bound is
            // six times that.
            func level(_ samples: ArraySlice<Double>) -> Double {
                10 * log10(zip(samples, samples.dropFirst()).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Double(samples.count))
            }
            let sides = [level(loop.suffix(48_000)), level(loop[96_000..<144_000])]
            for second in 0..<2 {
                let inside = level(loop[second * 48_000..<(second + 1) * 48_000])
                #expect(inside > sides.min()! - 0.3, "\(sides) \(inside)")
                #expect(inside < sides.max()! + 0.3, "\(sides) \(inside)")
            }
        }
    }

    @Test("the rates of effects have whole cycles in a loop if the tones agree; otherwise the tones decide")
    func effects() async throws {
        func length(_ layers: String) async throws -> (seconds: Double, remark: String) {
            let text = "title: Waves\nlayers:\n" + layers.split(separator: "\n").map { "  - \($0)\n" }.joined()
            let (remark, loop, _) = try await loop(text, seconds: 20)
            return (Double(loop[0].count) / 48_000, remark)
        }
        func miss(_ rate: Double, _ seconds: Double) -> Double { abs(rate * seconds - (rate * seconds).rounded()) }
        let waves = "{name: sea, noise: {color: pink, amRate: 0.73, amDepth: 1, spinRate: 1.46}, gain: -20}\n"
        let alone = try await length(waves)
        #expect(miss(0.73, alone.seconds) < 0.01 && miss(1.46, alone.seconds) < 0.01, "\(alone)")
        #expect(alone.remark.contains("1 of 1 layers are crossfaded"), "\(alone)")
        let withTone = try await length(waves.replacing(", spinRate: 1.46", with: "") + "{name: bed, tone: {carrier: 100}, gain: -40}\n")
        #expect(miss(0.73, withTone.seconds) < 0.01 && miss(100, withTone.seconds) < 0.01, "\(withTone)")
        #expect(withTone.remark.contains("1 of 2 layers are crossfaded"), "\(withTone)")
        // No length from 18 s to 20 s has whole cycles of 0.01 Hz.
        let slow = try await length(waves.replacing("0.73", with: "0.01") + "{name: bed, tone: {carrier: 100.3}, gain: -40}\n")
        #expect(miss(100.3, slow.seconds) < 0.001, "\(slow)")
    }

    @Test("a looping patch can be looped only within one round: beyond its end is an error that names the end, and no file is written")
    func rounds() async throws {
        _ = try environment.folder.write("a: 200+10/40\nb: 300+10/40\n00:00:00 == a\n12:00:00 == b\n", to: "day.sbg")
        func loop(_ from: String, _ to: String) async throws -> FinishedProgram {
            try await RunningProgram.run(
                try PackageRoot.program(), ["render", "day.sbg", "-o", "loop.wav", "--loop", "--from", from, "--to", to],
                environment: environment.variables, folder: environment.folder.path)
        }
        let over = try await loop("23:59:00", "24:01:00")
        #expect(over.exit == .code(64), "\(over.summary)")
        #expect(over.errors.contains("A loop cannot go past the end of 'day' at 24:00:00."), "\(over.summary)")
        #expect(!FileManager.default.fileExists(atPath: environment.folder.file("loop.wav")))
        let last = try await loop("23:59:00", "24:00:00")
        #expect(last.exit == .code(0), "\(last.summary)")
    }
}
