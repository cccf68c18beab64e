import Patches

/// Keeps changes from making the layers of the current item louder at once while they are heard: the master makes up for it.
struct LayerBalance {
    let moment: Moment

    /// Makes a change of the player.
    func keep<Result>(in player: inout Player, _ change: (inout Player) -> Result) -> Result {
        guard player.state.playback == .playing, player.state.hasAudio else { return change(&player) }
        var before = player.state
        // Only the current item, since the queue and the steps of undo would be copied if the change edits them.
        before.queue = PlayQueue()
        (before.queue.items, before.queue.currentIndex) = (player.state.current.map { ([$0], 0) }) ?? ([], nil)
        let count = player.effects.count
        let result = change(&player)
        guard player.state.playback == .playing, player.effects[count...].contains(where: \.restartsLayers) else { return result }
        player.state.mixer.ramps.endMovesOfLayers()
        let surplus = LayerLevels(of: before, at: moment)?.surplus(in: player.state, at: moment) ?? 0
        if let change = player.state.mixer.makeUp(for: surplus, at: moment, sampleRate: player.state.sampleRate) {
            // The sound changes when the master is low.
            player.effects.insert(.sound(change), at: count)
        }
        return result
    }
}

extension Effect {
    /// Whether the layers start at the levels that are set, wherever slow moves had got to.
    fileprivate var restartsLayers: Bool {
        switch self {
        case .sound(.start), .sound(.crossfade), .sound(.crossfadeInPlace): true
        default: false
        }
    }
}

extension Mixer {
    /// Lets the master make up for layers that become louder at once: it falls by as much, and rises to its level again. It is never higher than
    /// it would be otherwise.
    ///
    /// - Parameter surplus: In dB.
    /// - Returns: `nil` if the master stays as it is: a control may make such a step, or the master is inaudible or fades out.
    fileprivate mutating func makeUp(for surplus: Double, at moment: Moment, sampleRate: Int) -> SoundChange? {
        let level = masterLevel(at: moment, sampleRate: sampleRate)
        guard surplus > LevelMove.step, level > LevelMove.inaudible, !isMasterMuted, fade == nil, !isFading, !isFaded else { return nil }
        let low = max(Parameter.off, min(level - surplus, masterGain))
        // A rise under way is not overtaken.
        let rise = level < masterGain ? ramps.move(of: .masterGain) : nil
        let rest = rise == nil ? 0 : ramps.rest(of: .masterGain, at: moment, sampleRate: sampleRate) ?? 0
        let ramp = Ramp(seconds: max(rest, (masterGain - low) / LevelMove.slope), easing: rise == nil ? .linear : rise?.ramp.easing)
        let move = low < masterGain ? LevelMove(from: low, to: masterGain, ramp, at: moment) : nil
        ramps.record(move, of: .masterGain)
        return .loweredMaster(low, move?.ramp ?? .shortLevel)
    }
}
