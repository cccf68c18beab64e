import Engine
import Playback

/// The item that starts by itself when the current one ends.
extension Performance {
    /// Tells the engine what begins, on the sample, when the current item ends. While it is taking over an earlier one, the newest waits.
    package func prepareNext(_ state: PlayerState) {
        guard let engine, isRunning, state.playback == .playing else { return }
        guard upcomingUnderWay == nil else {
            upcomingIsStale = true
            return
        }
        upcomingIsStale = false
        // A transport that is followed does not end where the item does.
        let following = state.transportMode == .follow ? nil : state.followingIndex
        let plan = plan(of: following, state)
        let serial = engine.setNext(plan, crossfade: crossfade(to: following, state))
        note(serial)
        upcomingUnderWay = serial
        if plan != nil, let following { upcomingItems[serial] = state.items[following].id }
    }

    /// The upcoming item has been reported on: earlier ones can no longer start.
    func settleUpcoming(_ serial: UInt64) {
        guard serial == upcomingUnderWay else { return }
        upcomingUnderWay = nil
        upcomingItems = upcomingItems.filter { $0.key >= serial }
    }

    /// Seconds; at most half of the shorter item, so that it is heard at all and nothing gives way to itself at once.
    private func crossfade(to index: Int?, _ state: PlayerState) -> Double {
        let durations = [state.currentIndex, index].compactMap { index in
            index.flatMap { state.items[$0].patch?.duration.map { $0 / state.rate(ofItem: index) } }
        }
        return min(crossfade, (durations.min() ?? .infinity) / 2)
    }
}
