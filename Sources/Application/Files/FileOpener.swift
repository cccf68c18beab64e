import Foundation
import Library
import PatchFiles
import Playback

/// Adds patches to the queue, plays patches and opens sessions, by name or by path.
@MainActor final class FileOpener {
    private let exchange: SessionExchange
    private let sessions: SessionSwitch
    private let requests: FileRequests
    private let recent = RecentPatches()
    private let host: PlayerHost

    typealias Answer = @MainActor (CommandResult) -> Void

    init(_ exchange: SessionExchange, _ sessions: SessionSwitch, _ requests: FileRequests, _ host: PlayerHost) {
        (self.exchange, self.sessions, self.requests, self.host) = (exchange, sessions, requests, host)
    }

    private var library: Library { exchange.keeper.library }

    static let endingRefusal = CommandResult(.busy, by: "application", "The program is ending: try again in a moment.")

    // MARK: Adding

    /// Adds a patch of the library to the queue.
    func add(named name: String, at place: AddingPlace) -> CommandResult {
        do throws(LibraryError) {
            let entry = try library.find(.patches, plainName: name)
            return add(QueueItem(reference: name, patch: try recent.patch(entry, in: library)), at: place)
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

    /// Adds the patch in a file to the queue, once it was read.
    func add(_ path: String, at place: AddingPlace, answer: @escaping Answer) {
        requests.readPatch(path) { [self] read in
            switch read {
            case .success(.patch(let patch, let reference)):
                let result = add(QueueItem(reference: reference, patch: patch), at: place)
                host.settle()
                answer(result)
            case .success: break
            case .failure(let error): answer(failure(error))
            }
        } ifBusy: {
            answer($0)
        }
    }

    /// The queue may have grown, or the program been asked to end, while the file was read.
    private func add(_ item: QueueItem, at place: AddingPlace) -> CommandResult {
        if host.hasQuit { return Self.endingRefusal }
        if let full = QueueResponder.refusal(ofMoreThan: host.player.state.items.count) { return full }
        var result = CommandResult(.success, by: host.chain.queue.name)
        result.place = host.player.add(item, at: place)
        return result
    }

    // MARK: Playing

    /// Plays the patch, or opens the session, of the library with a plain name. A patch that is in the queue already is not added again.
    func open(named name: String, from sender: String?, answer: @escaping Answer) {
        requests.readNamed(name) { [self] read in
            open(read, from: sender, answer) { open(named: name, from: sender, answer: answer) }
        } ifBusy: {
            answer($0)
        }
    }

    /// Plays the patch in a file, or opens the session in it and plays that. A patch that is in the queue already is not added again.
    func open(_ path: String, from sender: String?, answer: @escaping Answer) {
        requests.readAny(path) { [self] read in
            open(read, from: sender, answer) { open(path, from: sender, answer: answer) }
        } ifBusy: {
            answer($0)
        }
    }

    /// - Parameter again: Reads it again, since it is no longer in the queue.
    private func open(
        _ read: Result<FileRequests.Content, LibraryError>, from sender: String?, _ answer: @escaping Answer, again: () -> Void
    ) {
        guard !host.hasQuit else { return answer(Self.endingRefusal) }
        switch read {
        case .success(.session(let file)): open(file.entry.name, from: file, sender, answer)
        case .success(.librarySession(let name)): open(name, from: nil, sender, answer)
        case .success(.queued(let reference)):
            let index = host.player.state.items.firstIndex { $0.reference == reference && $0.patch != nil }
            if let index { play(index, from: sender, answer) } else { again() }
        case .success(.patch(let patch, let reference)):
            let added = add(QueueItem(reference: reference, patch: patch), at: .next)
            if let index = added.place { play(index, from: sender, answer) } else { answer(added) }
        case .failure(let error): answer(failure(error))
        }
    }

    private func play(_ index: Int, from sender: String?, _ answer: @escaping Answer) {
        host.perform(.playItem(index), from: sender) { result in
            var result = result
            if result.status == .success { result.place = index }
            answer(result)
        }
    }

    /// Opens a session and plays it; if it has nothing to play, it is open all the same.
    private func open(_ name: String, from file: SessionFile?, _ sender: String?, _ answer: @escaping Answer) {
        guard !sessions.isManaged else { return answer(SessionSwitch.refusal) }
        exchange.load(name, from: file, plays: true) { [host] result in
            guard result.status == .success else { return answer(result) }
            host.perform(.play, from: sender) { _ in answer(result) }
        }
    }

    private func failure(_ error: LibraryError) -> CommandResult {
        let isUnknown = if case .noFile = error { true } else { error.isAboutUnknownName }
        return CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: host.chain.queue.name, error.wordsForPeers)
    }
}
