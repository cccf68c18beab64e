/// Changes of the queue itself. The sound of what plays goes on, unless it is what was removed.
extension Player {
    /// Puts an item at the end; the first one of an empty queue becomes current.
    package mutating func add(_ item: QueueItem) {
        state.items.append(item)
        if state.currentIndex == nil { state.currentIndex = 0 }
        reshuffle()
        ask(for: .upcoming)
    }

    mutating func removeItem(_ index: Int, at moment: Moment) {
        let wasCurrent = index == state.currentIndex
        let wasPlaying = state.playback == .playing || state.playback == .interrupted
        if wasCurrent { endTouches(at: moment) }
        if wasCurrent, !isFollowing { stop(at: moment) }
        state.history.drop(item: state.items.remove(at: index).id)
        if let current = state.currentIndex, index < current || current == state.items.count {
            state.currentIndex = state.items.isEmpty ? nil : current - 1
        }
        reshuffle()
        ask(for: .upcoming)
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
        if let current = state.currentIndex {
            if current == from {
                state.currentIndex = to
            } else if from < current, to >= current {
                state.currentIndex = current - 1
            } else if from > current, to <= current {
                state.currentIndex = current + 1
            }
        }
        reshuffle()
        ask(for: .upcoming)
    }

    /// The listed indexes have changed: a new round begins with the current item.
    private mutating func reshuffle() {
        guard let order = state.shuffledOrder else { return }
        state.shuffledOrder = PlayingOrder(count: state.items.count, first: state.currentIndex, seed: order.seed)
    }
    /// Gives an item the picture that was drawn of its patch; that of an item which has left the queue is forgotten.
    package mutating func illustrate(item id: Int, with file: String) {
        state.drawnArtwork[id] = file
        let ids = Set(state.items.map(\.id))
        state.drawnArtwork = state.drawnArtwork.filter { ids.contains($0.key) }
    }
}
