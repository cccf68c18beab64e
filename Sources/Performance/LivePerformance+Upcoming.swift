import Engine
import Playback

/// The item that starts automatically when the current one ends.
extension LivePerformance {
    /// Tells the engine what follows, sample-accurately, when the current item ends. While an earlier request is pending, only the newest
    /// is kept.
    package func prepareNext(_ state: PlayerState) {
        guard let engine, isRunning, state.playback == .playing else { return }
        guard upcomingUnderWay == nil else {
            upcomingIsStale = true
            return
        }
        upcomingIsStale = false
        // A followed transport does not end where the item does.
        let following = state.transportMode == .follow ? nil : state.followingIndex
        let plan = plan(of: following, state)
        let serial = engine.setNext(plan, crossfade: crossfade(to: following, state))
        note(serial)
        upcomingUnderWay = serial
        if plan != nil, let following { upcomingItems[serial] = state.items[following].id }
    }

    /// Handles the report on an upcoming item: earlier ones can no longer start.
    func settleUpcoming(_ serial: UInt64) {
        guard serial == upcomingUnderWay else { return }
        upcomingUnderWay = nil
        upcomingItems = upcomingItems.filter { $0.key >= serial }
    }

    /// The crossfade in seconds: at most half of the shorter item, so that each item is heard and none is faded out as soon as it begins.
    private func crossfade(to index: Int?, _ state: PlayerState) -> Double {
        let durations = [state.currentIndex, index].compactMap { index in
            index.flatMap { state.items[$0].patch?.duration.map { $0 / state.rate(ofItem: index) } }
        }
        return min(crossfade, (durations.min() ?? .infinity) / 2)
    }
}
