/// The parts of ``PlayerState/queue`` that others read and set.
extension PlayerState {
    package var items: [QueueItem] {
        get { queue.items }
        set { queue.items = newValue }
    }

    /// Index of the current item, `nil` only while the queue is empty.
    package var currentIndex: Int? {
        get { queue.currentIndex }
        set { queue.currentIndex = newValue }
    }

    package var repeatMode: RepeatMode {
        get { queue.repeatMode }
        set { queue.repeatMode = newValue }
    }

    /// The shuffled order; `nil` plays in the listed order.
    package var shuffledOrder: PlayingOrder? {
        get { queue.shuffledOrder }
        set { queue.shuffledOrder = newValue }
    }

    package var history: EditHistory { queue.history }

    /// The item that follows automatically or by `next`; repeating one item only applies at its end.
    package func indexAfterCurrent() -> Int? { queue.indexAfterCurrent }

    package func indexBeforeCurrent() -> Int? { queue.indexBeforeCurrent }

    /// The item that begins when the current one ends; `nil` if none does.
    package var followingIndex: Int? { queue.followingIndex }

    /// The first item of the order that can be played.
    package var firstIndex: Int? { queue.firstIndex }
}
