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

    /// Adds a fade, which multiplies with those that are running. A fade-out that would end no sooner than one that is running is
    /// left out, so that any number of stops adds up to a few fades only: each is shorter than the one before.
    @_noLocks @_noAllocation
    mutating func add(_ fade: Fade) {
        if fade.isOut {
            guard EngineFrame(fade.end) < end else { return }
            end = EngineFrame(fade.end)
        }
        if fadeCount < Playhead.maximumFadeCount {
            fades[fadeCount] = fade
            fadeCount += 1
        } else if fade.isOut {
            fades[fadeCount - 1] = fade
        }
    }

    /// Drops fade-ins that have ended.
    @_noLocks @_noAllocation
    mutating func dropFinishedFades(at frame: EngineFrame) {
        var kept = 0
        for index in 0..<fadeCount where fades[index].isOut || fades[index].end > frame.number {
            fades[kept] = fades[index]
            kept += 1
        }
        fadeCount = kept
    }
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

/// Multiplies two channels by all that the layers of a playhead have in common: their headroom, and the fades.
@_noLocks @_noAllocation
func applyLevels(
    of playhead: UnsafePointer<Playhead>, _ playable: PlayablePlan, to left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>,
    count: Int, frame: EngineFrame, scratch: Scratch, kernel: Kernel
) {
    let planFrame = frame.planFrame(origin: playhead.pointee.origin)
    apply(playable.plan.pointee.headroom, to: left, right, count: count, frame: planFrame.number, scratch: scratch, kernel: kernel)
    applyFades(of: playhead, playable, to: left, right, count: count, frame: frame, scratch: scratch, kernel: kernel)
}

/// Multiplies two channels by the fades of the patch and of the playhead.
@_noLocks @_noAllocation
func applyFades(
    of playhead: UnsafePointer<Playhead>, _ playable: PlayablePlan, to left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>,
    count: Int, frame: EngineFrame, scratch: Scratch, kernel: Kernel
) {
    let planFrame = frame.planFrame(origin: playhead.pointee.origin)
    apply(playable.plan.pointee.envelope, to: left, right, count: count, frame: planFrame.number, scratch: scratch, kernel: kernel)
    for index in 0..<playhead.pointee.fadeCount {
        playhead.pointee.fades[index].apply(to: left, right, count: count, frame: frame.number)
    }
}

/// Multiplies two channels by a track, `frame` being a frame of the track.
@_noLocks @_noAllocation
func apply(
    _ track: ValueTrack, to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, frame: Int64,
    scratch: Scratch, kernel: Kernel
) {
    var done = 0
    while done < count {
        var limit = frame + Int64(count)
        let piece = track.piece(at: frame + Int64(done), limit: &limit)
        let length = Int(limit - frame) - done
        let left = left + done
        let right = right + done
        if piece.pointee.isConstant {
            if piece.pointee.c0 != 1 {
                scale(left, count: length, source: left, by: piece.pointee.c0)
                scale(right, count: length, source: right, by: piece.pointee.c0)
            }
        } else {
            kernel.fill(scratch.values, count: length, piece: piece, frame: frame + Int64(done))
            multiply(left, count: length, left, scratch.values)
            multiply(right, count: length, right, scratch.values)
        }
        done += length
    }
}
