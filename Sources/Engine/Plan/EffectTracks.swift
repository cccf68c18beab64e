// Render thread: the effects of a layer.

import Synthesis

/// The tracks of a layer's effects; `nil` for those that it does not have.
struct EffectTracks: BitwiseCopyable {
    /// How far the level falls between pulses, 0...1; `nil` for an isochronic tone, where it is 1.
    var pulseDepth: ValueTrack?
    var modulation: Swing?
    var spin: Swing?
    /// The rate of a spin, and its largest delay in frames.
    var spinByDelay: Swing?
    /// The taps of that delay.
    var spinTaps: SpinShape?
    /// The delay line of an input with that delay.
    var delayLine: DelayLineShape?
    /// The rate at which a tone circles the head, and its distance.
    var orbit: Swing?
    var orbitShape: OrbitShape?
    /// Phase of half the beat by which the ears are shifted apart.
    var shift: PhaseTrack?
    /// The filters of an input that is shifted.
    var hilbert: HilbertShape?
    /// The envelope of the pulses; `nil` for one of duty and edge.
    var envelope: EnvelopeShape?

    /// A swing of the level between 1 and 1 minus `depth`, or of a delay between `depth` and its negative; or an orbit at the distance `depth`.
    struct Swing: BitwiseCopyable {
        var rate: PhaseTrack
        var depth: ValueTrack

        init(rate: PhaseTrack, depth: ValueTrack) {
            self.rate = rate
            self.depth = depth
        }
    }

    /// Whether both ears hear the middle of the two channels.
    var isMono = false
    /// Whether the effects are confined to bands.
    var hasBands = false
    /// The rest of a noise with bands, what is not in them. Its blocks follow those of the bands in the workspace.
    var rest: NoiseShape?
    /// The filter that passes the bands of an input.
    var filter: BandShape?

    init() {}

    /// Lowers `limit` to the frame at which one of the tracks enters another piece.
    @_noLocks @_noAllocation
    func narrow(_ limit: inout Int64, from frame: Int64) {
        if let pulseDepth { _ = pulseDepth.piece(at: frame, limit: &limit) }
        if let modulation { modulation.narrow(&limit, from: frame) }
        if let spin { spin.narrow(&limit, from: frame) }
        if let spinByDelay { spinByDelay.narrow(&limit, from: frame) }
        if let orbit { orbit.narrow(&limit, from: frame) }
        if let shift { _ = shift.differences(at: frame, limit: &limit) }
    }
}

extension EffectTracks.Swing {
    @_noLocks @_noAllocation
    fileprivate func narrow(_ limit: inout Int64, from frame: Int64) {
        _ = rate.differences(at: frame, limit: &limit)
        _ = depth.piece(at: frame, limit: &limit)
    }
}
