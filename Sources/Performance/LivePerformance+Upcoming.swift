import Engine
import Playback

/// The item that starts automatically when the current one ends.
extension LivePerformance {
    /// Sends the engine the repetition of the current item, which has changed; while its faders move, only the last change.
    func prepareRepetition(_ state: PlayerState) {
        guard mayPostpone(state) else { return prepareNext(state) }
        upcoming.postpone(state, at: now)
    }

    /// Sends the item that follows, if it had to wait.
    func sendPostponed(_ state: PlayerState) {
        if upcoming.isDue || upcoming.isPostponed && (!mayPostpone(state) || upcoming.hasRested(at: now)) { prepareNext(state) }
    }

    private func mayPostpone(_ state: PlayerState) -> Bool {
        !isFreewheeling && UpcomingItems.mayPostpone(state, at: now, crossfade: crossfade)
    }

    /// Sends the engine the item that follows the current one on the exact frame. While an earlier request is pending, only the newest is
    /// kept.
    package func prepareNext(_ state: PlayerState) {
        upcoming.endPostponing()
        guard let engine, isRunning, state.playback == .playing, upcoming.maySend() else { return }
        let source = PlanSource(state: state)
        var next = UpcomingItems.Latest(following: source, crossfade: crossfade)
        // Commands such as `queue/add` rarely change what comes next, and a plan takes milliseconds to compile.
        guard !upcoming.has(next) else { return }
        if next.item != nil, !shortage.hasRoom() {
            upcoming.postpone(state, at: now)
            // The item that the engine was given before may be louder than it is by now.
            next = .nothing
            guard !upcoming.has(next) else { return }
        }
        let serial = engine.setNext(next.item.map { source.plan(of: $0.content) }, crossfade: next.crossfade)
        requests.record(serial)
        upcoming.sent(next, serial: serial)
    }
}

extension UpcomingItems.Latest {
    /// The item that follows the current one.
    ///
    /// - Parameter crossfade: In seconds; it takes at most half of the shorter item, so that each item is heard and none is faded out as soon
    ///   as it begins.
    fileprivate init(following source: PlanSource, crossfade: Double) {
        let state = source.state
        // A followed transport does not end where the item does.
        let following = state.transportMode == .follow ? nil : state.followingIndex
        item = source.content(of: following).flatMap { content in following.map { .init(id: state.items[$0].id, content: content) } }
        let durations = [state.currentIndex, following].compactMap { index in
            index.flatMap { state.items[$0].patch?.duration.map { $0 / state.rate(ofItem: index) } }
        }
        self.crossfade = min(crossfade, (durations.min() ?? .infinity) / 2)
    }
}
