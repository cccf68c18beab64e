import Patches

/// A level that a control sets.
struct LevelChange {
    let fader: Fader
    /// The levels that were set before and now, in dB.
    let before: Double
    let level: Double
    /// The ramp that was asked for, if any.
    var ramp: Ramp?
    let moment: Moment

    /// Records how the level moves.
    ///
    /// - Returns: The ramp to move with: the one that was asked for, or that of a slow rise; `nil` if the level is there at once.
    func record(in state: inout PlayerState) -> Ramp? {
        // A move under way has not reached the level that was set.
        let heard = state.ramps.level(of: fader, at: moment, sampleRate: state.sampleRate) ?? before
        let law = fader.layer == nil ? .decibels : state.patch?.gainLaw ?? .decibels
        let isHeard = state.playback == .playing && state.hasAudio
        let move = isHeard ? LevelMove(from: heard, to: level, ramp, law, at: moment, within: limit(in: state)) : nil
        state.mixer.ramps.set(fader, ramp, at: moment, sampleRate: state.sampleRate)
        state.mixer.ramps.record(move, of: fader)
        guard fader == .masterGain, !isHeard else { return ramp ?? move?.ramp }
        state.hearing.prepare(for: level, after: state.mixer.heard?.level)
        // Until the soft start the master is silent.
        return state.hearing.isPending ? nil : ramp
    }

    /// The seconds in which the level would be reached if the move under way continued, and a slow rise followed it.
    private func limit(in state: PlayerState) -> Double {
        guard let rest = state.ramps.rest(of: fader, at: moment, sampleRate: state.sampleRate), let target = state.ramps.target(of: fader)
        else { return .infinity }
        return max(rest, Ramp.shortLevel.seconds) + max(0, level - target) / LevelMove.slope
    }
}
