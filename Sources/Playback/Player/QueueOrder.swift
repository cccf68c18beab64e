/// The items before and after the current one.
extension PlayerState {
    /// The item that follows automatically or by `next`; repeating one item only applies at its end.
    package func indexAfterCurrent() -> Int? { playableIndex(step: 1) }

    package func indexBeforeCurrent() -> Int? { playableIndex(step: -1) }

    /// The item that begins when the current one ends; `nil` if none does.
    package var followingIndex: Int? {
        (repeatMode == .one && patch != nil) || patch?.loops == true ? currentIndex : indexAfterCurrent()
    }

    /// Steps through the playing order, skipping unplayable items; wraps around only when all is repeated.
    private func playableIndex(step: Int) -> Int? {
        let order = shuffledOrder?.indexes ?? Array(items.indices)
        guard let currentIndex, var place = order.firstIndex(of: currentIndex) else { return nil }
        for _ in order {
            place += step
            if !order.indices.contains(place) {
                guard repeatMode == .all else { return nil }
                place = step > 0 ? 0 : order.count - 1
            }
            if items[order[place]].patch != nil { return order[place] }
        }
        return nil
    }

    /// The first item of the order that can be played.
    package var firstIndex: Int? {
        let order = shuffledOrder?.indexes ?? Array(items.indices)
        return order.first { items[$0].patch != nil } ?? order.first
    }
}
