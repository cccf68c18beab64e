// Render thread: a sound that moves around the head, since one ear hears it late and the other one early.

import Synthesis

/// The spin by delay in a stretch of a layer.
struct SpinByDelay {
    let effects: EffectStretch
    let shape: SpinShape
    /// Whether the delay rests at 0.
    private let isStill: Bool

    /// Channels around a stretch, as far as the spin reaches.
    struct Rings: BitwiseCopyable {
        /// The first channel; with a beat, what is shifted.
        var first: UnsafePointer<Float>
        /// The second channel; with a beat, the unshifted signal, which the right ear hears inverted. `nil` without a second channel.
        var second: UnsafePointer<Float>?
        /// The Hilbert transform of what is shifted; `nil` without a beat.
        var quadrature: UnsafePointer<Float>?
        /// Samples in each of them, a power of two.
        var capacity: Int
        /// The sample in the middle of the head at the stretch's first frame, modulo ``capacity``.
        var middle: Int64
        /// The gain of what is heard; `nil` for 1.
        var fade: UnsafePointer<Float>?

        @_noLocks @_noAllocation
        init(
            first: UnsafePointer<Float>, second: UnsafePointer<Float>?, quadrature: UnsafePointer<Float>?, capacity: Int, middle: Int64,
            fade: UnsafePointer<Float>? = nil
        ) {
            self.first = first
            self.second = second
            self.quadrature = quadrature
            self.capacity = capacity
            self.middle = middle
            self.fade = fade
        }
    }

    /// Fills in `scratch.lateness`, with `scratch.values` as scratch space. `nil` if the layer does not have the effect.
    @_noLocks @_noAllocation
    init?(_ effects: EffectStretch) {
        guard let spin = effects.effects.pointee.spinByDelay, let shape = effects.effects.pointee.spinTaps else { return nil }
        self.effects = effects
        self.shape = shape
        var limit = Int64.max
        let frame = effects.stretch.frame
        let delay = spin.depth.piece(at: frame, limit: &limit)
        isStill = delay.pointee.isSilent
        if isStill { return }
        effects.kernel.fillLateness(
            effects.scratch.lateness, count: effects.count, phase: spin.rate.differences(at: frame, limit: &limit), delay: delay,
            frame: frame,
            in: effects.scratch.values)
    }

    /// Frames by which a sound can be heard late or early, with the taps.
    var reach: Int { @_noLocks @_noAllocation get { shape.reach } }

    /// Fills in what the ears hear of a channel, with `scratch.share` as scratch space.
    @_noLocks @_noAllocation
    private func read(
        _ channel: UnsafePointer<Float>, of rings: Rings, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
    ) {
        guard isStill else {
            effects.kernel.fillSpin(
                left, right, count: effects.count, ring: channel, capacity: rings.capacity, shape: shape,
                lateness: effects.scratch.lateness, middle: rings.middle, scratch: effects.scratch.share)
            return
        }
        // The taps of a whole frame are 1 and zeros.
        for i in 0..<effects.count {
            left[i] = channel[(Int(truncatingIfNeeded: rings.middle) &+ i) & (rings.capacity &- 1)]
            right[i] = left[i]
        }
    }

    /// Fills `scratch.first` with what the left ear hears, and `scratch.second` with what the right ear hears.
    @_noLocks @_noAllocation
    func fill(_ rings: Rings, shiftedBy phase: PhaseDifferences) {
        let (scratch, count) = (effects.scratch, effects.count)
        if let quadrature = rings.quadrature {
            read(rings.first, of: rings, scratch.first, scratch.otherFirst)
            read(quadrature, of: rings, scratch.quadrature, scratch.otherQuadrature)
            effects.shiftEars(by: phase)
            if let rest = rings.second {
                read(rest, of: rings, scratch.otherFirst, scratch.otherQuadrature)
                for i in 0..<count {
                    scratch.first[i] += scratch.otherFirst[i]
                    scratch.second[i] -= scratch.otherQuadrature[i]
                }
            }
        } else if let second = rings.second, !effects.effects.pointee.isMono {
            read(rings.first, of: rings, scratch.first, scratch.otherFirst)
            read(second, of: rings, scratch.otherFirst, scratch.second)
        } else {
            read(rings.first, of: rings, scratch.first, scratch.second)
        }
        guard let fade = rings.fade else { return }
        multiply(scratch.first, count: count, scratch.first, fade)
        multiply(scratch.second, count: count, scratch.second, fade)
    }

    /// Fills `scratch.first` and `scratch.otherFirst` with what the ears hear of the first noise, and `scratch.second` with what the right ear
    /// hears of the second one.
    @_noLocks @_noAllocation
    func fillNoises(_ rings: Rings) {
        let scratch = effects.scratch
        read(rings.first, of: rings, scratch.first, scratch.otherFirst)
        if let second = rings.second { read(second, of: rings, scratch.otherQuadrature, scratch.second) }
    }
}
