/// Holds what was last told, and tells observers only when there is news: item, its data, state, chapter, rate, or a jump of the
/// position. Never because time passed.
package final class NowPlayingCenter {
    /// What observers know.
    package private(set) var nowPlaying = NowPlaying()
    private var anchor: PlayerState.Anchor?
    /// That of the last comparison, told or not.
    private var seenAnchor: PlayerState.Anchor?
    private var observers: [Int: (NowPlaying) -> Void] = [:]
    private var nextToken = 0

    package init() {}

    /// Calls `observer` at every change from now on, until the token is given back to ``removeObserver(_:)``.
    package func addObserver(_ observer: @escaping (NowPlaying) -> Void) -> Int {
        defer { nextToken += 1 }
        observers[nextToken] = observer
        return nextToken
    }

    package func removeObserver(_ token: Int) { observers[token] = nil }

    /// Compares the player with what observers know, and tells them if it is not what they would work out by themselves: with the
    /// moment at which the timeline was put elsewhere, where that is the news.
    package func update(from state: PlayerState, at moment: Moment) {
        let news = state.anchor == seenAnchor ? moment : min(state.anchor.moment, moment)
        seenAnchor = state.anchor
        let current = NowPlaying(state, at: moment)
        if differs(current, state) { tell(state, at: news) }
    }

    /// Tells observers in any case: the clock by which they work out the position has gone wrong.
    package func tell(_ state: PlayerState, at moment: Moment) {
        anchor = state.anchor
        nowPlaying = NowPlaying(state, at: moment)
        for observer in observers.values { observer(nowPlaying) }
    }

    private func differs(_ current: NowPlaying, _ state: PlayerState) -> Bool {
        guard let anchor else { return true }
        var expected = nowPlaying
        expected.elapsed = current.elapsed
        expected.frame = current.frame
        expected.moment = current.moment
        return expected != current || jumped(from: anchor, to: state)
    }

    /// Whether the timeline is elsewhere than the one that observers extrapolate.
    private func jumped(from anchor: PlayerState.Anchor, to state: PlayerState) -> Bool {
        guard state.playback == .playing else { return state.anchor.position != nowPlaying.frame }
        let passed = state.anchor.moment.frame - anchor.moment.frame
        guard nowPlaying.rate != 1 else { return state.anchor.position != anchor.position + passed }
        // Between frames, at another rate: whoever rounds may be a frame off.
        let expected = Double(anchor.position) + Double(passed) * nowPlaying.rate
        return abs(Double(state.anchor.position) - expected) > 1
    }
}
