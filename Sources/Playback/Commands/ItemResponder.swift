/// Acts on the current item as a listener's possession: rating, likes, bookmarks.
final class ItemResponder: Responder {
    let name = "item"
    weak var nextResponder: (any Responder)?

    func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        guard let index = player.state.currentIndex else { return nil }
        switch command {
        case .rate(let rating):
            guard rating.isFinite else { return failure(.badArguments, "A rating needs a number from 0 to 5.") }
            player.state.items[index].rating = min(max(rating, 0), 5)
        case .like(let isSet): set(&player.state.items[index].liked, true, isSet)
        case .dislike(let isSet): set(&player.state.items[index].liked, false, isSet)
        case .bookmark(let isMarked): mark(isMarked, &player.state.items[index], at: player.state.elapsed(at: moment))
        default: return nil
        }
        return success()
    }

    /// Taking a like back leaves a dislike alone, and the other way round.
    private func set(_ liked: inout Bool?, _ value: Bool, _ isSet: Bool) {
        if isSet { liked = value } else if liked == value { liked = nil }
    }

    private func mark(_ isMarked: Bool, _ item: inout QueueItem, at position: Double) {
        let known = item.bookmark(at: position)
        if isMarked, known == nil {
            item.bookmarks = (item.bookmarks + [position]).sorted()
        } else if !isMarked, let known {
            item.bookmarks.remove(at: known)
        }
    }
}
