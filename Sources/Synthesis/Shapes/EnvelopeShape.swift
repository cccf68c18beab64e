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
    @_noLocks @_noAllocation
    package func fill(_ out: UnsafeMutablePointer<Float>, count frames: Int, pulse: PhaseDifferences) {
        var pulse = pulse
        for i in 0..<frames {
            // SAFETY: the whole part of a phase times `count` is below `count`.
            let place = pulse.phase.multipliedFullWidth(by: count)
            let index = Int(truncatingIfNeeded: place.high)
            let t = eased(Float(place.low &>> 40) * 0x1p-24)
            out[i] = levels[index] + (levels[index + 1] - levels[index]) * t
            pulse.step()
        }
    }

    /// Sets `out[i]` to the level at phase(i) of pulses that are heard late by some frames each. Both buffers are accessible up to the next multiple of 8.
    @_noLocks @_noAllocation
    package func fill(
        _ out: UnsafeMutablePointer<Float>, count frames: Int, pulse: PhaseDifferences, lateness: UnsafePointer<Float>
    ) {
        var phases = LatePhases(pulse)
        let count = SIMD8(repeating: UInt32(truncatingIfNeeded: count))
        var i = 0
        while i < frames {
            let phase = phases.next(UnsafeRawPointer(lateness + i).loadUnaligned(as: SIMD8<Float>.self))
            // The product in two parts, since it has more than 32 bits: a count is below 2^16.
            // SAFETY: the whole part of a phase times `count` is below `count`.
            let low = (phase & 0xffff) &* count
            let high = (phase &>> 16) &* count &+ low &>> 16
            let fraction = SIMD8<Int32>(truncatingIfNeeded: (high & 0xffff) &<< 8 | (low & 0xffff) &>> 8)
            var (here, next, t) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
            for lane in 0..<8 {
                let level = levels + Int(high[lane] &>> 16)
                (here[lane], next[lane], t[lane]) = (level[0], level[1], Float(fraction[lane]))
            }
            t = eased(t * 0x1p-24)
            UnsafeMutableRawPointer(out + i).storeBytes(of: here + (next - here) * t, as: SIMD8<Float>.self)
            i &+= 8
        }
    }

    @_noLocks @_noAllocation
    @inline(__always)
    private func eased(_ t: Float) -> Float {
        switch curve {
        case .linear: t
        case .smoothstep: t * t * (3 - 2 * t)
        case .smootherstep: t * t * t * (t * (6 * t - 15) + 10)
        }
    }

    @_noLocks @_noAllocation
    @inline(__always)
    private func eased(_ t: SIMD8<Float>) -> SIMD8<Float> {
        switch curve {
        case .linear: t
        case .smoothstep: t * t * (3 - 2 * t)
        case .smootherstep: t * t * t * (t * (6 * t - 15) + 10)
        }
    }
}
