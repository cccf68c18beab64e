/// Changes of the queue. The current item keeps playing, unless it is removed.
extension Player {
    /// Adds an item, and returns its index; the first one of an empty queue becomes current.
    @discardableResult package mutating func add(_ item: QueueItem, at place: AddingPlace = .last) -> Int {
        ask(for: .sound(.upcoming))
        return state.queue.add(item, at: place, a4: state.a4)
    }

    mutating func removeItem(_ index: Int, at moment: Moment) {
        let wasCurrent = index == state.currentIndex
        let wasPlaying = state.playback == .playing || state.playback == .interrupted
        if wasCurrent { endTouches(at: moment) }
        let sleep = state.sleep
        if wasCurrent, !isFollowing { stop(at: moment) }
        // The sleep timer is kept, since another item will play.
        if wasPlaying { state.mixer.sleep = sleep }
        if wasCurrent { state.mixer.sleep?.isFading = false }
        state.queue.remove(index)
        ask(for: .sound(.upcoming))
        guard wasCurrent else { return }
        state.forgetLayers()
        if isFollowing { return takeUpTransport(at: moment) }
        if wasPlaying, state.patch != nil { play(at: moment) }
    }

    mutating func moveItem(from: Int, to: Int) {
        state.queue.move(from: from, to: to)
        ask(for: .sound(.upcoming))
    }

    /// Assigns an item the picture drawn of its patch, and forgets those of items that have left the queue.
    package mutating func illustrate(item id: Int, with file: String) { state.queue.illustrate(item: id, with: file) }
}
