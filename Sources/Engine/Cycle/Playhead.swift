// Render thread: a position in a plan that advances with the engine's frames, and its fades.

import Synthesis

struct Playhead: BitwiseCopyable {
    static var maximumFadeCount: Int {
        @_noLocks @_noAllocation get { 8 }
    }

    /// The plan that it plays; `nil` if this playhead is free.
    var playable: PlayablePlan?
    /// The serial of the message that it came from.
    var serial: UInt64 = 0
    /// The engine frame at which the plan's frame 0 was rendered; negative if that was before this engine was made.
    var origin: EngineFrame = 0
    var fades: InlineArray<8, Fade> = .init(repeating: Fade(shape: .smooth, isOut: false, start: 0, frames: 1))
    var fadeCount = 0
    /// The engine frame at which it began.
    var firstFrame: EngineFrame = 0
    /// The engine frame at which it will be silent for good.
    var end = EngineFrame.max
    /// The layers that are muted because they put out a DC offset.
    var muted = MutedLayers()
}

/// Adds what a playhead plays to the output, at most a block.
///
/// - Parameters:
///   - sums: Sums of each layer's samples to add to; `nil` unless a DC offset is searched for.
///   - layers: Separate outputs of the layers; `nil` for none.
@_noLocks @_noAllocation
func render(
    _ playhead: UnsafePointer<Playhead>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int,
    frame: EngineFrame, scratch: Scratch, kernel: Kernel, sums: UnsafeMutablePointer<Double>?, layers: LayerOutputs?
) {
    guard let playable = playhead.pointee.playable else { return }
    let workspace = playable.workspace
    var scratch = scratch
    clear(scratch.left, count: count)
    clear(scratch.right, count: count)
    let planFrame = frame.planFrame(origin: playhead.pointee.origin)
    let plan = playable.plan
    let stride = PhaseStride(Int64(count))
    workspace.keyboard.pointee.origin = playhead.pointee.origin
    if plan.pointee.keysCount > 0,
        let gain = chordGain(workspace.keyboard, in: plan, count: count, frame: frame, planFrame: planFrame, scratch: scratch)
    {
        scratch.chordGain = UnsafePointer(gain)
    }
    if playhead.pointee.muted.isEmpty, sums == nil, layers == nil {
        renderLayers(of: playable, stride: stride, frame: planFrame.number, scratch: scratch, kernel: kernel)
    } else {
        renderLayers(of: playhead, playable, stride: stride, frame: frame, scratch: scratch, kernel: kernel, sums: sums, outputs: layers)
    }
    applyLevels(of: playhead, playable, to: scratch.left, scratch.right, count: count, frame: frame, scratch: scratch, kernel: kernel)
    add(to: left, count: count, source: scratch.left)
    add(to: right, count: count, source: scratch.right)
}
