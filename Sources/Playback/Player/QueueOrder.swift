/// What comes after and before the current item.
extension PlayerState {
    /// The item that follows by itself or by `next`; repeating one item is a matter of the item's end alone.
    package func indexAfterCurrent() -> Int? { playableIndex(step: 1) }

    package func indexBeforeCurrent() -> Int? { playableIndex(step: -1) }

    /// What begins when the current item ends.
    package var followingIndex: Int? {
        (repeatMode == .one && patch != nil) || patch?.loops == true ? currentIndex : indexAfterCurrent()
    }

    /// Goes through the order of playing, past what cannot be played; round its end only when all is repeated.
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
