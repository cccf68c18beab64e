import Foundation
import Library
import Patches
import Playback

/// Another session in place of the one that is open.
extension SessionKeeper {
    /// Opens a session of the library in place of this one, which is saved first; if it cannot be saved, it stays.
    ///
    /// Opening a session takes the control thread some time. So of many requests in a row only the newest is carried out, a little later.
    func load(_ name: String, into control: isolated Control, answer: @escaping (CommandResult) -> Void) {
        let now = ProcessInfo.processInfo.systemUptime
        guard !loads.mustWait(at: now) else { return loads.wait(for: name, answer) }
        defer { loads.noteLoad(from: now, to: ProcessInfo.processInfo.systemUptime) }
        do {
            guard name != status.name else { return answer(CommandResult(.success, by: "application")) }
            awaitClosing()
            let isNew = !FileManager.default.fileExists(atPath: try library.savedFile(ofSession: name))
            let opened = try library.openSession(named: name)
            // One that was never played goes on as the one before it did.
            let goesOn = isNew ? control.player.state.playback == .playing : nil
            let result = exchange(for: opened, name: name, plays: goesOn, control)
            if result.status == .success { remember(name, control) }
            answer(result)
        } catch {
            let isUnknown = if case .notFound? = error as? LibraryError { true } else { false }
            answer(CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: "application", wordsForPeers(error)))
        }
    }

    /// Opens the session in a file, stopped where it is not there yet, which is to take the place of this one: ``leave(for:_:)``, ``take(_:name:plays:_:)``.
    ///
    /// - Returns: `nil` where this is the one that is open.
    /// - Throws: `SessionStoreError`, `LibraryError`, or `ProgramError`.
    func prepare(_ file: String) throws -> SessionStore.Opened? {
        awaitClosing()
        guard SessionStore.place(of: file) != store.file else { return nil }
        var initial = try library.loadTemplate(library.find(.sessions, plainName: SessionChoice.firstSession))
        initial.state = .stopped
        let opened = try SessionStore.open(file: file, initial: initial)
        try opened.requireSaving()
        return opened
    }

    /// The session that is open cannot be saved, and so stays open.
    struct UnsavedSession: Error, QuotesFiles {
        let name: String
        let reason: SessionStoreError

        var description: String { "The session \(name) stays open, so that nothing is lost. \(reason)" }
        var wordsForPeers: String { "The session \(name) stays open, so that nothing is lost. \(reason.wordsForPeers)" }
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

    /// Leaves this session for another one, which is given back where this one cannot be saved.
    func leave(for opened: SessionStore.Opened, _ control: isolated Control) throws(UnsavedSession) {
        do throws(SessionStoreError) { try leave(control) } catch {
            opened.store.close()
            let failure = UnsavedSession(name: status.name, reason: error)
            control.tell(failure)
            throw failure
        }
    }

    /// Saves the session as it is when all hands are taken off, and gives its lock back; when this throws, it stays as it is.
    private func leave(_ control: isolated Control) throws(SessionStoreError) {
        sendWaitingSave(control)
        // What is opened for reading only was told then, and has nothing to save.
        guard store.readOnlyReason == nil else { return store.close() }
        var player = control.player
        player.endTouches(at: control.performance.moment)
        var leaving = session
        leaving.update(from: player.state, ids: itemIDs)
        leaving.connections = connections
        let (store, session, place) = (store, leaving, SavedPosition(item: player.state.currentIndex ?? 0, elapsed: control.position))
        control.tell(.willSave)
        let result = disk.sync {
            Result { () throws(SessionStoreError) in
                try store.save(session, .explicit, at: ProcessInfo.processInfo.systemUptime)
                try store.savePosition(place)
            }
        }
        try result.get()
        store.close()
        control.tell(.didSave)
    }

    /// The session that is to be opened may be the one that is being closed, and is locked until it is.
    func awaitClosing() { disk.sync {} }

    /// The session takes the place of the one that was left, whose connections it has if it remembers none.
    ///
    /// - Parameter plays: `nil` is what it was left doing.
    func take(_ opened: SessionStore.Opened, name: String, plays: Bool? = nil, _ control: isolated Control) {
        control.tell(.willRestore)
        store = opened.store
        session = opened.session
        saved = opened.session
        connections = session.connections ?? connections
        looked = nil
        status.isDirty = false
        // What was to be written before it was left has been, or concerns it no more.
        (isSaving, notBefore) = (false, 0)
        savedPosition = opened.position
        status.name = name
        refreshList()
        var state = restoredState()
        if let plays { state.playback = plays ? .playing : .stopped }
        control.player.restore(state, position: restoredPosition, at: control.performance.moment)
        control.tell(.didRestore)
        for notice in opened.notices { control.tell(notice) }
        control.tellLostControllers()
        control.settle()
    }
}
