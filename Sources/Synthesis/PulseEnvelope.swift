// Render thread: the envelope of an isochronic tone.

/// `out[i]`: the height 0...1 of the pulse at phase(i), from `duty` and `edge[i] * edgeScale` (parts of a period), or the longest edge
/// that there is.
///
/// A pulse begins at phase 0, rises over its edge, falls over the last part of `duty`, both as t^3(6t^2-15t+10), and is 0 for the
/// rest of the period. An edge is never longer than 0.4 of the pulse; where `edge[i]` comes to be longer on the way, it turns back to that by way
/// of 0.45, without a kink. In `Double`, since a frame is a tiny part of a slow pulse.
@_noLocks @_noAllocation
package func fillPulses(
    _ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, duty: Float, edge: UnsafePointer<Float>,
    edgeScale: Float, isLongest: Bool
) {
    var pulse = pulse
    let sounding = Double(min(max(duty, 0.01), 1))
    let longest = 0.4 * sounding
    for i in 0..<count {
        // An easing may take the rate through 0: then pulses run backwards, with edges as long.
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

/// Whether an edge is 0.4 of its pulse or more, which is the longest that there is.
@_noLocks @_noAllocation
package func isLongest(edge: Float, duty: Float) -> Bool {
    abs(Double(edge)) >= 0.4 * Double(min(max(duty, 0.01), 1))
}

/// `out[i]` on its way to `next[i]`, where it is `length` frames after the start, as a ``Fade/Shape/smooth`` fade: `first` frames of the way are
/// behind index 0.
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

@inline(__always)
private func smootherstep(_ t: Double) -> Double {
    t * t * t * (t * (6 * t - 15) + 10)
}
