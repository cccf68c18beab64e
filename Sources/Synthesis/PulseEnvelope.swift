// Render thread: the envelope of an isochronic tone.

/// `out[i]`: the height 0...1 of the pulse at phase(i), from `duty[i]` and `edge[i]` (parts of a period).
///
/// A pulse begins at phase 0, rises over its edge, falls over the last part of `duty`, both as t^3(6t^2-15t+10), and is 0 for the
/// rest of the period. An edge is never longer than 0.4 of the pulse. In `Double`, since a frame is a tiny part of a slow pulse.
@_noLocks @_noAllocation
package func fillPulses(
    _ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences,
    duty: UnsafePointer<Float>, edge: UnsafePointer<Float>
) {
    var pulse = pulse
    for i in 0..<count {
        let x = Double(pulse.phase &>> 11) * 0x1p-53
        let sounding = Double(min(max(duty[i], 0.01), 1))
        // An easing may take the rate through 0: then pulses run backwards, with edges as long.
        let length = max(min(abs(Double(edge[i])), 0.4 * sounding), 1e-6)
        let rise = min(x / length, 1)
        let fall = min(max((sounding - x) / length, 0), 1)
        out[i] = Float(smootherstep(rise) * smootherstep(fall))
        pulse.phase &+= pulse.d1
        pulse.d1 &+= pulse.d2
        pulse.d2 &+= pulse.d3
        pulse.d3 &+= pulse.d4
    }
}

@inline(__always)
private func smootherstep(_ t: Double) -> Double {
    t * t * t * (t * (6 * t - 15) + 10)
}
