// Render thread: the plan that follows the current one, at its end or crossfaded.

import Synthesis

/// The frame at which the current plan ends; `nil` if it is endless or no plan is current.
@_noLocks @_noAllocation
func currentEnd(_ state: UnsafeMutablePointer<RenderState>) -> EngineFrame? {
    guard state.pointee.current >= 0 else { return nil }
    let playhead = state.pointee.playheads + state.pointee.current
    guard let playable = playhead.pointee.playable, playable.plan.pointee.length != .max else { return nil }
    return playhead.pointee.origin + playable.plan.pointee.length
}

/// Starts the next plan, or ends the current one, when it is due.
@_noLocks @_noAllocation
func advanceIfDue(_ state: UnsafeMutablePointer<RenderState>) {
    guard let end = currentEnd(state) else { return }
    let now = state.pointee.engineFrame
    guard let next = state.pointee.next else {
        if now >= end { endCurrent(state) }
        return
    }
    let left = end - now
    guard left <= state.pointee.nextCrossfade else { return }
    if left > 0 {
        guard let free = freePlayhead(state) else { return }
        let shape = fadeShape(.equalPower, into: next, state)
        (state.pointee.playheads + state.pointee.current).pointee.add(Fade(shape: shape, isOut: true, start: now.number, frames: left))
        begin(next, in: free, serial: state.pointee.nextSerial, position: 0, state)
        free.pointee.add(Fade(shape: shape, isOut: false, start: now.number, frames: left))
    } else {
        retire(state.pointee.playheads + state.pointee.current, state)
        guard let free = freePlayhead(state) else { return }
        begin(next, in: free, serial: state.pointee.nextSerial, position: 0, state)
    }
    state.pointee.next = nil
    report(.advanced(serial: state.pointee.nextSerial, at: now), state)
}

/// Frees the playhead of the current plan at its end, and reports the end.
@_noLocks @_noAllocation
private func endCurrent(_ state: UnsafeMutablePointer<RenderState>) {
    let playhead = state.pointee.playheads + state.pointee.current
    let serial = playhead.pointee.serial
    retire(playhead, state)
    state.pointee.current = -1
    report(.ended(serial: serial, at: state.pointee.engineFrame), state)
}

@_noLocks @_noAllocation
func dropNext(_ state: UnsafeMutablePointer<RenderState>) {
    if let next = state.pointee.next { retire(next, state) }
    state.pointee.next = nil
}
