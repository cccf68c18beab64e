import Engine
import Foundation
import Patches
import TestSupport
import Testing

/// A day of sines, every frame of it rendered.
@Suite struct DayPhaseTests {
    private static let length = 1 << 16

    /// At a low sample rate, so that it takes seconds; at 48 kHz in `make stress`.
    private static let sampleRates: [Int64] = isStress ? [8000, 44_100, 48_000] : [8000]

    @Test(
        "After 24 hours without a seek the sine of each ear has the phase of 128-bit arithmetic, within 0.001 degrees",
        arguments: Kernel.available, sampleRates)
    func phase(kernel: Kernel, sampleRate: Int64) throws {
        let (carrier, beat) = (213.7, 7.83)
        let layer = Layer(name: "one", kind: .binaural, values: [.carrier: carrier, .beat: beat, .gain: -6])
        let plan = PlanCompiler.compile(Patch(layers: [layer]), sampleRate: Double(sampleRate))
        let renderer = OfflineRenderer(plan, kernel: kernel, ceiling: 0)
        let (left, right) = (Self.buffer(), Self.buffer())
        defer {
            left.deallocate()
            right.deallocate()
        }
        let end = 86_400 * sampleRate
        let begin = ContinuousClock.now
        while renderer.position < end { _ = renderer.render(left: left, right: right) }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        // The first frame of what was rendered last.
        let frame = renderer.position - Int64(Self.length)
        var worst = 0.0
        for (ear, sign) in [(left, Int128(1)), (right, -1)] {
            // Twice the frequency in units of 2^-52 Hz: both are Doubles, whole numbers of these. 2^-53 / sampleRate cycles are one unit of phase.
            let twice = Int128(2 * carrier * 0x1p52) + sign * Int128(beat * 0x1p52)
            let unit = Int128(sampleRate) << 53
            let expected = Double(twice * Int128(frame) % unit) / Double(unit)
            let frequency = Double(twice) * 0x1p-53 / Double(sampleRate)
            let residue = SineResidue(of: Array(ear), frequency: frequency)
            let difference = residue.phase - expected
            worst = max(worst, abs(difference - difference.rounded()) * 360)
            #expect(residue.rest < -140)
        }
        print(
            "figure: \(kernel), \(sampleRate) Hz, frame \(frame) after \(frame / sampleRate) s rendered in \(Int(seconds * 10) / 10) s: "
                + "phase off by at most \(worst) degrees")
        #expect(frame > 86_380 * sampleRate)
        #expect(worst < 0.001)
    }

    private static func buffer() -> UnsafeMutableBufferPointer<Float> { .allocate(capacity: length) }
}
