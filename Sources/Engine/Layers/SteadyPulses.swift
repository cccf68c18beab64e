// Render thread: pulses of one shape.

import Synthesis

/// Pulses whose duty and edges stay the same. At a steady rate, most of their frames need no computing.
struct SteadyPulses: BitwiseCopyable {
    private let shape: PulseShape
    /// The length of an edge as a part of a period.
    private let edge: Double
    private let runs: PulseRuns?

    /// - Parameter pulse: The phase at any frame; only its differences matter.
    @_noLocks @_noAllocation
    init(_ shape: PulseShape, edge: Float, pulse: PhaseDifferences) {
        self.shape = shape
        self.edge = shape.length(of: edge)
        runs = PulseRuns(sounding: shape.sounding, edge: self.edge, pulse: pulse)
    }

    /// Sets `out[i]` to the level at phase(i), heard `lateness[i]` frames late.
    @_noLocks @_noAllocation
    func fill(_ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, lateness: UnsafePointer<Float>) {
        shape.fill(out, count: count, pulse: pulse, edge: edge, lateness: lateness)
    }

    /// Sets `out[i]` to the level at phase(i).
    ///
    /// - Returns: The level of all frames, if that is the same; `out` may not be written then.
    @_noLocks @_noAllocation
    func fill(_ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, kernel: Kernel) -> Float? {
        guard let runs else {
            shape.fill(out, count: count, pulse: pulse, edge: edge)
            return nil
        }
        var pulse = pulse
        let scale = 1 / edge
        var i = 0
        while i < count {
            if let run = runs.run(at: pulse.phase, limit: count - i) {
                switch run.part {
                case .level(let level):
                    if run.count == count { return level }
                    Synthesis.fill(out + i, count: run.count, with: level)
                case .rise:
                    kernel.fillEdge(out + i, count: run.count, phase: pulse.phase, step: pulse.d1, from: 0, sign: 1, scale: scale)
                case .fall:
                    kernel.fillEdge(
                        out + i, count: run.count, phase: pulse.phase, step: pulse.d1, from: shape.sounding, sign: -1, scale: scale)
                }
                pulse.phase &+= pulse.d1 &* UInt64(truncatingIfNeeded: run.count)
                i += run.count
            } else {
                shape.fill(out + i, count: 1, pulse: pulse, edge: edge)
                pulse.phase &+= pulse.d1
                i += 1
            }
        }
        return nil
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
        let distance = final &- phase
        // Most runs continue to the limit, and a product takes less time than the division.
        let (longest, overflow) = step.multipliedReportingOverflow(by: UInt64(truncatingIfNeeded: limit &- 1))
        if !overflow, distance >= longest { return (part, limit) }
        return (part, Int(truncatingIfNeeded: distance / step &+ 1))
    }
}
