// Render thread: adds up the layers of a playhead.

import Synthesis

/// Adds all layers of a plan to `scratch.left` and `scratch.right`, from plan frame `frame` on.
@_noLocks @_noAllocation
func renderLayers(of playable: PlayablePlan, stride: PhaseStride, frame: Int64, scratch: Scratch, kernel: Kernel) {
    let workspace = playable.workspace
    let (left, right) = (scratch.left, scratch.right)
    if let cell = workspace.cell, let weights = playable.plan.pointee.nodeWeights {
        renderCells(cell, of: playable, weights: weights, stride: stride, frame: frame, scratch: scratch, kernel: kernel)
        for index in 0..<playable.plan.pointee.layerCount where cell.pointee.memberships[index].isOther {
            renderLayer(
                index, of: playable, workspace, left: left, right: right, stride: stride, frame: frame, scratch: scratch, kernel: kernel)
        }
    } else {
        for index in 0..<playable.plan.pointee.layerCount {
            renderLayer(
                index, of: playable, workspace, left: left, right: right, stride: stride, frame: frame, scratch: scratch, kernel: kernel)
        }
    }
}

/// Adds the layers of one or two sines, cell by cell.
@_noLocks @_noAllocation
private func renderCells(
    _ cell: UnsafeMutablePointer<NodeCell>, of playable: PlayablePlan, weights: UnsafePointer<Double>, stride: PhaseStride, frame: Int64,
    scratch: Scratch, kernel: Kernel
) {
    let end = frame + stride.count
    var at = frame
    while at < end {
        cell.pointee.move(to: at, of: playable, weights: weights, scratch: scratch, kernel: kernel)
        let length = min(end, cell.pointee.start + NodeGrid.frames) - at
        let offset = Int(at - cell.pointee.start)
        let (left, right) = (scratch.left + Int(at - frame), scratch.right + Int(at - frame))
        add(to: left, count: Int(length), source: cell.pointee.left + offset)
        add(to: right, count: Int(length), source: cell.pointee.right + offset)
        if cell.pointee.hasDirect {
            let stride = PhaseStride(length)
            for index in 0..<playable.plan.pointee.layerCount where cell.pointee.memberships[index].isDirect {
                renderLayer(
                    index, of: playable, playable.workspace, left: left, right: right, stride: stride, frame: at, scratch: scratch,
                    kernel: kernel)
            }
        }
        at += length
    }
}

/// Adds the layers of a playhead to `scratch.left` and `scratch.right` if some of them are muted, measured, or have separate outputs.
///
/// Without muted layers the mix has the same bits as without sums and outputs.
///
/// - Parameters:
///   - sums: Sums of each layer's samples to add to; `nil` for none.
///   - outputs: Separate outputs of the layers; `nil` for none.
@_noLocks @_noAllocation
func renderLayers(
    of playhead: UnsafePointer<Playhead>, _ playable: PlayablePlan, stride: PhaseStride, frame: EngineFrame, scratch: Scratch,
    kernel: Kernel, sums: UnsafeMutablePointer<Double>?, outputs: LayerOutputs?
) {
    let count = Int(stride.count)
    let workspace = playable.workspace
    let muted = playhead.pointee.muted
    let planFrame = frame.planFrame(origin: playhead.pointee.origin).number
    // When a layer is muted, the others are added one by one.
    var usesNodes = false
    if muted.isEmpty, let cell = workspace.cell, let weights = playable.plan.pointee.nodeWeights {
        usesNodes = true
        renderCells(cell, of: playable, weights: weights, stride: stride, frame: planFrame, scratch: scratch, kernel: kernel)
    }
    var sumLeft = sum(scratch.left, count: count)
    var sumRight = sum(scratch.right, count: count)
    for index in 0..<playable.plan.pointee.layerCount where !muted.isSilent(index) {
        var output: LayerOutputs?
        if let outputs, index < outputs.layerCount { output = outputs }
        let isInMix = usesNodes && playable.plan.pointee.versions[index].isSines
        if isInMix, output == nil, sums == nil { continue }
        if isInMix || muted.isFading(index) {
            clear(scratch.layerLeft, count: count)
            clear(scratch.layerRight, count: count)
            renderLayer(
                index, of: playable, workspace, left: scratch.layerLeft, right: scratch.layerRight, stride: stride, frame: planFrame,
                scratch: scratch, kernel: kernel)
        }
        if isInMix {
            sums?[2 * index] += Double(sum(scratch.layerLeft, count: count))
            sums?[2 * index + 1] += Double(sum(scratch.layerRight, count: count))
            output?.add(
                index, of: playhead, playable, scratch.layerLeft, scratch.layerRight, count: count, frame: frame, scratch: scratch,
                kernel: kernel)
            continue
        }
        output?.begin(scratch, count: count)
        if muted.isFading(index) {
            playhead.pointee.muted.fade.apply(to: scratch.layerLeft, scratch.layerRight, count: count, frame: frame.number)
            add(to: scratch.left, count: count, source: scratch.layerLeft)
            add(to: scratch.right, count: count, source: scratch.layerRight)
        } else {
            renderLayer(
                index, of: playable, workspace, left: scratch.left, right: scratch.right, stride: stride, frame: planFrame,
                scratch: scratch, kernel: kernel)
        }
        output?.finish(index, of: playhead, playable, scratch, count: count, frame: frame, kernel: kernel)
        guard let sums else { continue }
        // The difference that the layer made to the mix: measured this way, the sound stays the same.
        let nowLeft = sum(scratch.left, count: count)
        let nowRight = sum(scratch.right, count: count)
        sums[2 * index] += Double(nowLeft - sumLeft)
        sums[2 * index + 1] += Double(nowRight - sumRight)
        sumLeft = nowLeft
        sumRight = nowRight
    }
}
