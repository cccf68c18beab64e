import Foundation
import TestSupport
import Testing

/// The instruments themselves, on signals whose values are known.
@Suite struct MeasuringTests {
    private let sampleRate = 48_000.0

    private func sine(_ frequency: Double, phase: Double = 0, count: Int) -> [Double] {
        (0..<count).map { Double(Float(0.5 * sin(2 * .pi * (frequency * Double($0) / 48_000 + phase)))) }
    }

    @Test("A sine of float samples is measured to 1e-9 Hz and -138 dB", arguments: [200.0, 203.999_999_987, 997.3, 11_025.25])
    func sineIsMeasured(frequency: Double) throws {
        let found = try #require(measureSine(sine(frequency, phase: 0.3, count: 480_000)[...], sampleRate: sampleRate))
        #expect(abs(found.frequency - frequency) < 1e-9)
        #expect(abs(found.amplitude - 0.5) < 1e-6)
        #expect(abs(found.phase - 0.3) < 1e-6)
        #expect(found.residualInDecibels < -138)
    }

    @Test("A slope of 1e-6 Hz and a spur of -100 dB are detected")
    func faultsAreSeen() throws {
        let wrong = try #require(measureSine(sine(200.000_001, count: 480_000)[...], sampleRate: sampleRate))
        #expect(abs(wrong.frequency - 200) > 0.9e-6)
        let spur = sine(3333, count: 480_000)
        let sum = zip(sine(200, count: 480_000), spur).map { $0 + 1e-5 * $1 }
        let found = try #require(measureSine(sum[...], sampleRate: sampleRate))
        #expect(abs(found.residualInDecibels - -100) < 0.1)
    }

    @Test("Silence contains no sine")
    func silenceHoldsNoSine() {
        #expect(measureSine([Double](repeating: 0, count: 4800)[...], sampleRate: sampleRate) == nil)
    }

    @Test("A tone that is cut off clicks; the same tone under a smooth fade does not")
    func clickIsSeen() {
        let padding = [Double](repeating: 0, count: 4096)
        let tone = Array(sine(200, phase: 0.25, count: 24_000))
        #expect(peakAbove(2000, in: (padding + tone + padding)[...], sampleRate: sampleRate) > -20)
        let faded = tone.enumerated().map { index, sample -> Double in
            let t = min(1, Double(min(index, tone.count - 1 - index)) / 960)
            return sample * t * t * t * (t * (6 * t - 15) + 10)
        }
        #expect(peakAbove(2000, in: (padding + faded + padding)[...], sampleRate: sampleRate) < -100)
    }
}
