/// Acts on the current item as a whole: rating, likes, bookmarks, presets, chapters and cues.
final class ItemResponder: Responder {
    let name = "item"
    weak var nextResponder: (any Responder)?

    func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        guard let index = player.state.currentIndex else {
            switch command {
            case .savePreset, .loadPreset, .savePatch, .changeCourse, .resetCourse:
                return failure(.noSuchContent, "The queue is empty: load a session, or add a patch.")
            default: return nil
            }
        }
        switch command {
        case .rate(let rating):
            guard rating.isFinite else { return failure(.badArguments, "A rating needs a number from 0 to 5.") }
            player.state.queue.items[index].rating = min(max(rating, 0), 5)
        case .like(let isSet): set(&player.state.queue.items[index].liked, true, isSet)
        case .dislike(let isSet): set(&player.state.queue.items[index].liked, false, isSet)
        case .bookmark(let isMarked):
            guard !isMarked || player.state.items.reduce(0, { $0 + $1.bookmarks.count }) < QueueItem.bookmarkLimit else {
                return failure(.queueFull, "A session holds at most \(QueueItem.bookmarkLimit) bookmarks: remove one first.")
            }
            mark(isMarked, &player.state.queue.items[index], at: player.state.elapsed(at: moment))
        case .savePreset(let name):
            guard let preset = Preset(name: name, of: player.state, at: moment) else { return unplayable(player.state) }
            if let reason = player.state.presets.save(preset) { return failure(.queueFull, reason) }
        case .loadPreset(let name):
            guard let patch = player.state.patch else { return unplayable(player.state) }
            guard let preset = player.state.presets.first(where: { $0.name == name }) else { return .missingPreset(name, by: self.name) }
            do throws(EditLimit) {
                player.ask(for: .sound(try preset.apply(to: &player.state, from: player.sender, patch, at: moment)))
            } catch {
                return error.failure(of: self)
            }
        case .changeCourse(let change):
            do throws(CourseChange.Refusal) {
                try change.apply(to: &player, at: moment)
            } catch {
                return error.result(by: self, player.state)
            }
        case .resetCourse:
            guard !player.state.items[index].course.isEmpty else { break }
            player.state.edit(.other, at: moment) { $0.follow([:]) }
            player.ask(for: .sound(.crossfadeInPlace))
        case .savePatch(let name, let overwrites):
            guard let patch = player.state.patchAsHeard(at: moment) else { return unplayable(player.state) }
            let reference = player.state.queue.items[index].reference
            player.ask(for: .request(.savePatch(patch, from: reference, name: name, overwrites: overwrites)))
        default: return nil
        }
        return success()
    }

    private func unplayable(_ state: PlayerState) -> CommandResult {
        failure(.noSuchContent, CommandAvailability(state: state).reasonAgainstPlaying)
    }

    /// Removing a like does not affect a dislike, and vice versa.
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

extension CommandResult {
    static func missingPreset(_ name: String, by responder: String) -> CommandResult {
        CommandResult(.noSuchContent, by: responder, "There is no preset '\(name)': preset/list shows those of this session.")
    }
}
