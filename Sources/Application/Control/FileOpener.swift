import Foundation
import Library
import PatchFiles
import Playback

/// Adds patches to the queue, by name or by path, and opens files. Belongs to the control actor.
struct FileOpener {
    let keeper: SessionKeeper

    /// Appends a patch of the library to the queue.
    func add(named name: String, _ control: isolated Control) -> CommandResult {
        do throws(LibraryError) {
            let entry = try keeper.library.find(.patches, plainName: name)
            control.player.add(QueueItem(reference: name, patch: try keeper.library.loadPatch(entry)))
            return CommandResult(.success, by: control.chain.queue.name)
        } catch {
            return Self.failure(error, control)
        }
    }

    /// Appends the patch in a file.
    func add(_ path: String, _ control: isolated Control) -> CommandResult {
        do throws(LibraryError) {
            let (patch, entry) = try keeper.library.loadPatch(path)
            control.player.add(QueueItem(reference: entry.path, patch: patch))
            return CommandResult(.success, by: control.chain.queue.name)
        } catch {
            return Self.failure(error, control)
        }
    }

    /// Plays the patch in a file, or opens the session in it and plays that. A patch that is in the queue already is not added again.
    func open(_ path: String, from sender: String?, _ control: isolated Control, answer: @escaping (CommandResult) -> Void) {
        if let session = keeper.library.session(path) { return open(session, from: sender, control, answer) }
        let items = control.player.state.items
        var index = items.firstIndex { $0.reference == path && $0.patch != nil }
        if index == nil {
            let result = add(path, control)
            guard result.status == .success else { return answer(result) }
            index = control.player.state.items.count - 1
        }
        let answer = OnQueue(answer)
        control.perform(.selectItem(index ?? 0), from: sender) { [unowned control] result in
            guard result.status == .success else { return answer.value(result) }
            control.assumeIsolated { $0.perform(.play, from: sender, answer: answer.value) }
        }
    }

    private func open(
        _ session: Library.Entry, from sender: String?, _ control: isolated Control, _ answer: @escaping (CommandResult) -> Void
    ) {
        guard !control.sessions.isManaged else {
            return answer(
                CommandResult(.disabled, by: "application", "The session is controlled by the session manager: open another one there."))
        }
        let answer = OnQueue(answer)
        keeper.load(session.name, from: session, into: control) { [unowned control] result in
            guard result.status == .success else { return answer.value(result) }
            control.assumeIsolated { $0.perform(.play, from: sender, answer: answer.value) }
        }
    }

    private static func failure(_ error: LibraryError, _ control: isolated Control) -> CommandResult {
        let isUnknown = if case .noFile = error { true } else { error.isAboutUnknownName }
        return CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: control.chain.queue.name, error.wordsForPeers)
    }
}
