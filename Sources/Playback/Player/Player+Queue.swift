/// Changes of the queue. What plays continues, unless it is removed.
extension Player {
    /// Appends an item; the first one of an empty queue becomes current.
    package mutating func add(_ item: QueueItem) {
        state.items.append(item)
        state.shuffledOrder?.insert(state.items.count - 1, current: state.currentIndex)
        if state.currentIndex == nil { state.currentIndex = 0 }
        ask(for: .sound(.upcoming))
    }

    mutating func removeItem(_ index: Int, at moment: Moment) {
        let wasCurrent = index == state.currentIndex
        let wasPlaying = state.playback == .playing || state.playback == .interrupted
        if wasCurrent { endTouches(at: moment) }
        let sleep = state.sleep
        if wasCurrent, !isFollowing { stop(at: moment) }
        // The sleep timer is kept, since another item will play.
        if wasPlaying { state.sleep = sleep }
        if wasCurrent { state.sleep?.isFading = false }
        // In a shuffled round the next item of the round follows.
        let successor = wasCurrent && state.shuffledOrder != nil ? state.indexAfterCurrent() ?? state.indexBeforeCurrent() : nil
        state.history.drop(item: state.items.remove(at: index).id)
        state.shuffledOrder?.remove(index)
        if let successor, successor != index {
            state.currentIndex = successor > index ? successor - 1 : successor
        } else if let current = state.currentIndex, index < current || current == state.items.count {
            state.currentIndex = state.items.isEmpty ? nil : current - 1
        }
        ask(for: .sound(.upcoming))
        guard wasCurrent else { return }
        state.soloedLayers = []
        state.ramps.drop()
        if state.selectedLayer >= state.layerCount { state.selectedLayer = 0 }
        if isFollowing { return takeUpTransport(at: moment) }
        if wasPlaying, state.patch != nil { play(at: moment) }
    }

    mutating func moveItem(from: Int, to: Int) {
        let item = state.items.remove(at: from)
        state.items.insert(item, at: to)
        state.currentIndex = state.currentIndex?.afterMove(from: from, to: to)
        state.shuffledOrder?.move(from: from, to: to)
        ask(for: .sound(.upcoming))
    }

    /// Assigns an item the picture drawn of its patch, and forgets those of items that have left the queue.
    package mutating func illustrate(item id: Int, with file: String) {
        state.drawnArtwork[id] = file
        let ids = Set(state.items.map(\.id))
        state.drawnArtwork = state.drawnArtwork.filter { ids.contains($0.key) }
    }
}
