import Foundation
import Library
import PatchFiles
import Playback

/// Adds patches to the queue, by name or by path, and opens files.
@MainActor final class FileOpener {
    private let exchange: SessionExchange
    private let sessions: SessionSwitch
    private let requests: FileRequests
    private let recent = RecentPatches()
    private let host: PlayerHost

    init(_ exchange: SessionExchange, _ sessions: SessionSwitch, _ requests: FileRequests, _ host: PlayerHost) {
        (self.exchange, self.sessions, self.requests, self.host) = (exchange, sessions, requests, host)
    }

    private var library: Library { exchange.keeper.library }

    /// Appends a patch of the library to the queue.
    func add(named name: String) -> CommandResult {
        do throws(LibraryError) {
            let entry = try library.find(.patches, plainName: name)
            host.player.add(QueueItem(reference: name, patch: try recent.patch(entry, in: library)))
            return CommandResult(.success, by: host.chain.queue.name)
        } catch {
            return failure(error)
        }
    }

    /// Gives an item of the queue another patch, to which the listener's changes then apply: one of the library, or, for an item whose reference
    /// is a path, a file in the same folder.
    ///
    /// - Parameter index: That of an item in the queue.
    func relink(_ index: Int, to name: String) -> CommandResult {
        let (item, keeper) = (host.player.state.items[index], exchange.keeper)
        let isBeside = Library.isPath(name) && Library.isPath(item.reference)
        let folder = (item.reference as NSString).deletingLastPathComponent
        let reference = isBeside ? (folder as NSString).appendingPathComponent(name) : name
        do throws(LibraryError) {
            let entry =
                isBeside ? try library.find(.patches, reference, relativeTo: keeper.folder) : try library.find(.patches, plainName: name)
            let patch = try recent.patch(entry, in: library)
            var restored = keeper.restoredItem(item, with: patch) ?? item
            restored.reference = reference
            _ = host.player.replacePatch(ofItem: index, with: patch, restored: restored, at: host.performance.moment)
            // A patch that is read again from now on is restored from the session.
            keeper.update(from: host.player.state)
            host.settle()
            return CommandResult(.success, by: host.chain.queue.name)
        } catch {
            return failure(error)
        }
    }

    /// Appends the patch in a file, once it was read. When this is answered, it is the queue's last item.
    func add(_ path: String, answer: @escaping @MainActor (CommandResult) -> Void) {
        requests.readPatch(path) { [weak self] result in
            self?.add(result, answer)
        } ifBusy: {
            answer($0)
        }
    }

    private func add(
        _ read: Result<FileRequests.Content, LibraryError>, _ answer: (CommandResult) -> Void
    ) {
        if case .success(.patch(let patch, let path)) = read { host.player.add(QueueItem(reference: path, patch: patch)) }
        host.settle()
        if case .failure(let error) = read { return answer(failure(error)) }
        answer(CommandResult(.success, by: host.chain.queue.name))
    }

    /// Plays the patch in a file, or opens the session in it and plays that. A patch that is in the queue already is not added again.
    func open(_ path: String, from sender: String?, answer: @escaping @MainActor (CommandResult) -> Void) {
        requests.readAny(path) { [weak self] result in
            self?.open(result, at: path, from: sender, answer)
        } ifBusy: {
            answer($0)
        }
    }

    private func open(
        _ read: Result<FileRequests.Content, LibraryError>, at path: String, from sender: String?,
        _ answer: @escaping @MainActor (CommandResult) -> Void
    ) {
        switch read {
        case .success(.session(let file)): open(file, from: sender, answer)
        case .success(.queued(let reference)):
            let index = host.player.state.items.firstIndex { $0.reference == reference && $0.patch != nil }
            // It may have been removed from the queue meanwhile.
            guard let index else { return open(path, from: sender, answer: answer) }
            play(index, from: sender, answer)
        case .success(.patch(let patch, let path)):
            host.player.add(QueueItem(reference: path, patch: patch))
            play(host.player.state.items.count - 1, from: sender, answer)
        case .failure(let error): answer(failure(error))
        }
    }

    private func play(_ index: Int, from sender: String?, _ answer: @escaping @MainActor (CommandResult) -> Void) {
        host.perform(.selectItem(index), from: sender) { [host] result in
            guard result.status == .success else { return answer(result) }
            host.perform(.play, from: sender, answer: answer)
        }
    }

    /// Opens a session and plays it; if it has nothing to play, it is open all the same.
    private func open(
        _ file: SessionFile, from sender: String?, _ answer: @escaping @MainActor (CommandResult) -> Void
    ) {
        guard !sessions.isManaged else { return answer(SessionSwitch.refusal) }
        exchange.load(file.entry.name, from: file) { [host] result in
            guard result.status == .success else { return answer(result) }
            host.perform(.play, from: sender) { _ in answer(result) }
        }
    }

    private func failure(_ error: LibraryError) -> CommandResult {
        let isUnknown = if case .noFile = error { true } else { error.isAboutUnknownName }
        return CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: host.chain.queue.name, error.wordsForPeers)
    }
}
