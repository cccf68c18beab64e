// Render thread: oscillators fade out as their frequencies approach half the sample rate, above which they would alias.

/// The gain of a sine of a frequency in cycles per frame, of either sign: 1 up to 0.47, 0 from 0.5 on, between them 1 - t^3(6t^2-15t+10),
/// so that neither slope nor curvature jumps while a frequency moves.
@_noLocks @_noAllocation
package func nyquistFade(_ frequency: Double) -> Double {
    let t = min(max((abs(frequency) - nyquistFadeStart) / (nyquistFadeEnd - nyquistFadeStart), 0), 1)
    return 1 - smootherstep(t)
}

/// Frequency at which the fade begins, in cycles per frame; at ``nyquistFadeEnd`` it is silent.
package var nyquistFadeStart: Double {
    @_noLocks @_noAllocation get { 0.47 }
}
package var nyquistFadeEnd: Double {
    @_noLocks @_noAllocation get { 0.5 }
}

/// Farthest sidebands to account for, in beats from the carrier, where the ears' phases sway `beat` times a second: at the largest depth
/// each of those beyond is 109 dB below the carrier (the eleventh Bessel function at π).
package var phaseSidebands: Double {
    @_noLocks @_noAllocation get { 11 }
}

/// Multiplies samples by the fade of a tone half a beat above or below the pitch of a key.
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
