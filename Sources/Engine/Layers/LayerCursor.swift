// Render thread: the place of a layer in its tracks, kept so that it need not be looked up for every block.

import Synthesis

/// The current pieces of a layer's tracks, and its phases at the next frame, or at a node ahead of it. All of it follows from the plan and
/// the frame: a cursor is only a cache.
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
    /// Whether its frequencies are known to suit the nodes of every cell that begins in its pieces.
    var isAlwaysLow = false
    /// Whether the phases are those of the eighth node of the cell that begins with the next frame, 34 frames on.
    private(set) var isAtNode = false
    /// For the forms `apart` and `steady`: gains of the left ear's tone and of the right ear's tone, in the left ear and in the right. For the form
    /// `noise`: of the first noise and of the second one.
    private(set) var leftGains = SIMD2<Float>()
    private(set) var rightGains = SIMD2<Float>()
    /// For the form `level`: the piece of the gain, here since to follow a pointer to it takes longer.
    private(set) var level = ValuePiece(start: 0, constant: 0)
    /// The plan frame at which a track other than those of the phases enters another piece.
    private var valuesEnd: Int64 = 0
    private(set) var pulse = PhaseDifferences()
    /// Where the pieces of carrier, beat and offset were found.
    private var places = InlineArray<3, Int32>(repeating: 0)
    /// Whether one of the sines is in a short piece of third degree.
    private(set) var isBrief = false
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

    /// How the gains of one or two sines, or of a noise, move. Layers of other kinds have the form `any`.
    enum Form: BitwiseCopyable {
        /// No gain moves, and each ear hears its own tone alone.
        case apart
        /// No gain moves.
        case steady
        /// Only the level moves; mute, balance and width have no effect.
        case level
        /// No gain of a noise moves.
        case noise
        case any
    }

    init() {}

    /// Moves the cursor to a frame; if it is there already, or a cell ahead, this costs next to nothing.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func move(to frame: Int64, in layer: UnsafePointer<LayerTracks>, revision: UInt64) {
        if self.revision == revision, frame < end, frame >= begin {
            if self.frame == frame { return leaveNode() }
            // A plan with an edit inside the cell begins the cell once more.
            if self.frame &- NodeGrid.frames == frame {
                leaveNode()
                return advance(by: .back)
            }
        }
        isAtNode = false
        if self.revision == revision, frame >= begin, frame < valuesEnd, isSines { return findSines(frame, in: layer) }
        find(frame, in: layer)
        self.revision = revision
    }

    /// Whether the cursor is at the cell that begins with a frame, its phases at the eighth node, and suits the nodes.
    @_noLocks @_noAllocation
    @inline(__always)
    func isAtNode(ofCell frame: Int64, revision: UInt64) -> Bool {
        isAtNode && isAlwaysLow && self.revision == revision && self.frame == frame && frame < end && frame >= begin
    }

    /// Moves the phases to the eighth node of the cell.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func enterNode() {
        if isAtNode { return }
        isAtNode = true
        left.advance(by: .node)
        right.advance(by: .node)
    }

    /// Moves the phases back to the next frame.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func leaveNode() {
        if !isAtNode { return }
        isAtNode = false
        left.advance(by: .backFromNode)
        right.advance(by: .backFromNode)
    }

    private var isSines: Bool {
        @_noLocks @_noAllocation get {
            switch form {
            case .apart, .steady, .level: true
            case .noise, .any: false
            }
        }
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

    /// Finds other pieces of the phases of one or two sines.
    @_noLocks @_noAllocation
    @inline(never)
    private mutating func findSines(_ frame: Int64, in layer: UnsafePointer<LayerTracks>) {
        var limit = valuesEnd
        findPhases(frame, in: layer, limit: &limit)
        (begin, self.frame, end) = (frame, frame, limit)
        findNodes()
    }

    @_noLocks @_noAllocation
    @inline(__always)
    private mutating func findPhases(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        isBrief = false
        let carrier = phase(layer.pointee.carrier, 0, at: frame, limit: &limit)
        let offset = phase(layer.pointee.offset, 2, at: frame, limit: &limit)
        switch layer.pointee.kind {
        case .binaural, .monaural:
            let beat = phase(layer.pointee.beat, 1, at: frame, limit: &limit)
            left = carrier + beat + offset
            right = carrier - beat
            if case .monaural = layer.pointee.kind { right = right + offset }
        default:
            // A tone is the same sine in both ears.
            left = carrier + offset
            right = left
        }
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
        fades = findFades(frame, in: layer, limit: &limit)
        valuesEnd = limit
        switch kind {
        case .tone, .isochronic, .bilateral, .bell, .binaural, .monaural:
            findPhases(frame, in: layer, limit: &limit)
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
        case .whiteNoise, .coloredNoise:
            if layer.pointee.effects == nil { findNoiseForm(found) }
            return
        default: return
        }
        findNodes()
    }

    @_noLocks @_noAllocation
    @inline(__always)
    private mutating func phase(_ track: PhaseTrack, _ index: Int, at frame: Int64, limit: inout Int64) -> PhaseDifferences {
        let piece = track.piece(at: frame, limit: &limit, near: &places[index])
        if piece.pointee.isBrief { isBrief = true }
        let distance = frame &- piece.pointee.start
        return distance == 0 ? piece.pointee.differences : piece.pointee.differences.advanced(by: distance)
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
    private mutating func findNoiseForm(_ found: Pieces) {
        guard found.gain.pointee.isConstant, found.audible.pointee.isConstant, found.panLeft.pointee.isConstant,
            found.panRight.pointee.isConstant, found.first.pointee.isConstant, found.second.pointee.isConstant
        else { return }
        let gain = found.gain.pointee.c0 * found.audible.pointee.c0
        let right = gain * found.panRight.pointee.c0
        leftGains = SIMD2(gain * found.panLeft.pointee.c0, right * found.first.pointee.c0)
        rightGains = SIMD2(0, right * found.second.pointee.c0)
        form = .noise
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
            level = found.gain.pointee
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
    /// From the first frame of a cell to its eighth node, C(34,1) to C(34,4).
    fileprivate static var node: PhaseStride {
        @_noLocks @_noAllocation @inline(__always) get { PhaseStride(count: 34, c1: 34, c2: 561, c3: 5984, c4: 46_376) }
    }
    /// The binomials C(-34,1) to C(-34,4).
    fileprivate static var backFromNode: PhaseStride {
        @_noLocks @_noAllocation @inline(__always) get {
            PhaseStride(count: -34, c1: 0 &- 34, c2: 595, c3: 0 &- 7140, c4: 66_045)
        }
    }
    /// Back by a cell. The binomials C(-64,1) to C(-64,4).
    fileprivate static var back: PhaseStride {
        @_noLocks @_noAllocation @inline(__always) get {
            PhaseStride(count: -64, c1: 0 &- 64, c2: 2080, c3: 0 &- 45_760, c4: 766_480)
        }
    }
}
