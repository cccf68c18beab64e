/// Holds what surfaces are told, which is something else only when there is news: item, its data, state, chapter, rate, or a jump of the
/// position. Never because time passed.
package final class NowPlayingCenter {
    /// What surfaces know.
    package private(set) var nowPlaying = NowPlaying()
    private var anchor: PlayerState.Anchor?
    /// That of the last comparison, told or not.
    private var seenAnchor: PlayerState.Anchor?

    package init() {}

    /// Compares the player with what surfaces know, and tells it anew if it is not what they would work out by themselves: with the
    /// moment at which the timeline was put elsewhere, where that is the news.
    ///
    /// - Returns: Whether there was news.
    @discardableResult
    package func update(from state: PlayerState, at moment: Moment) -> Bool {
        let news = state.anchor == seenAnchor ? moment : min(state.anchor.moment, moment)
        seenAnchor = state.anchor
        let current = NowPlaying(state, at: moment)
        let isNews = differs(current, state)
        if isNews { tell(state, at: news) }
        return isNews
    }

    /// Tells it in any case: the clock by which they work out the position has gone wrong.
    package func tell(_ state: PlayerState, at moment: Moment) {
        anchor = state.anchor
        nowPlaying = NowPlaying(state, at: moment)
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

    /// Whether the timeline is elsewhere than the one that is extrapolated.
    private func jumped(from anchor: PlayerState.Anchor, to state: PlayerState) -> Bool {
        guard state.playback == .playing else { return state.anchor.position != nowPlaying.frame }
        let passed = state.anchor.moment.frame - anchor.moment.frame
        guard nowPlaying.rate != 1 else { return state.anchor.position != anchor.position + passed }
        // Between frames, at another rate: whoever rounds may be a frame off.
        let expected = Double(anchor.position) + Double(passed) * nowPlaying.rate
        return abs(Double(state.anchor.position) - expected) > 1
    }
}
