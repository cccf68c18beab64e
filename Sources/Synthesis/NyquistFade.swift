// Render thread: oscillators fade out as their frequencies come near half the sample rate, above which they would be heard as others.

/// The gain of a sine of so many cycles per frame, of either sign: 1 up to 0.47, 0 from 0.5 on, between them 1 - t^3(6t^2-15t+10), so that
/// neither slope nor curvature jumps while a frequency moves.
@_noLocks @_noAllocation
package func nyquistFade(_ frequency: Double) -> Double {
    let t = min(max((abs(frequency) - nyquistFadeStart) / (nyquistFadeEnd - nyquistFadeStart), 0), 1)
    return 1 - t * t * t * (t * (6 * t - 15) + 10)
}

/// Cycles per frame at which the fade begins, and at which nothing is left.
package var nyquistFadeStart: Double {
    @_noLocks @_noAllocation get { 0.47 }
}
package var nyquistFadeEnd: Double {
    @_noLocks @_noAllocation get { 0.5 }
}

/// A layer whose ears sway apart and together `beat` times a second has sidebands; of those that are further from its carrier than so many
/// beats, even at the largest depth each is 109 dB below it: the eleventh Bessel function at π.
package var phaseSidebands: Double {
    @_noLocks @_noAllocation get { 11 }
}

/// Multiplies samples by the fade of a tone that is half a beat above or below the pitch of a key.
///
/// - Parameters:
///   - tone: The key's phase; its frequency is 0 to less than 1 cycle per frame.
///   - half: The phase of half the beat, of either sign.
@_noLocks @_noAllocation
package func applyNyquistFade(
    to samples: UnsafeMutablePointer<Float>, count: Int, tone: PhaseDifferences, half: PhaseDifferences, isAbove: Bool
) {
    var (tone, half) = (tone, half)
    for i in 0..<count {
        let beat = Double(Int64(bitPattern: half.d1)) * 0x1p-64
        let pitch = Double(tone.d1) * 0x1p-64
        samples[i] *= Float(nyquistFade(isAbove ? pitch + beat : pitch - beat))
        tone.step()
        half.step()
    }
}
