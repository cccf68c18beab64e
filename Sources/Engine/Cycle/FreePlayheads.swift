// Render thread: the playhead that a start takes.

import Synthesis

/// A free playhead; `nil` when all are in use. When few are left, the tail that would end first is faded out in 5 ms, so that one is free
/// again before the next start needs it.
@_noLocks @_noAllocation
func freePlayhead(_ state: UnsafeMutablePointer<RenderState>) -> UnsafeMutablePointer<Playhead>? {
    let soonest = state.pointee.engineFrame + state.pointee.stealFrames
    var free: UnsafeMutablePointer<Playhead>?
    var tail: UnsafeMutablePointer<Playhead>?
    var available = 0
    for index in 0..<RenderState.playheadCount {
        let playhead = state.pointee.playheads + index
        if playhead.pointee.playable == nil {
            if free == nil { free = playhead }
            available += 1
        } else if playhead.pointee.end <= soonest {
            available += 1
        } else if index != state.pointee.current, playhead.pointee.end < (tail?.pointee.end ?? .max) {
            tail = playhead
        }
    }
    if available <= RenderState.sparePlayheadCount, let tail {
        tail.pointee.add(Fade(shape: .smooth, isOut: true, start: state.pointee.engineFrame.number, frames: state.pointee.stealFrames))
    }
    return free
}

/// Makes a free playhead the current one.
@_noLocks @_noAllocation
func begin(
    _ playable: PlayablePlan, in playhead: UnsafeMutablePointer<Playhead>, serial: UInt64, position: PlanFrame,
    _ state: UnsafeMutablePointer<RenderState>
) {
    playhead.pointee.playable = playable
    playhead.pointee.serial = serial
    playhead.pointee.origin = state.pointee.engineFrame.origin(of: position)
    playhead.pointee.firstFrame = state.pointee.engineFrame
    playhead.pointee.fadeCount = 0
    playhead.pointee.end = .max
    playhead.pointee.muted = MutedLayers()
    state.pointee.current = playhead - state.pointee.playheads
}

/// Frees the current playhead if none of it has been heard, so that several starts between two blocks leave no tails.
@_noLocks @_noAllocation
func retireUnheard(_ state: UnsafeMutablePointer<RenderState>) {
    guard state.pointee.current >= 0 else { return }
    let playhead = state.pointee.playheads + state.pointee.current
    guard playhead.pointee.firstFrame == state.pointee.engineFrame else { return }
    retire(playhead, state)
    state.pointee.current = -1
}
