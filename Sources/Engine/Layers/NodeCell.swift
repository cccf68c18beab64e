// Render thread: the sum of the sines of low frequencies, computed at every fifth frame.

import Synthesis

/// How a layer is added in a cell.
enum NodeMembership: BitwiseCopyable {
    /// At the nodes.
    case nodes
    /// At the nodes, and it enters another piece inside the cell.
    case nodesAndChange
    /// Frame by frame, since its frequencies or its gains do not suit the nodes.
    case direct
    /// A layer of another kind, frame by frame.
    case other

    var changes: Bool {
        @_noLocks @_noAllocation get { if case .nodesAndChange = self { true } else { false } }
    }
    var isDirect: Bool {
        @_noLocks @_noAllocation get { if case .direct = self { true } else { false } }
    }
    var isOther: Bool {
        @_noLocks @_noAllocation get { if case .other = self { true } else { false } }
    }
}

/// The sum of the layers of sines of one playhead in one cell of 64 plan frames.
///
/// Far below half the sample rate a sine is sampled many times more often than it need be. So the layers are added up at 16 nodes, five frames
/// apart, and a constant matrix turns the sums into the frames of the cell: on average over the cell, its own error is below
/// -170 dB up to 1/47 of the sample rate (scripts/make-node-matrix derives it).
///
/// Cells lie on a fixed grid of plan frames, and plan and frame alone decide which layers are added up that way: a cell is only a cache. A
/// layer takes part with the pieces in which it begins the cell; from the first boundary inside the cell on, the difference from the next
/// pieces is added frame by frame. So a live edit, which changes nothing before its frame, changes nothing there in the cell either.
struct NodeCell: BitwiseCopyable {
    /// The plan frame that the cell begins with; `Int64.min` for none.
    private(set) var start = Int64.min
    /// Token of the plan that it was made from.
    private var planToken: UInt = 0
    /// Whether some layers are ``NodeMembership/direct``.
    private(set) var hasDirect = false
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>
    private let leftNodes: UnsafeMutablePointer<Float>
    private let rightNodes: UnsafeMutablePointer<Float>
    private var batch: NodeBatch
    /// One for each layer.
    let memberships: UnsafeMutablePointer<NodeMembership>

    /// Number of floats that a cell needs.
    static var capacity: Int { 2 * Int(NodeGrid.frames) + 2 * NodeGrid.nodeCount + NodeBatch.capacity }

    /// - Parameters:
    ///   - samples: ``capacity`` floats.
    ///   - memberships: One for each layer.
    init(samples: UnsafeMutablePointer<Float>, memberships: UnsafeMutablePointer<NodeMembership>) {
        left = samples
        right = left + Int(NodeGrid.frames)
        leftNodes = right + Int(NodeGrid.frames)
        rightNodes = leftNodes + NodeGrid.nodeCount
        batch = NodeBatch(memory: rightNodes + NodeGrid.nodeCount)
        self.memberships = memberships
    }

    /// Makes this the cell that a plan frame is in, unless it is already.
    @_noLocks @_noAllocation
    mutating func move(to frame: Int64, of playable: PlayablePlan, weights: UnsafePointer<Double>, scratch: Scratch, kernel: Kernel) {
        let first = frame & ~(NodeGrid.frames - 1)
        if first == start, planToken == playable.planToken { return }
        start = first
        planToken = playable.planToken
        clear(leftNodes, count: NodeGrid.nodeCount)
        clear(rightNodes, count: NodeGrid.nodeCount)
        let changes = addLayers(of: playable, kernel: kernel)
        kernel.interpolate(left, right, leftNodes: leftNodes, rightNodes: rightNodes, weights: weights)
        guard changes else { return }
        for index in 0..<playable.plan.pointee.layerCount where memberships[index].changes {
            addChange(index, of: playable, scratch: scratch, kernel: kernel)
        }
    }

    /// Adds the layers at the nodes, and notes how each takes part.
    ///
    /// - Returns: Whether one of them enters another piece inside the cell.
    @_noLocks @_noAllocation
    private mutating func addLayers(of playable: PlayablePlan, kernel: Kernel) -> Bool {
        let plan = playable.plan
        var changes = false
        hasDirect = false
        for index in 0..<plan.pointee.layerCount {
            let version = plan.pointee.versions[index]
            guard version.isSines else {
                memberships[index] = .other
                continue
            }
            let cursor = playable.workspace.cursors + index
            if !cursor.pointee.isAtNode(ofCell: start, revision: version.revision) {
                cursor.pointee.move(to: start, in: plan.pointee.layers + index, revision: version.revision)
                guard cursor.pointee.suitsNodes else {
                    memberships[index] = .direct
                    hasDirect = true
                    continue
                }
                // The phases of a single cell are taken from its first frame.
                if cursor.pointee.end > start + NodeGrid.frames || !cursor.pointee.nodeKind.isCubic { cursor.pointee.enterNode() }
            }
            if !cursor.pointee.isSilent { batch.append(cursor, to: leftNodes, rightNodes, kernel: kernel) }
            if cursor.pointee.end >= start + NodeGrid.frames {
                memberships[index] = .nodes
                if cursor.pointee.end > start + NodeGrid.frames { cursor.pointee.advanceCell() }
            } else {
                memberships[index] = .nodesAndChange
                changes = true
            }
        }
        batch.flush(to: leftNodes, rightNodes, kernel: kernel)
        return changes
    }

    /// From the frame on at which a layer enters another piece: takes back what the nodes have continued, and adds the layer itself.
    @_noLocks @_noAllocation
    private func addChange(_ index: Int, of playable: PlayablePlan, scratch: Scratch, kernel: Kernel) {
        let cursor = playable.workspace.cursors + index
        let boundary = cursor.pointee.end
        let offset = Int(boundary - start)
        let rest = NodeGrid.frames - Int64(offset)
        cursor.pointee.leaveNode()
        cursor.pointee.takeBack(
            from: left + offset, right + offset, after: Int64(offset), count: Int(rest), scratch: scratch, kernel: kernel)
        renderLayer(
            index, of: playable, playable.workspace, left: left + offset, right: right + offset, stride: PhaseStride(rest),
            frame: boundary, scratch: scratch, kernel: kernel)
    }
}

extension LayerCursor {
    /// Subtracts the layer as it continues beyond its pieces, from `offset` frames after the cursor's frame on.
    @_noLocks @_noAllocation
    fileprivate func takeBack(
        from leftOut: UnsafeMutablePointer<Float>, _ rightOut: UnsafeMutablePointer<Float>, after offset: Int64, count: Int,
        scratch: Scratch, kernel: Kernel
    ) {
        let (left, right) = (self.left.advanced(by: offset), self.right.advanced(by: offset))
        switch form {
        case .any, .noise: break
        case .apart:
            kernel.addSines(to: leftOut, rightOut, count: count, left, right, leftGain: -leftGains.x, rightGain: -rightGains.y)
        case .steady:
            kernel.addMixed(left, right, to: leftOut, rightOut, count: count, gains: (-1 * leftGains, -1 * rightGains), scratch: scratch)
        case .level:
            var gain = level.negated
            kernel.addSines(
                to: leftOut, rightOut, count: count, left, right, gain: &gain, frame: frame + offset, gains: scratch.gain)
        }
    }
}

extension ValuePiece {
    fileprivate var negated: ValuePiece {
        @_noLocks @_noAllocation get { ValuePiece(start: start, inverseLength: inverseLength, -c0, -c1, -c2, -c3, -c4, -c5) }
    }
}
