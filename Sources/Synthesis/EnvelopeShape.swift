// Render thread: an envelope of pulses given by its levels.

/// One cycle of levels, whose memory is owned elsewhere.
package struct EnvelopeShape: BitwiseCopyable {
    private let levels: UnsafePointer<Float>
    private let count: UInt64
    private let curve: Curve

    /// How the level moves from one to the next: in a straight line, or as t^2(3-2t) or t^3(6t^2-15t+10).
    package enum Curve: BitwiseCopyable {
        case linear, smoothstep, smootherstep
    }

    /// - Parameter levels: `count` levels and the first one again.
    package init(levels: UnsafePointer<Float>, count: Int, curve: Curve) {
        self.levels = levels
        self.count = UInt64(count)
        self.curve = curve
    }

    /// Sets `out[i]` to the level at phase(i).
    ///
    /// - Parameter lateness: Frames by which the pulses are late; `nil` for none.
    @_noLocks @_noAllocation
    package func fill(
        _ out: UnsafeMutablePointer<Float>, count frames: Int, pulse: PhaseDifferences, lateness: UnsafePointer<Float>? = nil
    ) {
        var pulse = pulse
        for i in 0..<frames {
            // SAFETY: the whole part of a phase times `count` is below `count`.
            let phase = lateness.map { pulse.phase(before: $0[i]) } ?? pulse.phase
            let place = phase.multipliedFullWidth(by: count)
            let index = Int(truncatingIfNeeded: place.high)
            var t = Float(place.low &>> 40) * 0x1p-24
            switch curve {
            case .linear: break
            case .smoothstep: t = t * t * (3 - 2 * t)
            case .smootherstep: t = t * t * t * (t * (6 * t - 15) + 10)
            }
            out[i] = levels[index] + (levels[index + 1] - levels[index]) * t
            pulse.step()
        }
    }
}
