/// Holds the published now-playing info. It is published when the item, metadata, state, chapter or rate changes or the position jumps, and
/// never just because time passes.
package final class NowPlayingCenter {
    /// The published info.
    package private(set) var nowPlaying = NowPlaying()
    private var anchor: PlayerState.Anchor?
    /// The anchor at the last comparison, published or not.
    private var seenAnchor: PlayerState.Anchor?

    package init() {}

    /// Compares the player with the published info, and publishes it again if it differs from what front ends would extrapolate. After a
    /// jump of the timeline, the info has the moment of the jump.
    ///
    /// - Parameter start: when the program starts to play by itself, in seconds since 1970.
    /// - Returns: Whether it was published again.
    @discardableResult
    package func update(from state: PlayerState, at moment: Moment, start: Double? = nil) -> Bool {
        let changedAt = state.anchor == seenAnchor ? moment : min(state.anchor.moment, moment)
        seenAnchor = state.anchor
        let current = NowPlaying(state, at: moment, start: start)
        let hasChanged = differs(current, state)
        if hasChanged { publish(state, at: changedAt, start: start) }
        return hasChanged
    }

    /// Publishes even if nothing has changed, because the clock used for extrapolation has.
    package func publish(_ state: PlayerState, at moment: Moment, start: Double? = nil) {
        anchor = state.anchor
        nowPlaying = NowPlaying(state, at: moment, start: start)
    }

    private func differs(_ current: NowPlaying, _ state: PlayerState) -> Bool {
        guard let anchor else { return true }
        var expected = nowPlaying
        expected.elapsed = current.elapsed
        expected.frame = current.frame
        expected.moment = current.moment
        expected.timeToSleep = current.timeToSleep
        return expected != current || jumped(from: anchor, to: state)
    }

    /// Whether the timeline differs from the extrapolated one.
    private func jumped(from anchor: PlayerState.Anchor, to state: PlayerState) -> Bool {
        guard state.playback == .playing else { return state.anchor.position != nowPlaying.frame }
        let passed = state.anchor.moment.frame - anchor.moment.frame
        guard nowPlaying.rate != 1 else { return state.anchor.position != anchor.position + passed }
        // At other rates positions fall between frames, so rounding may be a frame off.
        let expected = Double(anchor.position) + Double(passed) * nowPlaying.rate
        return abs(Double(state.anchor.position) - expected) > 1
    }
}
