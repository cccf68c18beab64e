import Foundation
import Library
import POSIX
import PatchFiles
import Playback

/// Replaces the open session by another one.
extension SessionKeeper {
    /// Replaces this session by one of the library. This one is saved first; if that fails, it stays open.
    ///
    /// Opening a session takes the control thread some time, so of many requests in a row only the newest is carried out, a little later.
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
        defer { loads.recordLoad(from: now, to: MonotonicClock.seconds) }
        do {
            guard name != status.name else {
                update(from: control.player.state)
                return answer(file?.refusal(of: session, in: store) ?? CommandResult(.success, by: "application"))
            }
            awaitClosing()
            let isNew = !FileManager.default.fileExists(atPath: try library.savedFile(ofSession: name))
            let opened = try file.map { try library.openSession(named: name, beginningAs: $0.template) } ?? library.openSession(named: name)
            if let refusal = file?.refusal(of: opened.session, in: opened.store) {
                opened.store.close()
                return answer(refusal)
            }
            // A session that was never played continues in the play state of the previous one.
            let keepsPlaying = isNew ? control.player.state.playback == .playing : nil
            let result = exchange(for: opened, name: name, plays: keepsPlaying, control)
            if result.status == .success { remember(name, control) }
            answer(result)
        } catch {
            let isUnknown = if case .notFound? = error as? LibraryError { true } else { false }
            answer(CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: "application", wordsForPeers(error)))
        }
    }

    /// Opens the session in a file, to replace this one with ``leave(for:_:)`` and ``take(_:name:plays:_:)``; a new session is stopped.
    ///
    /// - Returns: `nil` if this session is the open one.
    /// - Throws: `SessionStoreError`, `LibraryError`, or `ApplicationError`.
    func prepare(_ file: String) throws -> SessionStore.Opened? {
        awaitClosing()
        guard SessionStore.place(of: file) != store.file else { return nil }
        var initial = try library.loadTemplate(library.find(.sessions, plainName: SessionChoice.firstSession))
        initial.state = .stopped
        let opened = try SessionStore.open(file: file, initial: initial)
        try opened.requireSaving()
        return opened
    }

    private func exchange(
        for opened: SessionStore.Opened, name: String, plays: Bool?, _ control: isolated Control
    ) -> CommandResult {
        do throws(UnsavedSession) { try leave(for: opened, control) } catch {
            return CommandResult(.commandFailed, by: "application", error.wordsForPeers)
        }
        take(opened, name: name, plays: plays, control)
        control.backend?.restore(session.links)
        return CommandResult(.success, by: "application")
    }

    /// Leaves this session for another one; if this one cannot be saved, the other one is closed again.
    func leave(for opened: SessionStore.Opened, _ control: isolated Control) throws(UnsavedSession) {
        do throws(SessionStoreError) { try leave(control) } catch {
            opened.store.close()
            let failure = UnsavedSession(name: status.name, reason: error)
            control.notify(failure)
            throw failure
        }
    }

    /// Saves the session as it is when all touches have ended, and releases its lock; if this throws, the session is unchanged.
    private func leave(_ control: isolated Control) throws(SessionStoreError) {
        sendWaitingSave(control)
        // A read-only session was reported as such when it was opened, and is not saved.
        guard store.readOnlyReason == nil else { return store.close() }
        var player = control.player
        player.endTouches(at: control.performance.moment)
        var leaving = session
        leaving.update(from: player.state, ids: itemIDs)
        leaving.connections = connections.saved
        let (store, session, place) = (store, leaving, SavedPosition(item: player.state.currentIndex ?? 0, elapsed: control.position))
        control.notify(.willSave)
        let result = disk.sync {
            Result { () throws(SessionStoreError) in
                try store.save(session, .explicit, at: MonotonicClock.seconds)
                try store.savePosition(place)
            }
        }
        try result.get()
        store.close()
        control.notify(.didSave)
    }

    /// Waits for closing, since the session to open may be the one being closed, which is locked until then.
    func awaitClosing() { disk.sync {} }

    /// Installs a session in place of the one that was left; if it has no connections of its own, it keeps the present ones.
    ///
    /// - Parameter plays: Whether it plays; `nil` means as it was left.
    func take(_ opened: SessionStore.Opened, name: String, plays: Bool? = nil, _ control: isolated Control) {
        control.notify(.willRestore)
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
        refreshList()
        var state = restoredState(upTo: control.player.state.hearing.highestMasterGain)
        if let plays { state.playback = plays ? .playing : .stopped }
        control.player.restore(state, position: restoredPosition, at: control.performance.moment)
        control.notify(.didRestore)
        for notice in opened.notices { control.notify(notice) }
        UnreadableItems.report(control)
        control.midi.reportLostControllers(control)
        control.settle()
    }
}
