import Foundation
import JACKBackend
import Playback

/// The reasons for ticks.
extension Instance {
    /// The time in seconds before something is due from which on control ticks at the usual interval.
    private static let headStart = 3.0

    /// The longest time in seconds until the next tick, by what there is to do.
    var wantedInterval: Double {
        if host.isSettling { return Pace.Interval.settling }
        if host.player.state.transportMode != .none || midi.isAttentive(at: host.time.seconds) { return Pace.Interval.attentive }
        if isPlayed || isBusy || isSomethingDue { return Pace.Interval.usual }
        if osc?.hasSubscribers == true, isChangeDue { return Pace.Interval.usual }
        let isShown = terminal?.hasLiveLines == true
        if isMoving { return isShown ? Pace.Interval.shown : Pace.Interval.unwatched }
        return min(isShown ? Pace.Interval.restingShown : Pace.Interval.resting, service.longestTick)
    }

    /// Whether somebody may play over MIDI at any moment.
    private var isPlayed: Bool {
        let inputs = host.device?.status.inputConnections ?? []
        return inputs.contains { $0.port.hasSuffix(":midi_in") && !$0.connectedTo.isEmpty }
    }

    /// Whether something is under way that ticks carry on, or JACK is not as usual.
    private var isBusy: Bool {
        let state = host.player.state
        guard state.hasAudio, let backend = host.device, backend.status.condition == .running, !backend.status.isFreewheeling else {
            return true
        }
        return backend.transport?.state == .rolling || state.heldSeek != nil || state.isFading || button.isBusy
            || keeper.loads.isUnderWay
    }

    /// Whether a start at a time is due soon, or the end of the item, or its crossfade.
    private var isSomethingDue: Bool {
        if let alarm = agenda.alarm, alarm.date.timeIntervalSince1970 - host.time.wallTime.secondsSince1970 < Self.headStart {
            return true
        }
        let state = host.player.state
        guard state.playback == .playing, let length = state.length else { return false }
        let rest = length - state.position(at: host.performance.now)
        return Double(rest) < (Self.headStart + host.performance.crossfade) * state.rate * Double(state.sampleRate)
    }

    /// Whether time is about to bring a change that is sent to subscribers at once: the end of a ramp or of the sleep timer, a chapter.
    private var isChangeDue: Bool {
        let state = host.player.state
        if state.ramps.areUnderWay || state.fade != nil { return true }
        let (now, rate) = (host.performance.now, Double(state.sampleRate))
        if let sleep = state.sleep, Double(sleep.end.frame - now.frame) < Self.headStart * rate { return true }
        guard state.playback == .playing, let patch = state.patch else { return false }
        let position = state.position(at: now)
        let chapter = patch.chapters.lazy.map { state.frames($0.start) }.first { $0 > position }
        return chapter.map { Double($0 - position) < Self.headStart * state.rate * rate } ?? false
    }

    /// Whether anything changes with time.
    private var isMoving: Bool {
        let state = host.player.state
        return state.playback == .playing || host.performance.status?.isSounding == true || state.sleep != nil || state.fade != nil
            || state.ramps.areUnderWay || keeper.isBehind
    }
}
