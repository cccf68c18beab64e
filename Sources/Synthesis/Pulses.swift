// Render thread: the envelope of an isochronic tone.

/// The duty of pulses and the length of their edges, as parts of a period.
///
/// A pulse begins at phase 0, rises over its edge, falls over the last part of `duty`, both as t^3(6t^2-15t+10), and is 0 for the rest of
/// the period. An edge is at most 0.4 of the pulse; where a moving one grows beyond that, it passes 0.45 and returns to 0.4 without a kink.
/// In `Double`, since a frame is a tiny part of a slow pulse.
package struct PulseShape: BitwiseCopyable {
    private let sounding: Double
    private let edgeScale: Float
    private let isLongest: Bool

    /// - Parameter isLongest: Whether the edge is as long as it can be, whatever its given length.
    @_noLocks @_noAllocation
    package init(duty: Float, edgeScale: Float, isLongest: Bool) {
        sounding = Double(min(max(duty, 0.01), 1))
        self.edgeScale = edgeScale
        self.isLongest = isLongest
    }

    /// The length of an edge.
    @_noLocks @_noAllocation
    @inline(__always)
    private func length(of edge: Float) -> Double {
        let longest = 0.4 * sounding
        if isLongest { return longest }
        // An easing may take the rate below 0: then pulses run backwards, with edges of the same length.
        let length = max(abs(Double(edge * edgeScale)), 1e-6)
        guard length > longest else { return length }
        let beyond = length / longest - 1
        return longest + longest * beyond / (1 + 16 * beyond * beyond)
    }

    /// The level 0...1 at a phase, with edges of a length.
    @_noLocks @_noAllocation
    @inline(__always)
    private func level(at phase: UInt64, _ length: Double) -> Float {
        let x = Double(phase &>> 11) * 0x1p-53
        let left = sounding - x
        if left <= 0 { return 0 }
        // A curve whose end has been reached is exactly 1.
        let rise = x >= length ? 1 : smootherstep(x / length)
        let fall = left >= length ? 1 : smootherstep(left / length)
        return Float(rise * fall)
    }

    /// Sets `out[i]` to the level at phase(i), with an edge of `edge[i] * edgeScale`.
    @_noLocks @_noAllocation
    package func fill(_ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, edges: UnsafePointer<Float>) {
        var pulse = pulse
        for i in 0..<count {
            out[i] = level(at: pulse.phase, length(of: edges[i]))
            pulse.step()
        }
    }

    /// The same with the same edge in every frame.
    ///
    /// - Returns: The level of all frames, if that is the same; `out` may not be written then.
    @_noLocks @_noAllocation
    package func fill(_ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, edge: Float) -> Float? {
        var pulse = pulse
        let length = length(of: edge)
        let runs = PulseRuns(sounding: sounding, edge: length, pulse: pulse)
        var i = 0
        while i < count {
            if let run = runs?.run(at: pulse.phase, limit: count - i) {
                if run.count == count { return run.level }
                Synthesis.fill(out + i, count: run.count, with: run.level)
                pulse.phase &+= pulse.d1 &* UInt64(truncatingIfNeeded: run.count)
                i += run.count
            } else {
                out[i] = level(at: pulse.phase, length)
                pulse.step()
                i += 1
            }
        }
        return nil
    }
}

/// Runs of frames at a steady rate in which a pulse stays at its level, or silent.
private struct PulseRuns {
    private let step: UInt64
    /// The phases from `full` to below `falling` have the level 1, those from `silent` on 0; `UInt64.max` is for none.
    private let full: UInt64
    private let falling: UInt64
    private let silent: UInt64

    /// - Returns: `nil` if the rate moves or the pulses run backwards.
    @_noLocks @_noAllocation
    init?(sounding: Double, edge: Double, pulse: PhaseDifferences) {
        guard pulse.d2 | pulse.d3 | pulse.d4 == 0, pulse.d1 > 0, pulse.d1 < 1 << 63, edge > 0, sounding > edge else { return nil }
        step = pulse.d1
        // A margin for rounding; what is not in a run is computed as always.
        let margin: UInt64 = 1 << 24
        full = PulseRuns.phase(edge) &+ margin
        let falling = PulseRuns.phase(sounding - edge)
        self.falling = falling > margin ? falling &- margin : 0
        silent = sounding < 0.999 ? PulseRuns.phase(sounding) &+ margin : .max
    }

    /// A part of a period, 0...1, as a phase.
    @_noLocks @_noAllocation
    private static func phase(_ part: Double) -> UInt64 { UInt64(truncatingIfNeeded: Int64(min(max(part, 0), 0.999) * 0x1p62)) &<< 2 }

    @_noLocks @_noAllocation
    @inline(__always)
    func run(at phase: UInt64, limit: Int) -> (level: Float, count: Int)? {
        let level: Float
        let last: UInt64
        if phase >= silent, silent < .max {
            (level, last) = (0, .max)
        } else if phase >= full, phase < falling {
            (level, last) = (1, falling &- 1)
        } else {
            return nil
        }
        let count = (last &- phase) / step &+ 1
        return (level, Int(truncatingIfNeeded: min(count, UInt64(truncatingIfNeeded: limit))))
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
