import Foundation
import JACKBackend
import Playback

/// The reasons for ticks.
extension Pace {
    /// The time in seconds before something is due from which on control ticks at the usual interval.
    private static let headStart = 3.0

    /// The longest time in seconds until the next tick, by what there is to do.
    static func wanted(_ control: isolated Control) -> Double {
        if control.performance.isSettling || !control.waiters.isEmpty { return Interval.settling }
        if control.player.state.transportMode != .none || control.midi.isAttentive { return Interval.attentive }
        if isFollowed(control) || isBusy(control) || isSomethingDue(control) { return Interval.usual }
        let isShown = control.frontEnds.terminal?.hasLiveLines == true
        if isMoving(control) { return isShown ? Interval.shown : Interval.unwatched }
        return min(isShown ? Interval.restingShown : Interval.resting, control.service.longestTick)
    }

    /// Whether somebody gets changes as they come, or may play at any moment.
    private static func isFollowed(_ control: isolated Control) -> Bool {
        let inputs = control.backend?.status.inputConnections ?? []
        return control.frontEnds.osc?.hasSubscribers == true
            || inputs.contains { $0.port.hasSuffix(":midi_in") && !$0.connectedTo.isEmpty }
    }

    /// Whether something is under way that ticks carry on, or JACK is not as usual.
    private static func isBusy(_ control: isolated Control) -> Bool {
        let state = control.player.state
        guard state.hasAudio, let backend = control.backend, backend.status.condition == .running, !backend.status.isFreewheeling else {
            return true
        }
        return backend.transport?.state == .rolling || state.heldSeek != nil || state.isFading || control.button.isBusy
            || control.keeper.loads.isUnderWay
    }

    /// Whether a start at a time is due soon, or the end of the item, or its crossfade.
    private static func isSomethingDue(_ control: isolated Control) -> Bool {
        if let alarm = control.agenda.alarm, alarm.date.timeIntervalSinceNow < headStart { return true }
        let state = control.player.state
        guard state.playback == .playing, let length = state.length else { return false }
        let rest = length - state.position(at: control.performance.now)
        return Double(rest) < (headStart + control.performance.crossfade) * state.rate * Double(state.sampleRate)
    }

    /// Whether anything changes with time.
    private static func isMoving(_ control: isolated Control) -> Bool {
        let state = control.player.state
        return state.playback == .playing || control.performance.status?.isSounding == true || state.sleep != nil || state.fade != nil
            || state.ramps.areUnderWay || control.keeper.isBehind
    }
}
