import Engine
import Foundation
import Patches
import TestSupport
import Testing

/// The figures for noise in docs/figures.md.
@Suite struct NoiseFigureTests {
    /// Both ears of a noise, a block at a time.
    private func listen(
        _ color: NoiseColor, correlation: Double, sampleRate: Double, blocks: Int, size: Int,
        _ body: (UnsafeMutableBufferPointer<Float>, UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        let layer = Layer(name: "noise", kind: .noise, values: [.gain: -20, .correlation: correlation], color: color)
        // After the fade-in.
        let renderer = OfflineRenderer(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: sampleRate), from: Int64(sampleRate))
        let left = UnsafeMutableBufferPointer<Float>.allocate(capacity: size)
        let right = UnsafeMutableBufferPointer<Float>.allocate(capacity: size)
        defer {
            left.deallocate()
            right.deallocate()
        }
        for _ in 0..<blocks {
            _ = renderer.render(left: left, right: right)
            body(left, right)
        }
    }

    @Test(
        "In every third octave from 31.5 Hz to 16 kHz, noise is within 0.3 dB of its color",
        arguments: NoiseColor.allCases.map { ($0, 48_000.0) } + [(.pink, 44_100), (.white, 96_000), (.brown, 96_000)])
    func thirdOctaves(color: NoiseColor, sampleRate: Double) {
        // Two thirds of a second in a block.
        let size = sampleRate > 48_000 ? 1 << 16 : 1 << 15
        let blocks = (isStress ? 8192 : 1024) / (sampleRate == 48_000 ? 1 : 2)
        let window = (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size)) }
        var spectrum = [Double](repeating: 0, count: size / 2)
        // Blocks do not overlap, which costs a little precision and no bias; an ear each in real and imaginary part.
        listen(color, correlation: 0, sampleRate: sampleRate, blocks: blocks, size: size) { left, right in
            var real = (0..<size).map { Double(left[$0]) * window[$0] }
            var imaginary = (0..<size).map { Double(right[$0]) * window[$0] }
            fourierTransform(real: &real, imaginary: &imaginary)
            for line in 1..<size / 2 {
                spectrum[line] += real[line] * real[line] + imaginary[line] * imaginary[line]
                spectrum[line] += real[size - line] * real[size - line] + imaginary[size - line] * imaginary[size - line]
            }
        }
        // Power as f^exponent: as a third octave has it, and as the formula says.
        let exponent: Double =
            switch color {
            case .white: 0
            case .pink: -1
            case .brown: -2
            case .blue: 1
            case .violet: 2
            }
        let width = sampleRate / Double(size)
        let levels = (-15...12).map { third -> (center: Double, level: Double) in
            let center = 1000 * pow(2, Double(third) / 3)
            let (low, high) = (center * pow(2, -1.0 / 6), center * pow(2, 1.0 / 6))
            var (power, ideal) = (0.0, 0.0)
            for line in 1..<size / 2 {
                let overlap = min(high, (Double(line) + 0.5) * width) - max(low, (Double(line) - 0.5) * width)
                guard overlap > 0 else { continue }
                power += spectrum[line] * overlap / width
                ideal += pow(Double(line) * width, exponent) * overlap / width
            }
            return (center, 10 * log10(power / ideal))
        }
        let mean = levels.reduce(0) { $0 + $1.level } / Double(levels.count)
        let worst = levels.max { abs($0.level - mean) < abs($1.level - mean) }!
        print(
            "figure: \(color) noise, \(sampleRate) Hz: third octaves within \(abs(worst.level - mean)) dB, farthest off at \(worst.center) Hz"
        )
        // Below 40 Hz brown noise falls off, as documented.
        for (center, level) in levels where !(color == .brown && center < 40) {
            #expect(abs(level - mean) < 0.3, "\(level - mean) dB at \(center) Hz")
        }
    }

    @Test("The ears have the requested correlation, within 0.01, for every color", arguments: NoiseColor.allCases, [8000.0, 48_000])
    func correlation(color: NoiseColor, sampleRate: Double) {
        var worst = 0.0
        for asked in sampleRate == 8000 ? [0, 0.25, 0.5, 0.9, 1] : [0, 0.5, 1] {
            var (ll, rr, lr) = (0.0, 0.0, 0.0)
            // Brown noise has its power within 30 Hz or so: few values a second are significant.
            let blocks = color == .brown ? (sampleRate == 8000 ? 8192 : 4096) : 256
            listen(color, correlation: asked, sampleRate: sampleRate, blocks: blocks, size: 8192) { left, right in
                for index in 0..<8192 {
                    let (l, r) = (Double(left[index]), Double(right[index]))
                    ll += l * l
                    rr += r * r
                    lr += l * r
                }
            }
            worst = max(worst, abs(lr / (ll * rr).squareRoot() - asked))
        }
        print("figure: \(color) noise, \(sampleRate) Hz: correlation of the ears within \(worst)")
        #expect(worst < 0.01)
    }
}
