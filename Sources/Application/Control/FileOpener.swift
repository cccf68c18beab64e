import Library
import PatchFiles
import Playback

/// Adds patches to the queue, by name or by path, and opens files.
@MainActor struct FileOpener {
    let keeper: SessionKeeper

    /// Appends a patch of the library to the queue.
    func add(named name: String, _ control: Control) -> CommandResult {
        do throws(LibraryError) {
            let entry = try keeper.library.find(.patches, plainName: name)
            control.player.add(QueueItem(reference: name, patch: try control.itemFiles.recent.patch(entry, in: keeper.library)))
            return CommandResult(.success, by: control.chain.queue.name)
        } catch {
            return Self.failure(error, control)
        }
    }

    /// Appends the patch in a file, once it was read. When this is answered, it is the queue's last item.
    func add(_ path: String, _ control: Control, answer: @escaping @MainActor (CommandResult) -> Void) {
        control.itemFiles.requests.readPatch(path, control) { [unowned control] result in
            add(result, control, answer)
        } ifBusy: {
            answer($0)
        }
    }

    private func add(
        _ read: Result<FileRequests.Content, LibraryError>, _ control: Control, _ answer: (CommandResult) -> Void
    ) {
        if case .success(.patch(let patch, let path)) = read { control.player.add(QueueItem(reference: path, patch: patch)) }
        control.settle()
        if case .failure(let error) = read { return answer(Self.failure(error, control)) }
        answer(CommandResult(.success, by: control.chain.queue.name))
    }

    /// Plays the patch in a file, or opens the session in it and plays that. A patch that is in the queue already is not added again.
    func open(_ path: String, from sender: String?, _ control: Control, answer: @escaping @MainActor (CommandResult) -> Void) {
        control.itemFiles.requests.readAny(path, control) { [unowned control] result in
            open(result, at: path, from: sender, control, answer)
        } ifBusy: {
            answer($0)
        }
    }

    private func open(
        _ read: Result<FileRequests.Content, LibraryError>, at path: String, from sender: String?, _ control: Control,
        _ answer: @escaping @MainActor (CommandResult) -> Void
    ) {
        switch read {
        case .success(.session(let file)): open(file, from: sender, control, answer)
        case .success(.queued(let reference)):
            let index = control.player.state.items.firstIndex { $0.reference == reference && $0.patch != nil }
            // It may have been removed from the queue meanwhile.
            guard let index else { return open(path, from: sender, control, answer: answer) }
            play(index, from: sender, control, answer)
        case .success(.patch(let patch, let path)):
            control.player.add(QueueItem(reference: path, patch: patch))
            play(control.player.state.items.count - 1, from: sender, control, answer)
        case .failure(let error): answer(Self.failure(error, control))
        }
    }

    private func play(_ index: Int, from sender: String?, _ control: Control, _ answer: @escaping @MainActor (CommandResult) -> Void) {
        control.perform(.selectItem(index), from: sender) { [unowned control] result in
            guard result.status == .success else { return answer(result) }
            control.perform(.play, from: sender, answer: answer)
        }
    }

    /// Opens a session and plays it; if it has nothing to play, it is open all the same.
    private func open(
        _ file: SessionFile, from sender: String?, _ control: Control, _ answer: @escaping @MainActor (CommandResult) -> Void
    ) {
        guard !control.sessions.isManaged else {
            return answer(
                CommandResult(.disabled, by: "application", "The session is controlled by the session manager: open another one there."))
        }
        keeper.load(file.entry.name, from: file, into: control) { [unowned control] result in
            guard result.status == .success else { return answer(result) }
            control.perform(.play, from: sender) { _ in answer(result) }
        }
    }

    private static func failure(_ error: LibraryError, _ control: Control) -> CommandResult {
        let isUnknown = if case .noFile = error { true } else { error.isAboutUnknownName }
        return CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: control.chain.queue.name, error.wordsForPeers)
    }
}
