import Foundation
import Library
import POSIX
import PatchFiles
import Playback

/// Replaces the open session by another one without waiting for the disk on the main actor.
@MainActor struct SessionExchange {
    let keeper: SessionKeeper

    /// Opens a session of the library in place of the present one.
    func change(to name: String, from file: SessionFile?, _ control: Control) async -> CommandResult {
        let library = keeper.library
        do {
            let (prepared, isNew, refusal) = try await keeper.onDisk(control) { () throws in
                let isNew = !SessionStore.isSaved(in: try library.savedFile(ofSession: name))
                let opened =
                    try file.map { try library.openSession(named: name, beginningAs: $0.template) } ?? library.openSession(named: name)
                let refusal = file?.refusal(of: opened.session, in: opened.store)
                if refusal != nil { opened.store.close() }
                return (PreparedSession(opened, library), isNew, refusal)
            }
            if let refusal { return refusal }
            try await leave(for: prepared.opened, control)
            // A session that was never played continues in the play state of the previous one.
            keeper.take(prepared, name: name, plays: isNew ? control.player.state.playback == .playing : nil, control)
            control.backend?.restore(keeper.session.links)
            keeper.remember(name, control)
            try await keeper.onDisk(control) {}
            return CommandResult(.success, by: "application")
        } catch {
            let isUnknown = if case .notFound? = error as? LibraryError { true } else { false }
            return CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: "application", wordsForPeers(error))
        }
    }

    /// Opens the session in a file, to replace this one with ``leave(for:_:)`` and ``SessionKeeper/take(_:name:plays:_:)``; a new session is stopped.
    ///
    /// - Returns: `nil` if this session is the open one.
    /// - Throws: `SessionStoreError`, `LibraryError`, or `ApplicationError`.
    func prepare(_ file: String, _ control: Control) async throws -> PreparedSession? {
        let (library, current) = (keeper.library, keeper.store.file)
        return try await keeper.onDisk(control) { () throws in
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
    func leave(for opened: SessionStore.Opened, _ control: Control) async throws {
        do {
            guard !control.hasQuit else { throw ApplicationError(.unavailable, "The program is ending.") }
            let saved = try await saveForLeaving(control)
            guard !control.hasQuit else { throw ApplicationError(.unavailable, "The program is ending.") }
            finish(saved, control)
        } catch {
            keeper.disk.async { opened.store.close() }
            guard let reason = error as? SessionStoreError else { throw error }
            let failure = UnsavedSession(name: keeper.status.name, reason: reason)
            control.notify(failure)
            throw failure
        }
    }

    /// Saves the session as it is when all touches have ended.
    ///
    /// - Returns: The session as it was saved; others may have changed it meanwhile.
    private func saveForLeaving(_ control: Control) async throws -> Session {
        keeper.sendWaitingSave(control)
        let (store, library, session, time) = (keeper.store, keeper.library, leavingSession(control), control.time)
        let place = SavedPosition(item: control.player.state.currentIndex ?? 0, elapsed: control.position)
        // A read-only session was reported as such when it was opened, and is not saved.
        let isSaved = store.readOnlyReason == nil
        if isSaved { control.notify(.willSave) }
        keeper.status.available = try await keeper.onDisk(control) { () throws in
            if isSaved {
                try store.save(session, .explicit, at: time.seconds)
                try store.savePosition(place)
            }
            return SessionKeeper.names(in: library)
        }
        if isSaved { control.notify(.didSave) }
        return session
    }

    /// Lets the disk save what has changed since, and release the lock.
    private func finish(_ saved: Session, _ control: Control) {
        keeper.sendWaitingSave(control)
        let (store, session, time) = (keeper.store, leavingSession(control), control.time)
        keeper.disk.async { [weak control] in
            defer { store.close() }
            guard store.readOnlyReason == nil, session != saved else { return }
            do throws(SessionStoreError) { try store.save(session, .change, at: time.seconds) } catch {
                control?.enter { $0.notify(error) }
            }
        }
    }

    private func leavingSession(_ control: Control) -> Session {
        var player = control.player
        player.endTouches(at: control.performance.moment)
        var leaving = keeper.session
        leaving.update(from: player.state, ids: keeper.itemIDs)
        leaving.connections = keeper.connections.saved
        return leaving
    }
}
