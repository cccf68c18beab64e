import Foundation
import Library
import POSIX
import PatchFiles
import Playback

/// Replaces the open session by another one.
extension SessionKeeper {
    /// Replaces this session by one of the library. This one is saved first; if that fails, it stays open. Others are served while the disk is
    /// busy, and until then this session is the open one.
    ///
    /// One session is opened at a time; of many requests in a row only the newest is carried out, a little later.
    ///
    /// - Parameter file: the session's file if it is not in the library; its changes are saved under `name`. A session of that name that
    ///   plays something else is not opened in its place.
    func load(_ name: String, from file: SessionFile? = nil, into control: isolated Control, answer: @escaping (CommandResult) -> Void) {
        let now = MonotonicClock.seconds
        guard !loads.mustWait(at: now) else {
            guard file == nil else {
                return answer(CommandResult(.busy, by: "application", "Another session is being opened: try again in a moment."))
            }
            return loads.wait(for: name, answer)
        }
        guard name != status.name else {
            update(from: control.player.state)
            return answer(file?.refusal(of: session, in: store) ?? CommandResult(.success, by: "application"))
        }
        loads.begin(at: now)
        let answer = OnQueue(answer)
        Task {
            let result = await change(to: name, from: file, control)
            loads.end(at: MonotonicClock.seconds)
            answer.value(result)
            control.settle()
        }
    }

    private func change(to name: String, from file: SessionFile?, _ control: isolated Control) async -> CommandResult {
        let library = library
        do {
            let (prepared, isNew, refusal) = try await onDisk(control) { () throws in
                let isNew = !FileManager.default.fileExists(atPath: try library.savedFile(ofSession: name))
                let opened = try file.map { try library.openSession(named: name, beginningAs: $0.template) } ?? library.openSession(named: name)
                let refusal = file?.refusal(of: opened.session, in: opened.store)
                if refusal != nil { opened.store.close() }
                return (PreparedSession(opened, library), isNew, refusal)
            }
            if let refusal { return refusal }
            try await leave(for: prepared.opened, control)
            // A session that was never played continues in the play state of the previous one.
            take(prepared, name: name, plays: isNew ? control.player.state.playback == .playing : nil, control)
            control.backend?.restore(session.links)
            remember(name, control)
            try await onDisk(control) {}
            return CommandResult(.success, by: "application")
        } catch {
            let isUnknown = if case .notFound? = error as? LibraryError { true } else { false }
            return CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: "application", wordsForPeers(error))
        }
    }

    /// Opens the session in a file, to replace this one with ``leave(for:_:)`` and ``take(_:name:plays:_:)``; a new session is stopped.
    ///
    /// - Returns: `nil` if this session is the open one.
    /// - Throws: `SessionStoreError`, `LibraryError`, or `ApplicationError`.
    func prepare(_ file: String, _ control: isolated Control) async throws -> PreparedSession? {
        let (library, current) = (library, store.file)
        return try await onDisk(control) { () throws in
            guard SessionStore.place(of: file) != current else { return nil }
            var initial = try library.loadTemplate(library.find(.sessions, plainName: SessionChoice.firstSession))
            initial.state = .stopped
            let opened = try SessionStore.open(file: file, initial: initial)
            try opened.requireSaving()
            return PreparedSession(opened, library)
        }
    }

    /// Runs `work` after all disk access before it: the session to open may be one that is being closed, which is locked until then. Control
    /// serves others meanwhile.
    func onDisk<Value: Sendable>(_ control: isolated Control, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            disk.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// Leaves this session for another one, which has to be installed at once; if this one cannot be saved, the other one is closed again.
    ///
    /// - Throws: ``UnsavedSession``, or `ApplicationError` if the program is ending.
    func leave(for opened: SessionStore.Opened, _ control: isolated Control) async throws {
        do {
            guard !control.hasQuit else { throw ApplicationError(.unavailable, "The program is ending.") }
            let saved = try await saveForLeaving(control)
            guard !control.hasQuit else { throw ApplicationError(.unavailable, "The program is ending.") }
            finish(saved, control)
        } catch {
            disk.async { opened.store.close() }
            guard let reason = error as? SessionStoreError else { throw error }
            let failure = UnsavedSession(name: status.name, reason: reason)
            control.notify(failure)
            throw failure
        }
    }

    /// Saves the session as it is when all touches have ended.
    ///
    /// - Returns: The session as it was saved; others may have changed it meanwhile.
    private func saveForLeaving(_ control: isolated Control) async throws -> Session {
        sendWaitingSave(control)
        let (store, library, session) = (store, library, leavingSession(control))
        let place = SavedPosition(item: control.player.state.currentIndex ?? 0, elapsed: control.position)
        // A read-only session was reported as such when it was opened, and is not saved.
        let isSaved = store.readOnlyReason == nil
        if isSaved { control.notify(.willSave) }
        status.available = try await onDisk(control) { () throws in
            if isSaved {
                try store.save(session, .explicit, at: MonotonicClock.seconds)
                try store.savePosition(place)
            }
            return Self.names(in: library)
        }
        if isSaved { control.notify(.didSave) }
        return session
    }

    /// Lets the disk save what has changed since, and release the lock.
    private func finish(_ saved: Session, _ control: isolated Control) {
        sendWaitingSave(control)
        let (store, session) = (store, leavingSession(control))
        disk.async { [weak control] in
            defer { store.close() }
            guard store.readOnlyReason == nil, session != saved else { return }
            do throws(SessionStoreError) { try store.save(session, .change, at: MonotonicClock.seconds) } catch {
                control?.executor.queue.async { [weak control] in control?.assumeIsolated { $0.notify(error) } }
            }
        }
    }

    private func leavingSession(_ control: isolated Control) -> Session {
        var player = control.player
        player.endTouches(at: control.performance.moment)
        var leaving = session
        leaving.update(from: player.state, ids: itemIDs)
        leaving.connections = connections.saved
        return leaving
    }

    /// Installs a session in place of the one that was left; if it has no connections of its own, it keeps the present ones.
    ///
    /// - Parameter plays: Whether it plays; `nil` means as it was left.
    func take(_ prepared: PreparedSession, name: String, plays: Bool? = nil, _ control: isolated Control) {
        control.notify(.willRestore)
        let opened = prepared.opened
        store = opened.store
        session = opened.session
        saved = opened.session
        isNew = opened.isNew
        if let own = session.connections { connections.replace(with: own) }
        looked = nil
        status.isDirty = false
        // Pending writes of the previous session are complete or do not concern this one.
        (isSaving, notBefore) = (false, 0)
        savedPosition = opened.position
        status.name = name
        var state = restoredState(prepared.queue, upTo: control.player.state.hearing.highestMasterGain)
        if let plays { state.playback = plays ? .playing : .stopped }
        control.player.restore(state, position: restoredPosition, at: control.performance.moment)
        control.notify(.didRestore)
        for notice in opened.notices { control.notify(notice) }
        UnreadableItems.report(control)
        control.midi.reportLostControllers(control)
        control.settle()
    }
}
