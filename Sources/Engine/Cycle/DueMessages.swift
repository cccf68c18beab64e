// Render thread: carries out control's messages between two blocks, at their frames.

import RealTime
import Synthesis

/// Moves messages from the ring to the pending ones while there is room.
@_noLocks @_noAllocation
func takeMessages(_ state: UnsafeMutablePointer<RenderState>) {
    while state.pointee.pendingCount < RenderState.pendingCapacity, let message = state.pointee.messages.pop() {
        state.pointee.pending[state.pointee.pendingCount] = message
        state.pointee.pendingCount += 1
    }
}

/// Carries out the messages that are due, in the order in which they were sent. A message that finds no free playhead waits, and so do
/// those behind it; if a stop is due, messages before it do not wait but are refused.
@_noLocks @_noAllocation
func doDueMessages(_ state: UnsafeMutablePointer<RenderState>) {
    let now = state.pointee.engineFrame
    var stop = -1
    var urgentStop = -1
    for index in 0..<state.pointee.pendingCount {
        let message = state.pointee.pending[index]
        guard case .stop(_, let isPanic) = message.action, message.atFrame <= now else { continue }
        stop = index
        if isPanic { urgentStop = index }
    }
    var kept = 0
    var isBlocked = false
    for index in 0..<state.pointee.pendingCount {
        let message = state.pointee.pending[index]
        if index < urgentStop, message.atFrame > now {
            refuse(message, state)
        } else if index < stop, message.atFrame <= now {
            if !perform(message, state) { refuse(message, state) }
        } else if isBlocked || message.atFrame > now {
            state.pointee.pending[kept] = message
            kept += 1
        } else if !perform(message, state) {
            isBlocked = true
            state.pointee.pending[kept] = message
            kept += 1
        }
    }
    state.pointee.pendingCount = kept
}

/// Refuses a message: returns what it carried to control and reports it.
@_noLocks @_noAllocation
private func refuse(_ message: Message, _ state: UnsafeMutablePointer<RenderState>) {
    switch message.action {
    case .start(let playable, _, _, _), .setNext(.some(let playable), _): retire(playable, state)
    case .replace(let plan, _, _): report(.retired(token: plan.token), state)
    case .setMaster(let master, _): report(.retired(token: master.token), state)
    case .stop, .setNext(.none, _): break
    }
    report(.refused(serial: message.serial), state)
}

/// Frames up to the next scheduled message or key event, or to the end or crossfade of the current plan; at least 1.
@_noLocks @_noAllocation
func framesToNextEvent(_ state: UnsafeMutablePointer<RenderState>) -> Int64 {
    let now = state.pointee.engineFrame
    var event = EngineFrame.max
    for index in 0..<state.pointee.pendingCount where state.pointee.pending[index].atFrame > now {
        event = min(event, state.pointee.pending[index].atFrame)
    }
    if let frame = nextKeyFrame(state), frame > now { event = min(event, frame) }
    if let end = currentEnd(state) {
        event = min(event, end)
        let change = end - state.pointee.nextCrossfade
        if state.pointee.next != nil, change > now { event = min(event, change) }
    }
    return max(event - now, 1)
}

/// Carries out one message and reports the result. Returns false when it has to wait for a free playhead.
@_noLocks @_noAllocation
private func perform(_ message: Message, _ state: UnsafeMutablePointer<RenderState>) -> Bool {
    let now = state.pointee.engineFrame
    var isInTime = true
    var position: PlanFrame?
    if state.pointee.current >= 0 { position = now.planFrame(origin: (state.pointee.playheads + state.pointee.current).pointee.origin) }
    switch message.action {
    case .start(let playable, let beginning, var fade, let keepsPlanFade):
        retireUnheard(state)
        guard let free = freePlayhead(state) else { return false }
        fade.shape = fadeShape(fade.shape, into: playable, state)
        let first = beginning.planFrame(at: now)
        fadeOutCurrent(fade, state)
        begin(playable, in: free, serial: message.serial, position: first, state)
        if fade.frames > 0, !(keepsPlanFade && first == 0) {
            free.pointee.add(Fade(shape: fade.shape, isOut: false, start: now.number, frames: fade.frames))
        }
        dropNext(state)
        position = first
    case .stop(let fade, let isPanic):
        // A panic also ends keys whose release never came.
        if isPanic { state.pointee.keyboard.pointee.silence(at: now) }
        for index in 0..<RenderState.playheadCount where index != state.pointee.current {
            fadeOut(state.pointee.playheads + index, fade, state)
        }
        fadeOutCurrent(fade, state)
        dropNext(state)
    case .setNext(let playable, let crossfade):
        dropNext(state)
        state.pointee.next = playable
        state.pointee.nextSerial = message.serial
        state.pointee.nextCrossfade = crossfade
    case .replace(let plan, let playhead, let last):
        isInTime = replace(plan, of: playhead, until: last, state)
    case .setMaster(let master, let last):
        isInTime = now <= last
        report(.retired(token: isInTime ? state.pointee.master.token : master.token), state)
        if isInTime { state.pointee.master = master }
    }
    report(isInTime ? .landed(serial: message.serial, at: now, position: position) : .refused(serial: message.serial), state)
    return true
}

/// Replaces the current playhead's plan, unless the message is for another playhead, or this one is beyond plan frame `last`.
@_noLocks @_noAllocation
private func replace(
    _ plan: PlanReference, of serial: UInt64, until last: PlanFrame, _ state: UnsafeMutablePointer<RenderState>
) -> Bool {
    if state.pointee.current >= 0 {
        let playhead = state.pointee.playheads + state.pointee.current
        if playhead.pointee.serial == serial, state.pointee.engineFrame.planFrame(origin: playhead.pointee.origin) <= last,
            var playing = playhead.pointee.playable
        {
            report(.retired(token: playing.planToken), state)
            playing.plan = plan.data
            playing.planToken = plan.token
            playhead.pointee.playable = playing
            return true
        }
    }
    report(.retired(token: plan.token), state)
    return false
}

/// Fades out the current playhead, or ends it at once if the fade has no frames.
@_noLocks @_noAllocation
private func fadeOutCurrent(_ fade: FadeLength, _ state: UnsafeMutablePointer<RenderState>) {
    guard state.pointee.current >= 0 else { return }
    fadeOut(state.pointee.playheads + state.pointee.current, fade, state)
    state.pointee.current = -1
}

/// Fades out any playhead, or ends it at once if the fade has no frames.
@_noLocks @_noAllocation
private func fadeOut(_ playhead: UnsafeMutablePointer<Playhead>, _ fade: FadeLength, _ state: UnsafeMutablePointer<RenderState>) {
    guard playhead.pointee.playable != nil else { return }
    if fade.frames > 0 {
        playhead.pointee.add(Fade(shape: fade.shape, isOut: true, start: state.pointee.engineFrame.number, frames: fade.frames))
    } else {
        retire(playhead, state)
    }
}
