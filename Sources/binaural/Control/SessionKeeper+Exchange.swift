import Foundation
import Library
import Playback

/// Another session in place of the one that is open.
extension SessionKeeper {
    /// Opens a session of the library in place of this one, which is saved first; if it cannot be saved, it stays.
    func load(_ name: String, into control: isolated Control, answer: @escaping (CommandResult) -> Void) {
        do {
            guard name != status.name else { return answer(CommandResult(.success, by: "application")) }
            awaitClosing()
            let isNew = !FileManager.default.fileExists(atPath: try library.savedFile(ofSession: name))
            let opened = try library.openSession(named: name)
            let result = exchange(for: opened, name: name, isNew: isNew, control)
            if result.status == .success { try library.rememberLastSession(name) }
            answer(result)
        } catch {
            answer(
                CommandResult(
                    (error as? LibraryError)?.exitCode == ExitStatus.noSuchFile.rawValue ? .noSuchContent : .commandFailed,
                    by: "application", "\(error)"))
        }
    }

    /// Opens the session in a file, made if it is not there, in place of this one, which is saved first; if it cannot be saved, it stays.
    func open(_ file: String, name: String, into control: isolated Control, answer: @escaping (CommandResult) -> Void) {
        do {
            awaitClosing()
            guard file != store.file else { return answer(CommandResult(.success, by: "application")) }
            let isNew = !FileManager.default.fileExists(atPath: file)
            var initial = try library.loadTemplate(library.find(.sessions, plainName: SessionChoice.firstSession))
            initial.state = .stopped
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            let opened = try SessionStore.open(file: file, initial: initial)
            if let reason = opened.store.readOnlyReason {
                opened.store.close()
                return answer(CommandResult(.commandFailed, by: "application", "\(file) cannot be written: \(reason)."))
            }
            answer(exchange(for: opened, name: name, isNew: isNew, control))
        } catch {
            answer(CommandResult(.commandFailed, by: "application", "\(error)"))
        }
    }

    private func exchange(
        for opened: SessionStore.Opened, name: String, isNew: Bool, _ control: isolated Control
    ) -> CommandResult {
        do throws(SessionStoreError) { try leave(control) } catch {
            opened.store.close()
            let text = "The session \(status.name) stays open, so that nothing is lost. \(error)"
            control.tell(notice: text)
            return CommandResult(.commandFailed, by: "application", text)
        }
        take(opened, name: name, isNew: isNew, control)
        return CommandResult(.success, by: "application")
    }

    /// Saves the session as it is when all hands are taken off, and gives its lock back; when this throws, it stays as it is.
    private func leave(_ control: isolated Control) throws(SessionStoreError) {
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

    private func take(_ opened: SessionStore.Opened, name: String, isNew: Bool, _ control: isolated Control) {
        control.tell(.willRestore)
        store = opened.store
        session = opened.session
        saved = opened.session
        connections = session.connections ?? connections
        looked = nil
        status.isDirty = false
        savedPosition = opened.position
        status.name = name
        refreshList()
        var state = restoredState()
        // A session that was never played goes on as the one before it did.
        if isNew { state.playback = control.player.state.playback == .playing ? .playing : .stopped }
        control.player.restore(state, position: restoredPosition, at: control.performance.moment)
        control.backend?.restore(session.links)
        control.tell(.didRestore)
        for notice in opened.notices { control.tell(notice: "\(notice)") }
        control.tellLostControllers()
        control.settle()
    }
}
