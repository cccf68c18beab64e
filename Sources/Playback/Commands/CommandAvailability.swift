/// The remote commands that are available now; the others are disabled and shown as such.
struct CommandAvailability {
    let state: PlayerState

    func allows(_ kind: RemoteCommandKind, at moment: Moment) -> Bool {
        switch kind {
        case .stop, .shuffleMode, .sleep, .panic: true
        // A followed transport does not end where an item does.
        case .repeatMode: state.transportMode != .follow
        // A followed transport has no rate, and an external sound has its own speed.
        case .rate: state.transportMode != .follow && !hasOwnSpeed
        case .undo: state.history.undoDepth > 0
        case .redo: state.history.redoDepth > 0
        case .rating, .like, .dislike: state.current != nil
        case .selectItem: state.items.contains { $0.patch != nil }
        case .pause: state.playback != .stopped
        case .next: state.hasNextChapter(at: moment) || state.indexAfterCurrent() != nil
        case .nextItem: state.indexAfterCurrent() != nil
        case .previous, .previousItem: state.patch != nil || state.indexBeforeCurrent() != nil
        case .play, .toggle, .skip, .skipForward, .skipBackward, .seekForward, .seekBackward, .position, .bookmark: state.patch != nil
        case .normalizedPosition: state.length != nil
        // Always allowed here; the command centre checks the command that they stand for.
        case .button, .shake: true
        }
    }

    private var hasOwnSpeed: Bool { state.patch?.layers.contains { $0.kind.isForeign } ?? false }

    /// Advice for when the current item has no patch.
    var reasonAgainstPlaying: String {
        guard let current = state.current else { return "The queue is empty: load a session, or add a patch." }
        return "Not playable, select another item: \(current.problem)"
    }

    func reasonAgainst(_ kind: RemoteCommandKind) -> String {
        switch kind {
        case .rate where state.transportMode != .follow:
            "A sound file or JACK's input plays at its own speed: the rate of this item is always 1."
        case .rate, .repeatMode: "JACK's transport is being followed: set transport/mode to none or lead first."
        case .play, .toggle: reasonAgainstPlaying
        case .pause: "Nothing is playing: send play first."
        case .next: "This is the last chapter of the last item: set repeat to all, or select an item."
        case .nextItem: "This is the last item: set repeat to all, or select an item."
        case .undo, .redo: "There is nothing to \(kind.rawValue)."
        case .normalizedPosition: "The item is endless: use position, in seconds."
        default: "There is no playable item: load a session."
        }
    }
}

extension PlayerState {
    func hasNextChapter(at moment: Moment) -> Bool {
        // Going to a chapter would require a locate, which is left to the followed transport.
        guard let patch, transportMode != .follow else { return false }
        return (chapterIndex(at: moment) ?? -1) + 1 < patch.chapters.count
    }
}
