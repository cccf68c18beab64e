import Foundation
import Patches
import Synthesis
import TestSupport
import Testing

@testable import Engine

/// The figures for sines in docs/figures.md.
@Suite("Precision of a sine")
struct PrecisionTests {
    // Half a hertz is a bin of the transform.
    private static let rate = 65_536.0
    private static let size = 1 << 17

    /// The right ear of a binaural layer: carrier - beat/2 goes below the lowest carrier.
    ///
    /// - Parameter silent: The number of silent layers beside it; from 7 on the sine is computed at nodes where it is low enough.
    private func plan(_ frequency: Double, silent: Int) -> Plan {
        var patch = Patch.single(.binaural, [.carrier: frequency + 0.5, .beat: 1])
        patch.layers += (0..<silent).map { Layer(name: "silent \($0)", kind: .tone, values: [.gain: -120]) }
        return PlanCompiler.compile(patch, sampleRate: Self.rate)
    }

    @Test(
        "From 0.5 Hz to 20 kHz, through the whole engine, no line other than the sine is above -150 dB, and all of them together are below -140 dB",
        arguments: Kernel.available, [0, 7])
    func purity(kernel: Kernel, silent: Int) {
        var (worstSpur, worstResidual) = (-Double.infinity, -Double.infinity)
        for lines in [1, 2, 3, 7, 41, 99, 403, 547, 880, 1999, 2500, 2590, 2731, 8191, 10_007, 21_333, 27_307, 36_001, 39_998] {
            let samples = render(plan(Double(lines) / 2, silent: silent), from: 65_536, count: Self.size, kernel: kernel).right
            var real = samples.map(Double.init)
            var imaginary = [Double](repeating: 0, count: Self.size)
            fourierTransform(real: &real, imaginary: &imaginary)
            let powers = (1..<Self.size / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
            let sine = powers[lines - 1]
            var rest = powers
            rest[lines - 1] = 0
            worstSpur = max(worstSpur, 10 * log10(rest.max()! / sine))
            worstResidual = max(worstResidual, 10 * log10(rest.reduce(0, +) / sine))
        }
        print("figure: \(kernel)\(silent > 0 ? ", at nodes" : ""): largest spur \(worstSpur) dBc, residual \(worstResidual) dBc")
        #expect(worstSpur < -150)
        #expect(worstResidual < -140)
    }

    @Test("The frequency of each ear is within 1e-9 Hz of its nominal value, and its phase after 24 hours within 0.001 degrees")
    func drift() {
        var (worstFrequency, worstPhase) = (0.0, 0.0)
        for sampleRate in [44_100.0, 48_000, 96_000, 192_000] {
            for (carrier, beat) in [(213.7, 7.83), (1000.0 / 3, -7.1), (61.8, 0.01), (9876.54321, 100), (20_000, 0.1)] {
                let plan = PlanCompiler.compile(.single(.binaural, [.carrier: carrier, .beat: beat]), sampleRate: sampleRate)
                let frames = Int64(sampleRate) * 86_400
                for (sign, isLeft) in [(0.5, true), (-0.5, false)] {
                    let layer = plan.data.pointee.layers[0]
                    var limit = Int64.max
                    let (c, b) = (layer.carrier.differences(at: frames, limit: &limit), layer.beat.differences(at: frames, limit: &limit))
                    let ear = isLeft ? c + b : c - b
                    let frequency = carrier + sign * beat
                    worstFrequency = max(worstFrequency, abs(Double(ear.d1) * 0x1p-64 * sampleRate - frequency))
                    // cycles = (carrier + beat/2) 86400, in units of 2^-76 with 128 bits: both are Doubles, whole numbers of these.
                    let exact = (Int128(carrier * 0x1p60) + Int128(beat * 0x1p60) * (isLeft ? 1 : -1) / 2) * 86_400
                    let cycles = Double(UInt64(truncatingIfNeeded: exact & (1 << 60 - 1))) * 0x1p-60
                    let difference = Double(ear.phase) * 0x1p-64 - cycles
                    worstPhase = max(worstPhase, abs(difference - difference.rounded()) * 360)
                }
            }
        }
        print("figure: frequency off by at most \(worstFrequency) Hz, phase after 24 h by \(worstPhase) degrees")
        #expect(worstFrequency < 1e-9)
        #expect(worstPhase < 0.001)
    }

    @Test("A slide of 10 Hz/s has no lag and no steps: at each frame its frequency is within 1e-4 Hz of the straight line")
    func slide() {
        let chapter = Chapter(start: 1, over: 60, ease: .linear, settings: [Setting(layer: 0, parameter: .carrier, value: 800)])
        let plan = PlanCompiler.compile(.single(.tone, [.carrier: 200], chapters: [chapter]), sampleRate: 48_000)
        let track = plan.data.pointee.layers[0].carrier
        var (worst, lag, count) = (0.0, 0.0, 0.0)
        // After the fade-in and before the fade-out, 20 ms each.
        for frame in stride(from: Int64(49_920), to: 2_926_000, by: 7) {
            var limit = Int64.max
            // The mean frequency between two frames.
            let frequency = Double(track.differences(at: frame, limit: &limit).d1) * 0x1p-64 * 48_000
            let error = frequency - (200 + 10 * ((Double(frame) + 0.5) / 48_000 - 1))
            worst = max(worst, abs(error))
            lag += error / 10
            count += 1
        }
        print("figure: slide of 10 Hz/s: off by at most \(worst) Hz, late by \(abs(lag / count)) s")
        #expect(worst < 1e-4)
        #expect(abs(lag / count) < 1e-9)
    }

    @Test(
        "The output samples follow a sine whose phase is the integral of that line, for a minute",
        arguments: Kernel.available)
    func slideInSamples(kernel: Kernel) {
        let chapter = Chapter(start: 1, over: 60, ease: .linear, settings: [Setting(layer: 0, parameter: .carrier, value: 800)])
        let plan = PlanCompiler.compile(.single(.tone, [.carrier: 200], chapters: [chapter]), sampleRate: 48_000)
        let samples = render(plan, from: 0, count: 61 * 48_000, kernel: kernel).left
        // Frames from the start of the slide on; blocks of 10 ms, after the fade-in and before the fade-out.
        let (first, block) = (48_000, 480)
        var phases: [Double] = []
        for start in stride(from: 4800, to: 60 * 48_000 - 4800, by: block) {
            phases.append(phaseError(samples[first + start..<first + start + block], from: start))
            if phases.count > 1 { phases[phases.count - 1] -= (phases[phases.count - 1] - phases[phases.count - 2]).rounded() }
        }
        // Late by t, the phase falls behind by 10 t in each second of the slide.
        let seconds = Double(phases.count - 1) * Double(block) / 48_000
        let lag = -(phases[phases.count - 1] - phases[0]) / seconds / 10
        var worst = 0.0
        for index in 1..<phases.count { worst = max(worst, abs(phases[index] - phases[index - 1]) * 48_000 / Double(block)) }
        print("figure: \(kernel), slide of 10 Hz/s in samples: late by \(lag) s; in 10 ms off by at most \(worst) Hz")
        #expect(abs(lag) < 1e-9)
        #expect(worst < 1e-4)
    }

    /// Cycles by which a stretch is ahead of the slide of 200 Hz + 10 Hz/s, of which its first frame is frame `start`.
    private func phaseError(_ samples: ArraySlice<Float>, from start: Int) -> Double {
        var fit = SineFit()
        for (index, sample) in samples.enumerated() {
            let time = Double(start + index) / 48_000
            let cycles = 200 * time + 5 * time * time
            let angle = 2 * .pi * (cycles - cycles.rounded(.down))
            fit.add(Double(sample), sine: sin(angle), cosine: cos(angle))
        }
        return fit.phase
    }
}
