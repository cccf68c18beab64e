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
    var form = Form.any
    var nodeKind = NodeKind.none
    /// Whether its frequencies are known to suit the nodes of every cell that begins in its pieces.
    var isAlwaysLow = false
    /// Whether the phases are those of the eighth node of the cell that begins with the next frame, 34 frames on.
    private(set) var isAtNode = false
    /// For the forms `apart` and `steady`: gains of the left ear's tone and of the right ear's tone, in the left ear and in the right. For the form
    /// `noise`: of the first noise and of the second one.
    var leftGains = SIMD2<Float>()
    var rightGains = SIMD2<Float>()
    /// For the form `level`: the piece of the gain, here since to follow a pointer to it takes longer.
    private(set) var level = ValuePiece(start: 0, constant: 0)
    /// The plan frame at which a track other than those of the phases enters another piece.
    private var valuesEnd: Int64 = 0
    var pulse = PhaseDifferences()
    /// Where the pieces of carrier, beat and offset were found.
    private var places = InlineArray<3, Int32>(repeating: 0)
    /// Whether one of the sines is in a short piece of third degree.
    private(set) var isBrief = false
    private(set) var pieces: LayerPieces?
    /// The fades near half the sample rate; `nil` if all of them are 1.
    private(set) var fades: Fades?
    /// The bell's strike, or `nil` if the layer is not a bell.
    var strike: UnsafePointer<Strike>?

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
        isBrief = false
        findPhases(frame, in: layer, limit: &limit)
        (begin, self.frame, end) = (frame, frame, limit)
        findNodes()
    }

    @_noLocks @_noAllocation
    @inline(never)
    private mutating func find(_ frame: Int64, in layer: UnsafePointer<LayerTracks>) {
        var limit = Int64.max
        var found = LayerPieces(of: layer, at: frame, limit: &limit)
        found.findOwn(of: layer, at: frame, limit: &limit)
        fades = layer.pointee.fades.pieces(at: frame, limit: &limit)
        valuesEnd = limit
        isBrief = false
        findPhases(frame, in: layer, limit: &limit)
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
        if layer.pointee.wave == nil, fades == nil { findForm(of: layer, found) }
    }

    /// A phase of one or two sines.
    ///
    /// - Parameter index: The place of carrier, beat or offset among those that are kept.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func phase(_ track: PhaseTrack, _ index: Int, at frame: Int64, limit: inout Int64) -> PhaseDifferences {
        let piece = track.piece(at: frame, limit: &limit, near: &places[index])
        if piece.pointee.isBrief { isBrief = true }
        let distance = frame &- piece.pointee.start
        return distance == 0 ? piece.pointee.differences : piece.pointee.differences.advanced(by: distance)
    }

    /// Finds how the gains of one or two sines move, and whether these suit the nodes.
    ///
    /// - Parameters:
    ///   - own, other: An ear's shares of its own tone and of the other ear's.
    @_noLocks @_noAllocation
    mutating func findForm(_ found: LayerPieces, own: Float, other: Float) {
        findGains(found, own: own, other: other)
        findNodes()
    }

    @_noLocks @_noAllocation
    private mutating func findGains(_ found: LayerPieces, own: Float, other: Float) {
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

extension FadeTracks {
    /// The current pieces of the fades; `nil` if all of them are 1.
    @_noLocks @_noAllocation
    fileprivate func pieces(at frame: Int64, limit: inout Int64) -> LayerCursor.Fades? {
        guard count > 0 else { return nil }
        var found = LayerCursor.Fades(repeating: tracks[0].piece(at: frame, limit: &limit))
        var isWhole = true
        for index in 0..<count {
            let piece = tracks[index].piece(at: frame, limit: &limit)
            found[index] = piece
            if !piece.pointee.isConstant || piece.pointee.c0 != 1 { isWhole = false }
        }
        return isWhole ? nil : found
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
