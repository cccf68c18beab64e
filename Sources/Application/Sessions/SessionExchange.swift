import Foundation
import Library
import OperatingSystem
import PatchFiles
import Playback

/// Replaces the open session by another one without waiting for the disk on the main actor.
@MainActor final class SessionExchange {
    let keeper: SessionKeeper
    private let host: PlayerHost

    init(_ keeper: SessionKeeper, _ host: PlayerHost) { (self.keeper, self.host) = (keeper, host) }

    /// Opens the session that was asked for while another one was being opened.
    func tick() {
        if let due = keeper.loads.takeDue(at: host.time.seconds) { load(due.name, answer: due.answer) }
    }

    /// Replaces this session by one of the library. This one is saved first; if that fails, it stays open. Others are served while the disk is
    /// busy, and until then this session is the open one.
    ///
    /// One session is opened at a time; of many requests in a row only the newest is carried out, a little later.
    ///
    /// - Parameters:
    ///   - file: the session's file if it is not in the library; its changes are saved under `name`. A session of that name that plays something
    ///     else is not opened in its place.
    ///   - plays: Whether somebody wants to hear it: it is crossfaded to, and the level does not rise.
    func load(
        _ name: String, from file: SessionFile? = nil, plays: Bool = false, answer: @escaping @MainActor (CommandResult) -> Void
    ) {
        let now = host.time.seconds
        guard !keeper.loads.mustWait(at: now) else {
            guard file == nil, !plays else {
                return answer(CommandResult(.busy, by: "application", "Another session is being opened: try again in a moment."))
            }
            return keeper.loads.wait(for: name, answer)
        }
        guard name != keeper.status.name else {
            keeper.update(from: host.player.state)
            return answer(file?.refusal(of: keeper.session, in: keeper.store) ?? CommandResult(.success, by: "application"))
        }
        // It may have waited since it was asked for.
        guard SystemLimits.haveMemory() else {
            return answer(CommandResult(.commandFailed, by: "application", SystemLimits.tooLittleMemory))
        }
        keeper.loads.begin(at: now)
        Task {
            let result = await change(to: name, from: file, plays: plays)
            keeper.loads.end(at: host.time.seconds)
            answer(result)
            host.settle()
        }
    }

    /// Opens a session of the library in place of the present one.
    private func change(to name: String, from file: SessionFile?, plays: Bool) async -> CommandResult {
        let library = keeper.library
        do {
            let (prepared, isNew, refusal) = try await keeper.onDisk { () throws in
                let isNew = !SessionStore.isSaved(in: try library.savedFile(ofSession: name))
                let opened =
                    try file.map { try library.openSession(named: name, beginningAs: $0.template) } ?? library.openSession(named: name)
                let refusal = file?.refusal(of: opened.session, in: opened.store)
                if refusal != nil { opened.store.close() }
                return (PreparedSession(opened, library), isNew, refusal)
            }
            if let refusal { return refusal }
            try await leave(for: prepared.opened)
            // A session that was never played continues in the play state of the previous one.
            let startsNow = isNew ? host.player.state.playback == .playing : nil
            keeper.take(prepared, name: name, plays: plays ? true : startsNow, isAsked: plays)
            host.device?.restore(keeper.session.links)
            keeper.remember(name)
            try await keeper.onDisk {}
            return CommandResult(.success, by: "application")
        } catch {
            let isUnknown = if case .notFound? = error as? LibraryError { true } else { false }
            return CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: "application", wordsForPeers(error))
        }
    }

    /// Opens the session in a file, to replace this one with ``leave(for:_:)`` and ``SessionKeeper/take(_:name:plays:)``; a new session is stopped.
    ///
    /// - Returns: `nil` if this session is the open one.
    /// - Throws: `SessionStoreError`, `LibraryError`, or `ApplicationError`.
    func prepare(_ file: String) async throws -> PreparedSession? {
        let (library, current) = (keeper.library, keeper.store.file)
        return try await keeper.onDisk { () throws in
            guard SessionStore.place(of: file) != current else { return nil }
            var initial = try library.loadTemplate(library.find(.sessions, plainName: SessionChoice.firstSession))
            initial.state = .stopped
            let opened = try SessionStore.open(file: file, initial: initial)
            try opened.requireSaving()
            return PreparedSession(opened, library)
        }
    }

    /// Leaves this session for another one, which has to be installed at once; if this one cannot be saved, the other one is closed again.
    ///
    /// - Throws: ``UnsavedSession``, or `ApplicationError` if the program is ending.
    func leave(for opened: SessionStore.Opened) async throws {
        do {
            guard !host.hasQuit else { throw ApplicationError(.unavailable, "The program is ending.") }
            let saved = try await saveForLeaving()
            guard !host.hasQuit else { throw ApplicationError(.unavailable, "The program is ending.") }
            finish(saved)
        } catch {
            keeper.disk.async { opened.store.close() }
            guard let reason = error as? SessionStoreError else { throw error }
            let failure = UnsavedSession(name: keeper.status.name, reason: reason)
            host.notify(failure)
            throw failure
        }
    }

    /// Saves the session as it is when all touches have ended.
    ///
    /// - Returns: The session as it was saved; others may have changed it meanwhile.
    private func saveForLeaving() async throws -> Session {
        keeper.sendWaitingSave()
        let (store, library, session, time) = (keeper.store, keeper.library, leavingSession(), host.time)
        let place = SavedPosition(item: host.player.state.currentIndex ?? 0, elapsed: host.position)
        // A read-only session was reported as such when it was opened, and is not saved.
        let isSaved = store.readOnlyReason == nil
        if isSaved { host.notify(.willSave) }
        keeper.status.available = try await keeper.onDisk { () throws in
            if isSaved {
                try store.save(session, .explicit, at: time.seconds)
                try store.savePosition(place)
            }
            return SessionKeeper.names(in: library)
        }
        if isSaved { host.notify(.didSave) }
        return session
    }

    /// Lets the disk save what has changed since, and release the lock.
    private func finish(_ saved: Session) {
        keeper.sendWaitingSave()
        let (store, session, time) = (keeper.store, leavingSession(), host.time)
        keeper.disk.async { [weak host] in
            defer { store.close() }
            guard store.readOnlyReason == nil, session != saved else { return }
            do throws(SessionStoreError) { try store.save(session, .change, at: time.seconds) } catch {
                host?.enter { host?.notify(error) }
            }
        }
    }

    private func leavingSession() -> Session {
        var player = host.player
        player.endTouches(at: host.performance.moment)
        var leaving = keeper.session
        leaving.update(from: player.state, ids: keeper.itemIDs)
        leaving.connections = keeper.connections.saved
        return leaving
    }
}
