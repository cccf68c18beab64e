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
        // A followed transport does not end where the item does.
        let following = state.transportMode == .follow ? nil : state.followingIndex
        let source = PlanSource(state: state)
        let content = source.content(of: following)
        let next = UpcomingItems.Latest(
            item: content.flatMap { content in following.map { .init(id: state.items[$0].id, content: content) } },
            crossfade: crossfade(to: following, state))
        // Commands such as `queue/add` rarely change what comes next, and a plan takes milliseconds to compile.
        guard !upcoming.has(next) else { return }
        let serial = engine.setNext(content.map { source.plan(of: $0) }, crossfade: next.crossfade)
        requests.record(serial)
        upcoming.sent(next, serial: serial)
    }

    /// The crossfade in seconds: at most half of the shorter item, so that each item is heard and none is faded out as soon as it begins.
    private func crossfade(to index: Int?, _ state: PlayerState) -> Double {
        let durations = [state.currentIndex, index].compactMap { index in
            index.flatMap { state.items[$0].patch?.duration.map { $0 / state.rate(ofItem: index) } }
        }
        return min(crossfade, (durations.min() ?? .infinity) / 2)
    }
}
