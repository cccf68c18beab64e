import Library
import PatchFiles
import Patches
import Playback
import JACKBackend

/// Converts between the saved session and the player's state.
extension Session {
    /// Updates the session from the player; contents that the player does not know are kept.
    ///
    /// - Parameter ids: the player's ids of ``items``, in their order.
    mutating func update(from state: PlayerState, ids: [Int]) {
        let known = Dictionary(uniqueKeysWithValues: zip(ids, items))
        items = state.items.map { item in
            // An item keeps the unknown contents of its entry in the file, wherever in the queue it is now.
            var saved = known[item.id] ?? Item(patch: item.reference)
            saved.update(from: item)
            return saved
        }
        current = state.currentIndex
        self.state = PlayState(state.playback)
        repeatMode = state.repeatMode
        shuffle = state.shuffledOrder != nil
        shuffleFirst = state.shuffledOrder?.indexes.first
        shuffleOrder = state.shuffledOrder.map { $0.isChanged ? $0.indexes : [] } ?? []
        shuffleSeed = state.shuffledOrder?.seed ?? shuffleSeed
        rate = state.chosenRate
        transport = state.transportMode
        touch = state.touchMode
        masterGain = state.masterGain
        isMuted = state.isMasterMuted
        a4 = state.a4
        controllers = state.controllers
        presets = state.presets
    }

    /// The player's state as saved.
    ///
    /// - Parameter queue: the items with their patches.
    func playerState(_ queue: [QueueItem]) -> PlayerState {
        var state = PlayerState()
        state.items = queue
        if let current, queue.indices.contains(current) {
            state.currentIndex = current
        } else {
            state.currentIndex = queue.firstIndex { $0.patch != nil } ?? queue.indices.first
        }
        state.repeatMode = repeatMode
        state.chosenRate = rate
        state.transportMode = transport
        state.touchMode = touch
        state.shuffledOrder = PlayingOrder(self, current: state.currentIndex)
        state.masterGain = masterGain
        state.isMasterMuted = isMuted
        state.a4 = a4
        state.presets = distinctPresets
        state.controllers = controllers
        state.playback = PlaybackState(self.state)
        return state
    }

    /// The connections in the backend's form; `nil` if there were never any.
    var links: [PortLink]? { connections?.map { PortLink(port: $0.port, other: $0.other) } }

    /// The presets, the first of each name.
    var distinctPresets: [Preset] {
        var names: Set<String> = []
        return presets.filter { names.insert($0.name).inserted }
    }
}

extension PlayingOrder {
    /// The saved playing order; a new round from the current item if the queue has changed.
    init?(_ session: Session, current: Int?) {
        guard session.shuffle else { return nil }
        let count = session.items.count
        self =
            PlayingOrder(session.shuffleOrder, count: count, seed: session.shuffleSeed)
            ?? PlayingOrder(count: count, first: session.shuffleFirst ?? current, seed: session.shuffleSeed)
    }
}

extension PlayerState {
    /// Whether the session's contents are the same in both states. The comparison is fast, since unchanged parts are shared.
    func keepsSame(as other: PlayerState) -> Bool {
        items == other.items && currentIndex == other.currentIndex && presets == other.presets
            && Session.PlayState(playback) == Session.PlayState(other.playback) && repeatMode == other.repeatMode
            && shuffledOrder == other.shuffledOrder && chosenRate == other.chosenRate && transportMode == other.transportMode
            && touchMode == other.touchMode
            && controllers == other.controllers && masterGain == other.masterGain && isMasterMuted == other.isMasterMuted && a4 == other.a4
    }
}

extension Session.Item {
    fileprivate mutating func update(from item: QueueItem) {
        patch = item.reference
        rating = item.rating == 0 && rating == nil ? nil : item.rating
        liked = item.liked
        bookmarks = item.bookmarks
        if item.patch != nil { changes = item.namedChanges }
    }
}
