import AudioFiles
import Patches

/// How a rendered file is brought to a loudness.
package struct LoudnessChange: Equatable, Sendable {
    /// LUFS
    package let target: Double
    /// LUFS; `nil` for a file that is silent, or shorter than 0.4 s.
    package let measured: Double?
    /// Change in dB.
    package let gain: Double
    /// Whether the ceiling did not allow the target.
    package let isLimited: Bool

    /// LUFS of the file; `nil` if it is silent.
    package var reached: Double? { measured.map { $0 + gain } }

    /// - Parameters:
    ///   - target: LUFS
    ///   - ceiling: dBFS, which no sample exceeds.
    init(to target: Double, from meter: LoudnessMeter, ceiling: Double) {
        self.target = target
        measured = meter.loudness
        let (wanted, peak) = (measured.map { target - $0 } ?? 0, meter.samplePeak)
        let most = peak > 0 ? ceiling - Amplitude.decibels(peak) : .infinity
        (gain, isLimited) = wanted > most ? (most, true) : (wanted, false)
    }
}
