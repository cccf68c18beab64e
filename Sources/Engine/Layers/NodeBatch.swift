// Render thread: layers of one or two sines on their way to a kernel.

import Synthesis
import SynthesisAVX2

/// How a layer of one or two sines is added at the nodes of a cell.
enum NodeKind: BitwiseCopyable {
    /// Nothing moves, and each ear hears its own sine.
    case steady
    /// Frequencies move linearly.
    case linear
    /// Frequencies move as parabolas.
    case bent
    /// The same, and each ear hears both sines.
    case mixed
    /// Nothing moves, and each ear hears both sines.
    case steadyMixed
    /// The level moves, and frequencies linearly.
    case movingLinear
    /// The level moves, and frequencies as parabolas.
    case moving
    /// Frequencies move as polynomials of third degree.
    case cubic
    /// The level moves, and frequencies as polynomials of third degree.
    case movingCubic
    /// Frequencies move as polynomials of third degree, and each ear hears both sines.
    case mixedCubic
    /// Not at all.
    case none

    /// Whether frequencies move as polynomials of third degree.
    var isCubic: Bool {
        @_noLocks @_noAllocation @inline(__always) get { self == .cubic || self == .movingCubic || self == .mixedCubic }
    }

    /// Its number among the kernels' kinds.
    var number: Int {
        @_noLocks @_noAllocation get {
            switch self {
            case .steady: 0
            case .linear: 1
            case .bent: 2
            case .mixed: 3
            case .movingLinear: 4
            case .moving, .none: 5
            case .steadyMixed: 6
            case .cubic: 7
            case .movingCubic: 8
            case .mixedCubic: 9
            }
        }
    }
}

/// Consecutive layers of one kind, in the form in which the kernels add them up at the nodes of a cell.
struct NodeBatch: BitwiseCopyable {
    let phases: UnsafeMutablePointer<UInt32>
    let bends: UnsafeMutablePointer<Float>
    let gains: UnsafeMutablePointer<Float>
    private(set) var kind = NodeKind.none
    private(set) var count = 0

    private static var limit: Int {
        @_noLocks @_noAllocation @inline(__always) get { 64 }
    }

    /// Number of floats that a batch needs.
    static var capacity: Int { 20 * limit }

    init(memory: UnsafeMutablePointer<Float>) {
        gains = memory
        bends = memory + 8 * NodeBatch.limit
        phases = UnsafeMutableRawPointer(bends + 8 * NodeBatch.limit).bindMemory(to: UInt32.self, capacity: 4 * NodeBatch.limit)
    }

    /// Adds the voices so far at the nodes, and forgets them.
    @_noLocks @_noAllocation
    mutating func flush(to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, kernel: Kernel) {
        if count > 0 { kernel.addVoices(self, to: left, right) }
        count = 0
    }

    /// Appends the layer at a cursor, which is at the first frame of the cell, its phases at the eighth node or, if its kind is cubic, there.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func append(
        _ cursor: UnsafePointer<LayerCursor>, to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, kernel: Kernel
    ) {
        let kind = cursor.pointee.nodeKind
        if kind != self.kind || count == NodeBatch.limit {
            flush(to: left, right, kernel: kernel)
            self.kind = kind
        }
        let (phases, bends, gains) = (phases + 4 &* count, bends + 8 &* count, gains + 8 &* count)
        count &+= 1
        if kind == .steady || kind == .steadyMixed {
            (phases[0], phases[1]) = cursor.pointee.left.steadyAtNodes
            (phases[2], phases[3]) = cursor.pointee.right.steadyAtNodes
            gains[0] = cursor.pointee.leftGains.x
            gains[1] = cursor.pointee.rightGains.y
            if kind == .steady { return }
            gains[2] = cursor.pointee.rightGains.x
            gains[3] = cursor.pointee.leftGains.y
            return
        }
        if kind == .linear || kind == .movingLinear {
            cursor.pointee.left.fillLinearNodes(phases, bends)
            cursor.pointee.right.fillLinearNodes(phases + 2, bends + 4)
        } else if kind.isCubic {
            if cursor.pointee.isAtNode {
                cursor.pointee.left.fillCubicNodes(phases, bends)
                cursor.pointee.right.fillCubicNodes(phases + 2, bends + 4)
            } else {
                cursor.pointee.left.fillCubicNodesAhead(phases, bends)
                cursor.pointee.right.fillCubicNodesAhead(phases + 2, bends + 4)
            }
        } else {
            cursor.pointee.left.fillNodes(phases, bends)
            cursor.pointee.right.fillNodes(phases + 2, bends + 4)
        }
        switch kind {
        case .movingLinear, .moving, .movingCubic:
            let inverseLength = cursor.pointee.level.inverseLength
            gains[0] = Float(cursor.pointee.frame &- NodeGrid.lead &- cursor.pointee.level.start) * inverseLength
            gains[1] = Float(NodeGrid.spacing) * inverseLength
            gains[2] = cursor.pointee.level.c0
            gains[3] = cursor.pointee.level.c1
            gains[4] = cursor.pointee.level.c2
            gains[5] = cursor.pointee.level.c3
            gains[6] = cursor.pointee.level.c4
            gains[7] = cursor.pointee.level.c5
        default:
            gains[0] = cursor.pointee.leftGains.x
            gains[1] = cursor.pointee.rightGains.y
            gains[2] = cursor.pointee.rightGains.x
            gains[3] = cursor.pointee.leftGains.y
        }
    }
}

extension Kernel {
    /// Adds the voices of a batch at the nodes of a cell.
    @_noLocks @_noAllocation
    fileprivate func addVoices(_ batch: NodeBatch, to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>) {
        let kind = batch.kind.number
        switch self {
        case .baseline:
            Synthesis.addVoices(
                to: left, right, kind: kind, count: batch.count, phases: batch.phases, bends: batch.bends, gains: batch.gains)
        case .avx2:
            SynthesisAVX2.addVoices(
                to: left, right, kind: kind, count: batch.count, phases: batch.phases, bends: batch.bends, gains: batch.gains)
        }
    }
}

extension PhaseDifferences {
    /// Rounds to units of 2^-32 cycle.
    @_noLocks @_noAllocation
    @inline(__always)
    private static func upper(_ value: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: (value &+ 1 &<< 31) &>> 32) }

    /// The phase at the eighth node, which this one is, a quarter of a cycle late, and the step from node to node.
    fileprivate var steadyAtNodes: (phase: UInt32, step: UInt32) {
        @_noLocks @_noAllocation @inline(__always) get { (Self.upper(phase &- (1 &<< 62)), Self.upper(5 &* d1)) }
    }

    /// The same of a phase whose frequency moves linearly, with its second difference over the spacing of the nodes.
    ///
    /// With E = 1 + Δ the shift by one frame, E^5 - 1 = 5Δ + 10Δ² + 10Δ³ + 5Δ⁴ + …, and the higher differences are its powers.
    @_noLocks @_noAllocation
    @inline(__always)
    fileprivate func fillLinearNodes(_ phases: UnsafeMutablePointer<UInt32>, _ bends: UnsafeMutablePointer<Float>) {
        phases[0] = Self.upper(phase &- (1 &<< 62))
        phases[1] = Self.upper(5 &* d1 &+ 10 &* d2)
        bends[0] = Float(bitPattern: Self.upper(25 &* d2))
    }

    /// The same of a phase whose frequency moves as a parabola, with its second and third differences.
    @_noLocks @_noAllocation
    @inline(__always)
    fileprivate func fillNodes(_ phases: UnsafeMutablePointer<UInt32>, _ bends: UnsafeMutablePointer<Float>) {
        phases[0] = Self.upper(phase &- (1 &<< 62))
        phases[1] = Self.upper(5 &* d1 &+ 10 &* (d2 &+ d3))
        bends[0] = Float(bitPattern: Self.upper(25 &* d2 &+ 100 &* d3))
        bends[1] = Float(Int64(bitPattern: 125 &* d3)) * 0x1p-32
    }

    /// The same of a phase whose frequency moves as a polynomial of third degree, with its second to fourth differences.
    @_noLocks @_noAllocation
    @inline(__always)
    fileprivate func fillCubicNodes(_ phases: UnsafeMutablePointer<UInt32>, _ bends: UnsafeMutablePointer<Float>) {
        phases[0] = Self.upper(phase &- (1 &<< 62))
        phases[1] = Self.upper(5 &* (d1 &+ d4) &+ 10 &* (d2 &+ d3))
        bends[0] = Float(bitPattern: Self.upper(25 &* d2 &+ 100 &* d3 &+ 200 &* d4))
        bends[1] = Float(Int64(bitPattern: 125 &* d3 &+ 750 &* d4)) * 0x1p-32
        bends[2] = Float(Int64(bitPattern: 625 &* d4)) * 0x1p-32
    }

    /// The same from the first frame of the cell, 34 frames before the eighth node.
    @_noLocks @_noAllocation
    @inline(__always)
    fileprivate func fillCubicNodesAhead(_ phases: UnsafeMutablePointer<UInt32>, _ bends: UnsafeMutablePointer<Float>) {
        // C(34,2) = 561, C(34,3) = 5984, C(34,4) = 46,376. The others are the sums above of the differences at the eighth node.
        phases[0] = Self.upper(phase &+ 34 &* d1 &+ 561 &* d2 &+ 5984 &* d3 &+ 46_376 &* d4 &- (1 &<< 62))
        phases[1] = Self.upper(5 &* d1 &+ 180 &* d2 &+ 3155 &* d3 &+ 35_875 &* d4)
        bends[0] = Float(bitPattern: Self.upper(25 &* d2 &+ 950 &* d3 &+ 17_625 &* d4))
        bends[1] = Float(Int64(bitPattern: 125 &* d3 &+ 5000 &* d4)) * 0x1p-32
        bends[2] = Float(Int64(bitPattern: 625 &* d4)) * 0x1p-32
    }

    /// Whether the phase can be computed at the nodes of the cell that begins with this one: the frequency is up to 950 Hz at 48 kHz and
    /// accordingly, at the first and at the last frame, and does not sweep so fast that its spectrum is wider.
    fileprivate var suitsNodes: Bool {
        @_noLocks @_noAllocation get {
            let limit: UInt64 = 365_091_809_792_168_192
            // 2^48 is 1.5e-5 cycles per frame², with which the matrix has an error of -165 dB on average over the cell. Over the spacing of
            // the nodes, 120 times the third difference and 330 times the fourth stay below 2^22 units of 2^-32 cycle.
            let (second, third, fourth): (UInt64, UInt64, UInt64) = (1 &<< 48, 1 &<< 40, 1 &<< 31)
            // With differences of half the limits, the first changes by at most 1.1e16 over the cell.
            if d1 &+ 354_000_000_000_000_000 <= 708_000_000_000_000_000 && d2 &+ second / 2 <= second && d3 &+ third / 2 <= third
                && d4 &+ fourth <= 2 &* fourth
            {
                return true
            }
            let last = d1 &+ 64 &* d2 &+ 2016 &* d3 &+ 41_664 &* d4
            let lastSecond = d2 &+ 64 &* d3 &+ 2016 &* d4
            return d1 &+ limit <= 2 &* limit && last &+ limit <= 2 &* limit && d2 &+ second <= 2 &* second
                && lastSecond &+ second <= 2 &* second && d3 &+ third <= 2 &* third && d4 &+ fourth <= 2 &* fourth
        }
    }

    /// Whether it can be so in every cell that begins in the next `frames` frames.
    @_noLocks @_noAllocation
    fileprivate func suitsNodes(for frames: Int64) -> Bool {
        let n = Double(min(frames, 1 &<< 40)) + 64
        func magnitude(_ difference: UInt64) -> Double { Double(Int64(bitPattern: difference).magnitude) }
        // A little less than the limits, so that what is rounded here decides nothing.
        let bend = magnitude(d2) + n * (magnitude(d3) + n * magnitude(d4) / 2)
        return suitsNodes && magnitude(d1) + n * bend <= 365_000_000_000_000_000 && bend <= 0x1p47
            && magnitude(d3) + n * magnitude(d4) <= 0x1p39
    }

    /// Advances by a cell.
    @_noLocks @_noAllocation
    @inline(__always)
    fileprivate mutating func advanceCell() {
        // C(64,2) = 2016, C(64,3) = 41,664.
        phase &+= d1 &<< 6 &+ 2016 &* d2
        d1 &+= d2 &<< 6
        if d3 | d4 == 0 { return }
        phase &+= 41_664 &* d3
        d1 &+= 2016 &* d3
        d2 &+= d3 &<< 6
        if _fastPath(d4 == 0) { return }
        // C(64,4) = 635,376.
        phase &+= 635_376 &* d4
        d1 &+= 41_664 &* d4
        d2 &+= 2016 &* d4
        d3 &+= d4 &<< 6
    }
}

extension LayerCursor {
    /// Whether the layer can be computed at the nodes of the cell that begins at the cursor's frame.
    var suitsNodes: Bool {
        @_noLocks @_noAllocation @inline(__always) get {
            if nodeKind == .none { return false }
            return _fastPath(isAlwaysLow) || left.suitsNodes && right.suitsNodes
        }
    }

    /// Whether it adds nothing as long as it stays in its pieces.
    var isSilent: Bool {
        @_noLocks @_noAllocation @inline(__always) get {
            if case .apart = form { leftGains.x == 0 && rightGains.y == 0 } else { false }
        }
    }

    /// Advances by a cell, not beyond ``end``.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func advanceCell() {
        frame &+= NodeGrid.frames
        left.advanceCell()
        right.advanceCell()
    }

    /// Finds how the layer is added in cells that begin in its pieces.
    @_noLocks @_noAllocation
    mutating func findNodes() {
        nodeKind = foundNodeKind()
        if nodeKind == .none { return }
        let frames = end &- frame
        // For a single cell there is nothing to save.
        isAlwaysLow = frames > NodeGrid.frames && left.suitsNodes(for: frames) && right.suitsNodes(for: frames)
    }

    @_noLocks @_noAllocation
    @inline(__always)
    private func foundNodeKind() -> NodeKind {
        // A short piece of third degree ends in mid-cell, which costs more than nodes save.
        if isBrief { return .none }
        let isCubic = left.d4 | right.d4 != 0
        let isLinear = left.d3 | right.d3 == 0
        let isSteady = isLinear && left.d2 | right.d2 == 0
        switch form {
        case .level:
            // It modulates a sine up to 950 Hz at 48 kHz only as far as the matrix is good. A short piece would be continued too far beyond its ends.
            if !level.isSlow { return .none }
            return isCubic ? .movingCubic : isLinear ? .movingLinear : .moving
        case .apart: return isCubic ? .cubic : isLinear ? (isSteady ? .steady : .linear) : .bent
        case .steady: return isCubic ? .mixedCubic : isSteady ? .steadyMixed : .mixed
        case .any, .noise: return .none
        }
    }
}
