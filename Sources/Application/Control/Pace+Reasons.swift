import Foundation
import JACKBackend
import Playback

/// The reasons for ticks.
@MainActor extension Pace {
    /// The time in seconds before something is due from which on control ticks at the usual interval.
    private static let headStart = 3.0

    /// The longest time in seconds until the next tick, by what there is to do.
    static func wanted(_ control: Control) -> Double {
        if control.performance.isSettling || !control.waiters.isEmpty { return Interval.settling }
        if control.player.state.transportMode != .none || control.midi.isAttentive(at: control.time.seconds) { return Interval.attentive }
        if isPlayed(control) || isBusy(control) || isSomethingDue(control) { return Interval.usual }
        if control.frontEnds.osc?.hasSubscribers == true, isChangeDue(control) { return Interval.usual }
        let isShown = control.frontEnds.terminal?.hasLiveLines == true
        if isMoving(control) { return isShown ? Interval.shown : Interval.unwatched }
        return min(isShown ? Interval.restingShown : Interval.resting, control.service.longestTick)
    }

    /// Whether somebody may play over MIDI at any moment.
    private static func isPlayed(_ control: Control) -> Bool {
        let inputs = control.backend?.status.inputConnections ?? []
        return inputs.contains { $0.port.hasSuffix(":midi_in") && !$0.connectedTo.isEmpty }
    }

    /// Whether something is under way that ticks carry on, or JACK is not as usual.
    private static func isBusy(_ control: Control) -> Bool {
        let state = control.player.state
        guard state.hasAudio, let backend = control.backend, backend.status.condition == .running, !backend.status.isFreewheeling else {
            return true
        }
        return backend.transport?.state == .rolling || state.heldSeek != nil || state.isFading || control.button.isBusy
            || control.keeper.loads.isUnderWay
    }

    /// Whether a start at a time is due soon, or the end of the item, or its crossfade.
    private static func isSomethingDue(_ control: Control) -> Bool {
        if let alarm = control.agenda.alarm, alarm.date.timeIntervalSince1970 - control.time.wallTime.secondsSince1970 < headStart {
            return true
        }
        let state = control.player.state
        guard state.playback == .playing, let length = state.length else { return false }
        let rest = length - state.position(at: control.performance.now)
        return Double(rest) < (headStart + control.performance.crossfade) * state.rate * Double(state.sampleRate)
    }

    /// Whether time is about to bring a change that is sent to subscribers at once: the end of a ramp or of the sleep timer, a chapter.
    private static func isChangeDue(_ control: Control) -> Bool {
        let state = control.player.state
        if state.ramps.areUnderWay || state.fade != nil { return true }
        let (now, rate) = (control.performance.now, Double(state.sampleRate))
        if let sleep = state.sleep, Double(sleep.end.frame - now.frame) < headStart * rate { return true }
        guard state.playback == .playing, let patch = state.patch else { return false }
        let position = state.position(at: now)
        let chapter = patch.chapters.lazy.map { state.frames($0.start) }.first { $0 > position }
        return chapter.map { Double($0 - position) < headStart * state.rate * rate } ?? false
    }

    /// Whether anything changes with time.
    private static func isMoving(_ control: Control) -> Bool {
        let state = control.player.state
        return state.playback == .playing || control.performance.status?.isSounding == true || state.sleep != nil || state.fade != nil
            || state.ramps.areUnderWay || control.keeper.isBehind
    }
}
