// Render thread: the envelope of an isochronic tone.

/// Sets `out[i]` to the level 0...1 of the pulse at phase(i), with `duty` and an edge of `edge[i] * edgeScale` (fractions of a period), or
/// the longest edge allowed if `isLongest`.
///
/// A pulse begins at phase 0, rises over its edge, falls over the last part of `duty`, both as t^3(6t^2-15t+10), and is 0 for the rest of
/// the period. An edge is at most 0.4 of the pulse; where `edge[i]` grows beyond that, it passes 0.45 and returns to 0.4 without a kink. In
/// `Double`, since a frame is a tiny part of a slow pulse.
@_noLocks @_noAllocation
package func fillPulses(
    _ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, duty: Float, edge: UnsafePointer<Float>,
    edgeScale: Float, isLongest: Bool
) {
    var pulse = pulse
    let sounding = Double(min(max(duty, 0.01), 1))
    let longest = 0.4 * sounding
    for i in 0..<count {
        // An easing may take the rate below 0: then pulses run backwards, with edges of the same length.
        var length = max(abs(Double(edge[i] * edgeScale)), 1e-6)
        if isLongest {
            length = longest
        } else if length > longest {
            let beyond = length / longest - 1
            length = longest + longest * beyond / (1 + 16 * beyond * beyond)
        }
        let x = Double(pulse.phase &>> 11) * 0x1p-53
        let rise = min(x / length, 1)
        let fall = min(max((sounding - x) / length, 0), 1)
        out[i] = Float(smootherstep(rise) * smootherstep(fall))
        pulse.phase &+= pulse.d1
        pulse.d1 &+= pulse.d2
        pulse.d2 &+= pulse.d3
        pulse.d3 &+= pulse.d4
    }
}

/// Whether an edge is 0.4 of its pulse or more, which is the longest allowed.
@_noLocks @_noAllocation
package func isLongest(edge: Float, duty: Float) -> Bool {
    abs(Double(edge)) >= 0.4 * Double(min(max(duty, 0.01), 1))
}

/// Crossfades `out` to `next` over `length` frames, of which `first` come before index 0, like a ``Fade/Shape/smooth`` fade.
@_noLocks @_noAllocation
package func crossfade(
    _ out: UnsafeMutablePointer<Float>, count: Int, to next: UnsafePointer<Float>, first: Int64, length: Int64
) {
    for i in 0..<count {
        let t = Float(first &+ Int64(i)) / Float(length)
        let t2 = t * t
        out[i] += t2 * t2 * (35 + t * (t * (70 - 20 * t) - 84)) * (next[i] - out[i])
    }
}
