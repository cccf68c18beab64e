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
        let x = part(phase)
        let left = sounding - x
        if left <= 0 { return 0 }
        // A curve whose end has been reached is exactly 1.
        let rise = x >= length ? 1 : smootherstep(x * (1 / length))
        let fall = left >= length ? 1 : smootherstep(left * (1 / length))
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
                switch run.part {
                case .level(let level):
                    if run.count == count { return level }
                    Synthesis.fill(out + i, count: run.count, with: level)
                case .rise: fillEdge(out + i, count: run.count, phase: pulse.phase, step: pulse.d1, from: 0, sign: 1, scale: 1 / length)
                case .fall:
                    fillEdge(out + i, count: run.count, phase: pulse.phase, step: pulse.d1, from: sounding, sign: -1, scale: 1 / length)
                }
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

/// A phase as a part of a period, 0..<1: 52 bits as the fraction of a number from 1 to 2.
@_noLocks @_noAllocation
@inline(__always)
private func part(_ phase: UInt64) -> Double { Double(bitPattern: 0x3ff0_0000_0000_0000 | (phase &>> 12)) - 1 }

/// Sets `out[i]` to the level on an edge, which is `sign` times the distance from a part of the period: as one frame by itself, in a loop without
/// branches, which the compiler turns into vectors.
@_noLocks @_noAllocation
@inline(never)
private func fillEdge(
    _ out: UnsafeMutablePointer<Float>, count: Int, phase: UInt64, step: UInt64, from: Double, sign: Double, scale: Double
) {
    var phase = phase
    for i in 0..<count {
        out[i] = Float(smootherstep((part(phase) - from) * sign * scale))
        phase &+= step
    }
}

/// Runs of frames at a steady rate in which a pulse stays at its level, or silent, or on one of its edges.
private struct PulseRuns {
    enum Part {
        case level(Float)
        case rise
        case fall
    }

    private let step: UInt64
    /// The phases up to `rising` are on the first edge; those from `full` to below `falling` have the level 1, those from `last` to below `end` are
    /// on the second edge, those from `silent` on have the level 0. `UInt64.max` is for none.
    private let rising: UInt64
    private let full: UInt64
    private let falling: UInt64
    private let last: UInt64
    private let end: UInt64
    private let silent: UInt64

    /// - Returns: `nil` if the rate moves or the pulses run backwards.
    @_noLocks @_noAllocation
    init?(sounding: Double, edge: Double, pulse: PhaseDifferences) {
        guard pulse.d2 | pulse.d3 | pulse.d4 == 0, pulse.d1 > 0, pulse.d1 < 1 << 63, edge > 0, sounding > edge else { return nil }
        step = pulse.d1
        // A margin for rounding; what is not in a run is computed as always.
        let margin: UInt64 = 1 << 24
        func before(_ phase: UInt64) -> UInt64 { phase > margin ? phase &- margin : 0 }
        full = PulseRuns.phase(edge) &+ margin
        rising = before(PulseRuns.phase(edge))
        falling = before(PulseRuns.phase(sounding - edge))
        last = PulseRuns.phase(sounding - edge) &+ margin
        end = before(PulseRuns.phase(sounding))
        silent = sounding < 0.999 ? PulseRuns.phase(sounding) &+ margin : .max
    }

    /// A part of a period, 0...1, as a phase.
    @_noLocks @_noAllocation
    private static func phase(_ part: Double) -> UInt64 { UInt64(truncatingIfNeeded: Int64(min(max(part, 0), 0.999) * 0x1p62)) &<< 2 }

    @_noLocks @_noAllocation
    @inline(__always)
    func run(at phase: UInt64, limit: Int) -> (part: Part, count: Int)? {
        let part: Part
        let final: UInt64
        if phase >= silent, silent < .max {
            (part, final) = (.level(0), .max)
        } else if phase < rising {
            (part, final) = (.rise, rising &- 1)
        } else if phase >= full, phase < falling {
            (part, final) = (.level(1), falling &- 1)
        } else if phase >= last, phase < end {
            (part, final) = (.fall, end &- 1)
        } else {
            return nil
        }
        let count = (final &- phase) / step &+ 1
        return (part, Int(truncatingIfNeeded: min(count, UInt64(truncatingIfNeeded: limit))))
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
