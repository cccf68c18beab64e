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

/// The frame at which the current plan ends; `nil` if it is endless or no plan is current.
@_noLocks @_noAllocation
private func currentEnd(_ state: UnsafeMutablePointer<RenderState>) -> EngineFrame? {
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

/// A free playhead; `nil` when all are in use. When few are left, the tail that would end first is faded out in 5 ms, so that one is free
/// again before the next start needs it.
@_noLocks @_noAllocation
private func freePlayhead(_ state: UnsafeMutablePointer<RenderState>) -> UnsafeMutablePointer<Playhead>? {
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
private func begin(
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

/// Frees the current playhead if none of it has been heard, so that several starts between two blocks leave no tails.
@_noLocks @_noAllocation
private func retireUnheard(_ state: UnsafeMutablePointer<RenderState>) {
    guard state.pointee.current >= 0 else { return }
    let playhead = state.pointee.playheads + state.pointee.current
    guard playhead.pointee.firstFrame == state.pointee.engineFrame else { return }
    retire(playhead, state)
    state.pointee.current = -1
}

@_noLocks @_noAllocation
private func dropNext(_ state: UnsafeMutablePointer<RenderState>) {
    if let next = state.pointee.next { retire(next, state) }
    state.pointee.next = nil
}
