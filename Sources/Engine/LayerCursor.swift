// Render thread: the place of a layer in its tracks, kept so that it need not be looked up for every block.

import Synthesis

/// The current pieces of a layer's tracks, and its phases at the next frame. All of it follows from the plan and the frame: a cursor is
/// only a cache.
struct LayerCursor: BitwiseCopyable {
    /// Token of the plan that it was made from; 0 for none.
    private var planToken: UInt = 0
    /// The next plan frame.
    private(set) var frame: Int64 = 0
    /// The plan frame at which one of the tracks enters another piece.
    private(set) var end: Int64 = 0
    /// Phase of the left ear's tone, or of the only tone.
    private(set) var left = PhaseDifferences()
    /// Phase of the right ear's tone.
    private(set) var right = PhaseDifferences()
    private(set) var pulse = PhaseDifferences()
    private(set) var pieces: Pieces?
    /// The fades near half the sample rate; `nil` if all of them are 1.
    private(set) var fades: Fades?
    /// The bell's strike, or `nil` if the layer is not a bell.
    private(set) var strike: UnsafePointer<Strike>?
    private(set) var form = Form.any
    /// For the forms `apart` and `steady`: gains of the left ear's tone and of the right ear's tone, in the left ear and in the right.
    private(set) var leftGains = SIMD2<Float>()
    private(set) var rightGains = SIMD2<Float>()

    struct Pieces: BitwiseCopyable {
        var gain: UnsafePointer<ValuePiece>
        var audible: UnsafePointer<ValuePiece>
        var panLeft: UnsafePointer<ValuePiece>
        var panRight: UnsafePointer<ValuePiece>
        var first: UnsafePointer<ValuePiece>
        var second: UnsafePointer<ValuePiece>
        var third: UnsafePointer<ValuePiece>
    }

    typealias Fades = InlineArray<4, UnsafePointer<ValuePiece>>

    /// How the gains of two tones, one for each ear, move. Layers of other kinds have the form `any`.
    enum Form: BitwiseCopyable {
        /// No gain moves, and each ear hears its own tone alone.
        case apart
        /// No gain moves.
        case steady
        /// Only the level moves; mute, balance and width have no effect.
        case level
        case any
    }

    init() {}

    /// Moves the cursor to a frame; if it is there already, this costs next to nothing.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func move(to frame: Int64, in layer: UnsafePointer<LayerTracks>, planToken: UInt) {
        if self.planToken == planToken, self.frame == frame, frame < end { return }
        find(frame, in: layer)
        self.planToken = planToken
    }

    /// Advances by some frames, not beyond ``end``.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func advance(by stride: PhaseStride) {
        frame &+= stride.count
        left.advance(by: stride)
        right.advance(by: stride)
        if case .any = form { pulse.advance(by: stride) }
    }

    @_noLocks @_noAllocation
    @inline(never)
    private mutating func find(_ frame: Int64, in layer: UnsafePointer<LayerTracks>) {
        var limit = Int64.max
        let kind = layer.pointee.kind
        let gain = layer.pointee.gain.piece(at: frame, limit: &limit)
        var found = Pieces(
            gain: gain, audible: layer.pointee.audible.piece(at: frame, limit: &limit),
            panLeft: layer.pointee.panLeft.piece(at: frame, limit: &limit),
            panRight: layer.pointee.panRight.piece(at: frame, limit: &limit), first: gain, second: gain, third: gain)
        switch kind {
        case .spin, .phase: found.first = layer.pointee.first.piece(at: frame, limit: &limit)
        case .binaural, .whiteNoise, .coloredNoise:
            found.first = layer.pointee.first.piece(at: frame, limit: &limit)
            found.second = layer.pointee.second.piece(at: frame, limit: &limit)
        case .isochronic, .bilateral, .sound, .input:
            found.first = layer.pointee.duty.piece(at: frame, limit: &limit)
            found.second = layer.pointee.edge.piece(at: frame, limit: &limit)
            found.third = layer.pointee.third.piece(at: frame, limit: &limit)
        case .tone, .monaural, .harmonicBox, .bell, .keys: break
        }
        switch kind {
        case .tone, .isochronic, .bilateral, .bell:
            left = layer.pointee.carrier.differences(at: frame, limit: &limit) + layer.pointee.offset.differences(at: frame, limit: &limit)
            if kind.isPulsed { pulse = layer.pointee.pulse.differences(at: frame, limit: &limit) }
            if case .bell = kind { strike = layer.pointee.strikes?.strike(at: frame, limit: &limit) }
        case .harmonicBox:
            right = layer.pointee.carrier.differences(at: frame, limit: &limit)
            left = right + layer.pointee.offset.differences(at: frame, limit: &limit)
            pulse = layer.pointee.beat.differences(at: frame, limit: &limit)
        case .spin, .phase:
            if case .phase = kind { left = layer.pointee.carrier.differences(at: frame, limit: &limit) }
            let half = layer.pointee.beat.differences(at: frame, limit: &limit)
            pulse = half + half
        case .binaural, .monaural:
            let carrier = layer.pointee.carrier.differences(at: frame, limit: &limit)
            let beat = layer.pointee.beat.differences(at: frame, limit: &limit)
            let offset = layer.pointee.offset.differences(at: frame, limit: &limit)
            left = carrier + beat + offset
            right = carrier - beat
            if case .monaural = kind { right = right + offset }
        case .sound, .input: pulse = layer.pointee.pulse.differences(at: frame, limit: &limit)
        case .keys: pulse = layer.pointee.beat.differences(at: frame, limit: &limit)
        case .whiteNoise, .coloredNoise: break
        }
        pieces = found
        fades = findFades(frame, in: layer, limit: &limit)
        self.frame = frame
        end = limit
        form = .any
        if case .binaural = kind, layer.pointee.wave == nil, fades == nil { findForm(found) }
    }

    @_noLocks @_noAllocation
    private func findFades(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) -> Fades? {
        guard layer.pointee.fades.count > 0 else { return nil }
        var found = Fades(repeating: layer.pointee.fades.tracks[0].piece(at: frame, limit: &limit))
        var isWhole = true
        for index in 0..<layer.pointee.fades.count {
            let piece = layer.pointee.fades.tracks[index].piece(at: frame, limit: &limit)
            found[index] = piece
            if !piece.pointee.isConstant || piece.pointee.c0 != 1 { isWhole = false }
        }
        return isWhole ? nil : found
    }

    @_noLocks @_noAllocation
    private mutating func findForm(_ found: Pieces) {
        guard found.audible.pointee.isConstant, found.panLeft.pointee.isConstant, found.panRight.pointee.isConstant,
            found.first.pointee.isConstant, found.second.pointee.isConstant
        else { return }
        let own = found.first.pointee.c0
        let other = found.second.pointee.c0
        if found.gain.pointee.isConstant {
            let gain = found.gain.pointee.c0 * found.audible.pointee.c0
            let left = gain * found.panLeft.pointee.c0
            let right = gain * found.panRight.pointee.c0
            leftGains = SIMD2(left * own, right * other)
            rightGains = SIMD2(left * other, right * own)
            form = leftGains.y == 0 && rightGains.x == 0 ? .apart : .steady
        } else if found.audible.pointee.c0 == 1, found.panLeft.pointee.c0 == 1, found.panRight.pointee.c0 == 1, own == 1, other == 0 {
            form = .level
        }
    }
}
