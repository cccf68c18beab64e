/// Handles commands for the queue: the current item, and what follows it.
package final class QueueResponder: Responder {
    /// Maximum number of items, so that the session's file can be read again.
    package static let itemLimit = 4096

    package let name = "queue"
    package weak var nextResponder: (any Responder)?

    package func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        let state = player.state
        switch command {
        case .next, .nextItem:
            guard let next = state.indexAfterCurrent() else { return nil }
            player.select(next, at: moment)
        case .previous, .previousItem:
            if let previous = state.indexBeforeCurrent() {
                player.select(previous, at: moment)
            } else {
                player.seek(to: 0, at: moment)
            }
        case .selectItem(let index):
            if let refusal = refusal(ofPlaying: index, state) { return refusal }
            if let current = state.currentIndex { player.state.shuffledOrder?.go(from: current, to: index) }
            player.select(index, at: moment)
        case .playItem(let index):
            if let refusal = refusal(ofPlaying: index, state) { return refusal }
            if let current = state.currentIndex { player.state.shuffledOrder?.go(from: current, to: index) }
            player.select(index, at: moment, crossfadingAtLeast: SoundChange.askedCrossfade)
            player.play(at: moment)
            var result = success()
            result.place = index
            return result
        case .skip, .skipForward, .skipBackward:
            // The patch passes on only skips past its end.
            if let next = state.indexAfterCurrent() { player.select(next, at: moment) } else { player.stop(at: moment) }
        case .changeRepeatMode(let mode):
            player.state.repeatMode = mode
            player.ask(for: .sound(.upcoming))
        case .changeShuffleMode(let mode, let seed):
            // A queue that is already shuffled keeps its order.
            guard (mode == .items) != (state.shuffledOrder != nil) else { break }
            let order = PlayingOrder(count: state.items.count, first: state.currentIndex, seed: seed)
            player.state.shuffledOrder = mode == .items ? order : nil
            player.ask(for: .sound(.upcoming))
        case .addItem(let name, let place):
            if let full = Self.refusal(ofMoreThan: state.items.count) { return full }
            player.ask(for: .request(.addItem(name, place)))
        case .addFile(let path, let place):
            if let full = Self.refusal(ofMoreThan: state.items.count) { return full }
            player.ask(for: .request(.addFile(path, place)))
        // These may be in the queue already, or be sessions.
        case .openItem(let name): player.ask(for: .request(.openItem(name)))
        case .openFile(let path): player.ask(for: .request(.openFile(path)))
        case .removeItem(let index):
            guard state.items.indices.contains(index) else { return missing(index, state) }
            player.removeItem(index, at: moment)
        case .restoreItem:
            if let full = Self.refusal(ofMoreThan: state.items.count) { return full }
            guard state.queue.editCount + state.queue.restorableEditCount <= QueueItem.editLimit else {
                return failure(.queueFull, "A session holds at most \(QueueItem.editLimit) edits: reset a layer or remove an item first.")
            }
            guard player.state.queue.restore(a4: state.a4) else {
                return failure(.noSuchContent, "There is no removed item to put back: the last \(PlayQueue.removedLimit) are kept.")
            }
            player.ask(for: .sound(.upcoming))
        case .moveItem(let from, let to):
            guard state.items.indices.contains(from) else { return missing(from, state) }
            guard state.items.indices.contains(to) else { return missing(to, state) }
            player.moveItem(from: from, to: to)
        case .relinkItem(let index, let name):
            guard state.items.indices.contains(index) else { return missing(index, state) }
            player.ask(for: .request(.relinkItem(index, name)))
        case .resetItem(let index):
            guard state.items.indices.contains(index) else { return missing(index, state) }
            player.state.edit(item: index, .other, at: moment) { item in
                item.apply(NamedChanges())
            }
            if index == state.currentIndex { player.state.mixer.ramps.drop() }
            player.ask(for: index == state.currentIndex ? .sound(.crossfadeInPlace) : .sound(.upcoming))
        default: return nil
        }
        return success()
    }

    /// The answer if no item can be added to a queue with so many; `nil` if one can.
    package static func refusal(ofMoreThan count: Int) -> CommandResult? {
        guard count >= itemLimit else { return nil }
        return CommandResult(.queueFull, by: "queue", "At most \(itemLimit) items can be queued remotely: remove one first.")
    }

    /// The answer if an item cannot be played; `nil` if it can.
    private func refusal(ofPlaying index: Int, _ state: PlayerState) -> CommandResult? {
        guard state.items.indices.contains(index) else { return missing(index, state) }
        guard state.items[index].patch == nil else { return nil }
        return failure(.noSuchContent, "Number \(index + 1) is not playable, select another item: \(state.items[index].problem)")
    }

    private func missing(_ index: Int, _ state: PlayerState) -> CommandResult {
        failure(.noSuchContent, "There is no item \(index + 1): the queue has \(state.items.count).")
    }
}
