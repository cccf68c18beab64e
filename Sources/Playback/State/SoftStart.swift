import Patches

extension PlayerState {
    /// Stands still at a position.
    mutating func rest(_ playback: PlaybackState, position: Int64, at moment: Moment) {
        SoftStart(moment: moment).recordHeard(in: &self)
        self.playback = playback
        anchor = .init(position: position, moment: moment)
    }

    /// Applies the preferences for safe levels.
    mutating func protect(_ hearing: HearingProtection) {
        self.hearing = hearing
        masterGain = min(masterGain, hearing.highestMasterGain)
    }
}

/// The rise of the master from silence with the first sound, or with one that is much louder than what was heard before: by the master, or by
/// a layer of the item that was heard last. So does any sound after a quarter of an hour of silence.
struct SoftStart {
    let moment: Moment
    /// Whether nothing is heard until then.
    var afterSilence = true

    /// Whether a sound that begins now is to rise. While the master is muted, that waits for the unmute.
    static func isDue(in state: PlayerState) -> Bool { state.hearing.isPending && state.hasAudio && !state.isMasterMuted }

    /// Notes the levels of the master and the layers if they are heard, before they are no longer.
    func recordHeard(in state: inout PlayerState) {
        guard state.playback == .playing, state.hasAudio, !state.isMasterMuted else { return }
        state.mixer.recordHeard(at: moment, sampleRate: state.sampleRate)
        state.mixer.heardLayers = LayerLevels(of: state, at: moment)
    }

    /// Prepares the rise while nothing is heard, if what comes next would be much louder than what was heard before.
    ///
    /// - Returns: Whether the master has to be silent until then.
    @discardableResult func prepare(in state: inout PlayerState) -> Bool {
        // A move of the master continues in silence, and may be over when something plays again.
        let level = state.playback == .playing ? state.mixer.masterLevel(at: moment, sampleRate: state.sampleRate) : state.masterGain
        state.hearing.prepare(for: level, after: state.mixer.heard?.level)
        return state.hearing.isPending
    }

    /// Prepares the rise of the next sound as soon as the last one is so long ago that its level no longer counts, so that a start with a time
    /// tag does not have to wait until the master is silent.
    ///
    /// - Returns: Whether the master has to be silent until then.
    func prepareAfterSilence(in state: inout PlayerState) -> Bool {
        guard Self.isSilent(state), state.hasAudio, isForgotten(in: state) else { return false }
        state.hearing.prepare(for: state.masterGain, after: Parameter.off)
        return state.hearing.isPending
    }

    /// As ``prepare(in:)``, unless something plays or the rise is prepared already.
    func prepareInSilence(in state: inout PlayerState) -> Bool { Self.isSilent(state) ? prepare(in: &state) : false }

    private static func isSilent(_ state: PlayerState) -> Bool {
        state.playback != .playing && !state.isFading && !state.hearing.isPending
    }

    /// The start of an item with the rise, if that is due, in the order in which they are to be made.
    func sound(_ start: SoundChange, in state: inout PlayerState) -> [SoundChange] {
        state.mixer.ramps.endMovesOfLayers()
        switch begin(in: &state) {
        case let master?: if case .loweredMaster = master { return [master, start] } else { return [start, master] }
        case nil: return [start]
        }
    }

    /// Begins the rise if it is due.
    ///
    /// - Returns: The change of the sound; `nil` if the master stays as it is.
    func begin(in state: inout PlayerState) -> SoundChange? {
        guard state.playback == .playing, state.hasAudio, !state.isMasterMuted else { return nil }
        let isUnexpected =
            afterSilence && isAudible(in: state) && (!state.hearing.isPending && isForgotten(in: state) || raisesLayers(in: state))
        guard state.hearing.isPending || isUnexpected else { return nil }
        let rest = state.ramps.rest(of: .masterGain, at: moment, sampleRate: state.sampleRate) ?? 0
        let move = state.hearing.begin(to: state.masterGain, over: rest, at: moment)
        state.mixer.ramps.record(move, of: .masterGain)
        // Nobody has silenced the master in advance for this.
        return isUnexpected ? .loweredMaster(Parameter.off, move.ramp) : .master(move.ramp)
    }

    /// Whether the master is heard as it is: one that is inaudible rises by itself, and one that fades out continues.
    private func isAudible(in state: PlayerState) -> Bool {
        state.hearing.hasSoftStart && state.fade == nil && !state.mixer.isFaded
            && state.mixer.masterLevel(at: moment, sampleRate: state.sampleRate) > LevelMove.inaudible
    }

    /// Whether the last sound was so long ago that its level no longer counts.
    private func isForgotten(in state: PlayerState) -> Bool {
        state.mixer.heard?.isForgotten(at: moment, sampleRate: state.sampleRate) ?? false
    }

    /// Whether a layer is much louder than when it was heard last.
    private func raisesLayers(in state: PlayerState) -> Bool {
        state.mixer.heardLayers.map { $0.surplus(in: state, at: moment) > LevelMove.step } ?? false
    }
}
