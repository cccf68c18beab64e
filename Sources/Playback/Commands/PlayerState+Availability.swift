/// Which remote commands are available now; the others are disabled and shown so.
extension PlayerState {
    func allows(_ kind: RemoteCommandKind, at moment: Moment) -> Bool {
        switch kind {
        case .stop, .shuffleMode, .sleep, .panic: true
        // A followed transport does not end where an item does.
        case .repeatMode: transportMode != .follow
        // A followed transport has no rate, and an external sound has its own speed.
        case .rate: transportMode != .follow && !hasOwnSpeed
        case .undo: history.undoDepth > 0
        case .redo: history.redoDepth > 0
        case .rating, .like, .dislike: current != nil
        case .selectItem: items.contains { $0.patch != nil }
        case .pause: playback != .stopped
        case .next: hasNextChapter(at: moment) || indexAfterCurrent() != nil
        case .nextItem: indexAfterCurrent() != nil
        case .previous, .previousItem: patch != nil || indexBeforeCurrent() != nil
        case .play, .toggle, .skip, .skipForward, .skipBackward, .seekForward, .seekBackward, .position, .bookmark: patch != nil
        case .normalizedPosition: length != nil
        // Always allowed here; the command centre checks the command that they stand for.
        case .button, .shake: true
        }
    }

    func hasNextChapter(at moment: Moment) -> Bool {
        // Going to a chapter would require a locate, which is left to the followed transport.
        guard let patch, transportMode != .follow else { return false }
        return (chapterIndex(at: moment) ?? -1) + 1 < patch.chapters.count
    }

    private var hasOwnSpeed: Bool { patch?.layers.contains { $0.kind.isForeign } ?? false }

    func reasonAgainst(_ kind: RemoteCommandKind) -> String {
        switch kind {
        case .rate where transportMode != .follow: "A sound file or JACK's input plays at its own speed: the rate of this item is always 1."
        case .rate, .repeatMode: "JACK's transport is being followed: set transport/mode to none or lead first."
        case .play, .toggle: "Select another item, this one cannot be played: '\(current?.problem ?? "")'."
        case .pause: "Nothing is playing: send play first."
        case .next: "This is the last chapter of the last item: set repeat to all, or select an item."
        case .nextItem: "This is the last item: set repeat to all, or select an item."
        case .undo, .redo: "There is nothing to \(kind.rawValue)."
        case .normalizedPosition: "The item is endless: use position, in seconds."
        default: "There is no playable item: load a session."
        }
    }
}
