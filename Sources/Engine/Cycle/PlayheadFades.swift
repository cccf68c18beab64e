// Render thread: the levels and fades of all that a playhead plays.

import Synthesis

extension Playhead {
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
