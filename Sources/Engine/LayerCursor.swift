// Render thread: the place of a layer in its tracks, kept so that it need not be looked up for every block.

import Synthesis

/// The current pieces of a layer's tracks, and its phases at the next frame. All of it follows from the plan and the frame: a cursor is
/// only a cache.
struct LayerCursor: BitwiseCopyable {
    /// The layer's revision that it was made from; 0 for none.
    private var revision: UInt64 = 0
    /// The plan frame from which on its pieces apply.
    private var begin: Int64 = 0
    /// The next plan frame.
    var frame: Int64 = 0
    /// The plan frame at which one of the tracks enters another piece.
    private(set) var end: Int64 = 0
    /// Phase of the left ear's tone, or of the only tone.
    var left = PhaseDifferences()
    /// Phase of the right ear's tone.
    var right = PhaseDifferences()
    private(set) var form = Form.any
    var nodeKind = NodeKind.none
    /// Whether its frequencies suit the nodes of every cell that begins in its pieces.
    var isAlwaysLow = false
    /// For the forms `apart` and `steady`: gains of the left ear's tone and of the right ear's tone, in the left ear and in the right.
    private(set) var leftGains = SIMD2<Float>()
    private(set) var rightGains = SIMD2<Float>()
    private(set) var pulse = PhaseDifferences()
    private(set) var pieces: Pieces?
    /// The fades near half the sample rate; `nil` if all of them are 1.
    private(set) var fades: Fades?
    /// The bell's strike, or `nil` if the layer is not a bell.
    private(set) var strike: UnsafePointer<Strike>?

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

    /// How the gains of one or two sines move. Layers of other kinds have the form `any`.
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

    /// Moves the cursor to a frame; if it is there already, or a cell ahead, this costs next to nothing.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func move(to frame: Int64, in layer: UnsafePointer<LayerTracks>, revision: UInt64) {
        if self.revision == revision, frame < end, frame >= begin {
            if self.frame == frame { return }
            // A plan with an edit inside the cell begins the cell once more.
            if self.frame &- NodeCell.frames == frame { return advance(by: .back) }
        }
        find(frame, in: layer)
        self.revision = revision
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
            // A tone is the same sine in both ears.
            left = layer.pointee.carrier.differences(at: frame, limit: &limit) + layer.pointee.offset.differences(at: frame, limit: &limit)
            right = left
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
        case .whiteNoise, .coloredNoise:
            if let effects = layer.pointee.effects, effects.pointee.pulseDepth != nil {
                pulse = layer.pointee.pulse.differences(at: frame, limit: &limit)
                _ = layer.pointee.pulsePieces(at: frame, found, limit: &limit)
            }
        case .keys: pulse = layer.pointee.beat.differences(at: frame, limit: &limit)
        }
        if let effects = layer.pointee.effects {
            effects.pointee.narrow(&limit, from: frame)
            if let shift = effects.pointee.shift { left = shift.differences(at: frame, limit: &limit) }
        }
        pieces = found
        fades = findFades(frame, in: layer, limit: &limit)
        self.frame = frame
        begin = frame
        end = limit
        form = .any
        nodeKind = .none
        guard layer.pointee.wave == nil, fades == nil else { return }
        switch kind {
        case .binaural: findForm(found, own: found.first, other: found.second)
        case .tone: findForm(found, own: 1, other: 0)
        case .monaural: findForm(found, own: 0.5, other: 0.5)
        default: return
        }
        findNodes()
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
    private mutating func findForm(_ found: Pieces, own: UnsafePointer<ValuePiece>, other: UnsafePointer<ValuePiece>) {
        guard own.pointee.isConstant, other.pointee.isConstant else { return }
        findForm(found, own: own.pointee.c0, other: other.pointee.c0)
    }

    /// - Parameters:
    ///   - own, other: An ear's shares of its own tone and of the other ear's.
    @_noLocks @_noAllocation
    private mutating func findForm(_ found: Pieces, own: Float, other: Float) {
        guard found.audible.pointee.isConstant, found.panLeft.pointee.isConstant, found.panRight.pointee.isConstant else { return }
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

extension LayerTracks {
    /// The pieces of a noise's pulses in place of those of its correlation.
    @_noLocks @_noAllocation
    func pulsePieces(at frame: Int64, _ pieces: LayerCursor.Pieces, limit: inout Int64) -> LayerCursor.Pieces {
        var pieces = pieces
        pieces.first = duty.piece(at: frame, limit: &limit)
        pieces.second = edge.piece(at: frame, limit: &limit)
        pieces.third = third.piece(at: frame, limit: &limit)
        return pieces
    }
}

extension PhaseStride {
    /// Back by a cell. The binomials C(-64,1) to C(-64,4).
    fileprivate static var back: PhaseStride {
        @_noLocks @_noAllocation @inline(__always) get {
            PhaseStride(count: -64, c1: 0 &- 64, c2: 2080, c3: 0 &- 45_760, c4: 766_480)
        }
    }
}
