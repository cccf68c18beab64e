/// Handles commands within the current item: its chapters and its timeline. Commands that leave the item are passed on to the queue.
final class PatchResponder: Responder {
    /// If a chapter has played for longer than this, in seconds, `previous` goes to its start instead of the chapter before.
    static let previousThreshold = 3.0

    let name = "patch"
    weak var nextResponder: (any Responder)?

    func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        let state = player.state
        guard let patch = state.patch else { return nil }
        switch command {
        case .next:
            guard state.hasNextChapter(at: moment) else { return nil }
            let next = (state.chapterIndex(at: moment) ?? -1) + 1
            player.seek(to: state.frames(patch.chapters[next].start), at: moment)
        case .previous:
            guard let target = previousTarget(state, moment) else { return nil }
            player.seek(to: target, at: moment)
        case .skip, .skipForward, .skipBackward:
            guard let seconds = command.skipDistance, seconds.isFinite else {
                return failure(.badArguments, "A skip needs a finite number of seconds.")
            }
            let target = state.position(at: moment) + state.frames(seconds)
            if let length = state.length, target >= length { return nil }
            player.seek(to: target, at: moment)
        case .changePosition(let seconds):
            guard seconds.isFinite else { return failure(.badArguments, "A position needs a finite number of seconds.") }
            player.seek(to: state.frames(seconds), at: moment)
        case .changeNormalizedPosition(let norm):
            guard norm.isFinite, let length = state.length else { return failure(.badArguments, "A position needs a number from 0 to 1.") }
            player.seek(to: Int64((Double(length) * min(max(norm, 0), 1)).rounded()), at: moment)
        case .seek(let direction, let begins):
            if begins { player.beginSeek(direction, at: moment) } else { player.releaseSeek() }
        default: return nil
        }
        return success()
    }

    /// The target of `previous` inside the item, in frames; `nil` if it leaves the item.
    private func previousTarget(_ state: PlayerState, _ moment: Moment) -> Int64? {
        if state.transportMode == .follow { return nil }
        let chapters = (state.patch?.chapters ?? []).map { state.frames($0.start) }
        // The part before the first chapter counts as a chapter.
        let starts = chapters.first == 0 ? chapters : [0] + chapters
        let position = state.position(at: moment)
        let index = starts.lastIndex { $0 <= position } ?? 0
        if position - starts[index] > state.frames(Self.previousThreshold) { return starts[index] }
        return index > 0 ? starts[index - 1] : nil
    }
}
