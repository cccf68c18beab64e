import Patches

/// The queue: its items and their live edits, and the order in which they are played.
struct PlayQueue: Equatable, Sendable {
    var items: [QueueItem] = []
    /// Index of the current item, `nil` only while the queue is empty.
    var currentIndex: Int?
    var repeatMode = RepeatMode.off
    /// The shuffled order; `nil` plays in the listed order.
    var shuffledOrder: PlayingOrder?
    private(set) var history = EditHistory()
    /// The items that were removed last, the latest at the end.
    private var removed: [Removed] = []
    /// Paths of drawn pictures, by the ``QueueItem/id`` of items whose patch has no artwork.
    private(set) var drawnArtwork: [Int: String] = [:]

    /// An item that was removed, and its index then.
    private struct Removed: Equatable, Sendable {
        let item: QueueItem
        let index: Int
    }

    /// How many removed items can be put back.
    static let removedLimit = 8

    var current: QueueItem? { currentIndex.map { items[$0] } }

    // MARK: Order

    /// The item that follows automatically or by `next`; repeating one item only applies at its end.
    var indexAfterCurrent: Int? { playableIndex(step: 1) }

    var indexBeforeCurrent: Int? { playableIndex(step: -1) }

    /// The item that begins when the current one ends; `nil` if none does.
    var followingIndex: Int? {
        let patch = current?.patch
        return (repeatMode == .one && patch != nil) || patch?.loops == true ? currentIndex : indexAfterCurrent
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
    var firstIndex: Int? {
        let order = shuffledOrder?.indexes ?? Array(items.indices)
        return order.first { items[$0].patch != nil } ?? order.first
    }

    // MARK: Items

    /// Appends an item; the first one of an empty queue becomes current.
    ///
    /// - Parameter a4: The frequency of A4 in Hz that its notes follow.
    mutating func append(_ item: QueueItem, a4: Double) {
        var item = item
        item.tune(toA4: a4)
        if let twin = items.last(where: { $0.reference == item.reference }) { item.share(twin) }
        items.append(item)
        shuffledOrder?.insert(items.count - 1, current: currentIndex)
        if currentIndex == nil { currentIndex = 0 }
    }

    /// Removes an item. After the current one, the next one becomes current: that of the round in a shuffled one.
    mutating func remove(_ index: Int) {
        let successor = index == currentIndex && shuffledOrder != nil ? indexAfterCurrent ?? indexBeforeCurrent : nil
        let item = items.remove(at: index)
        history.drop(item: item.id)
        removed.append(Removed(item: item, index: index))
        removed.removeFirst(max(0, removed.count - Self.removedLimit))
        shuffledOrder?.remove(index)
        if let successor, successor != index {
            currentIndex = successor > index ? successor - 1 : successor
        } else if let current = currentIndex, index < current || current == items.count {
            currentIndex = items.isEmpty ? nil : current - 1
        }
    }

    /// Puts the item that was removed last back in its place, with its edits but without their steps of undo. The current item stays current.
    ///
    /// - Parameter a4: The frequency of A4 in Hz that its notes follow.
    /// - Returns: Whether there was one.
    mutating func restore(a4: Double) -> Bool {
        guard let last = removed.popLast() else { return false }
        var item = last.item
        item.tune(toA4: a4)
        let index = min(last.index, items.count)
        items.insert(item, at: index)
        currentIndex = currentIndex.map { $0 >= index ? $0 + 1 : $0 }
        shuffledOrder?.insert(index, current: currentIndex)
        if currentIndex == nil { currentIndex = index }
        return true
    }

    mutating func move(from: Int, to: Int) {
        let item = items.remove(at: from)
        items.insert(item, at: to)
        currentIndex = currentIndex?.afterMove(from: from, to: to)
        shuffledOrder?.move(from: from, to: to)
    }

    /// Adds an item last, or behind the current one in the list and in a shuffled order.
    ///
    /// - Parameter a4: The frequency of A4 in Hz that its notes follow.
    /// - Returns: Its index.
    mutating func add(_ item: QueueItem, at place: AddingPlace, a4: Double) -> Int {
        append(item, a4: a4)
        let last = items.count - 1
        guard place == .next, let currentIndex, currentIndex < last else { return last }
        move(from: last, to: currentIndex + 1)
        shuffledOrder?.go(from: currentIndex, to: currentIndex + 1)
        return currentIndex + 1
    }

    /// Assigns an item the picture drawn of its patch, and forgets those of items that have left the queue.
    mutating func illustrate(item id: Int, with file: String) {
        drawnArtwork[id] = file
        let ids = Set(items.map(\.id))
        drawnArtwork = drawnArtwork.filter { ids.contains($0.key) }
    }

    /// Makes the notes of all items follow another frequency of A4, in Hz. Items with the same patch share its memory, also afterwards.
    mutating func tune(toA4 a4: Double) {
        var tuned: [String: (before: QueueItem, after: QueueItem)] = [:]
        for index in items.indices {
            let before = items[index]
            if let known = tuned[before.reference], known.before.patch == before.patch, known.before.course.isEmpty, before.course.isEmpty {
                items[index].takeTuning(of: known.after)
            } else {
                items[index].tune(toA4: a4)
                tuned[before.reference] = (before, items[index])
            }
        }
    }

    // MARK: Edits

    /// Changes an item as one step that can be undone.
    ///
    /// - Parameter aspect: The only part that changes; `nil` if several may.
    mutating func edit(
        _ index: Int, _ subject: EditHistory.Subject, _ aspect: EditHistory.Aspect? = nil, at moment: Moment, sampleRate: Int,
        _ change: (inout QueueItem) -> Void
    ) {
        let before = items[index]
        change(&items[index])
        if items[index].revision != before.revision { drawnArtwork[before.id] = nil }
        let changes =
            aspect.map { [$0: $0.change(from: before, to: items[index])].compactMapValues(\.self) }
            ?? EditHistory.Aspect.changes(from: before, to: items[index])
        history.add(EditHistory.Step(item: before.id, changes: changes, subject: subject, moment: moment), sampleRate: sampleRate)
    }

    /// The number of live edits and changes of chapters and cues, of all items.
    var editCount: Int { items.reduce(0) { $0 + Self.editCount(of: $1) } }

    /// The number of those that the item removed last would bring back.
    var restorableEditCount: Int { removed.last.map { Self.editCount(of: $0.item) } ?? 0 }

    private static func editCount(of item: QueueItem) -> Int { item.edits.count + item.waitingChanges.edits.count + item.course.count }

    /// An edit that was undone or redone.
    struct RestoredEdit {
        /// The index of the item.
        let index: Int
        /// The parts of the item that have changed.
        let aspects: Set<EditHistory.Aspect>
    }

    /// Converts the steps of undo of an item whose layers have changed.
    mutating func convertHistory(ofItem id: Int, by match: LayerMatch) { history.convert(item: id, by: match) }

    /// Drops the drawn picture of an item.
    mutating func dropIllustration(ofItem id: Int) { drawnArtwork[id] = nil }

    /// Undoes the last step; `nil` if there is nothing to undo.
    mutating func undo() -> RestoredEdit? {
        history.undo().flatMap { take($0.changes.mapValues(\.before), of: $0.item) }
    }

    /// Redoes the last step that was undone; `nil` if there is nothing to redo.
    mutating func redo() -> RestoredEdit? {
        history.redo().flatMap { take($0.changes.mapValues(\.after), of: $0.item) }
    }

    private mutating func take(_ values: [EditHistory.Aspect: EditHistory.Value], of item: Int) -> RestoredEdit? {
        guard let index = items.firstIndex(where: { $0.id == item }) else { return nil }
        let revision = items[index].revision
        // Changes of a course are applied together, since each makes another patch.
        var course = items[index].course
        for (aspect, value) in values {
            if case (.course(let quantity), .course(let number)) = (aspect, value) { course[quantity] = number }
            aspect.put(value, into: &items[index])
        }
        items[index].course = course
        if items[index].revision != revision { drawnArtwork[item] = nil }
        return RestoredEdit(index: index, aspects: Set(values.keys))
    }
}
