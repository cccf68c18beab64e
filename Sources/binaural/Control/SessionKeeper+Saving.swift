import Foundation
import Library
import Playback

extension SessionKeeper {
    /// Saves now; under another name, the session goes on under that name.
    func save(
        _ state: PlayerState, as name: String?, position: Double, control: isolated Control, answer: @escaping (CommandResult) -> Void
    ) {
        look(at: state)
        if let name, name != status.name {
            awaitClosing()
            do {
                let opened = try SessionStore.open(file: library.savedFile(ofSession: name), initial: session)
                let old = store
                // Behind whatever is still being written to it.
                disk.async { old.close() }
                store = opened.store
                isSaving = false
                status.name = name
                try library.rememberLastSession(name)
                refreshList()
            } catch {
                return answer(CommandResult(.commandFailed, by: "application", "\(error)"))
            }
        }
        savedPosition = SavedPosition(item: state.currentIndex ?? 0, elapsed: position)
        if let savedPosition { writePosition(savedPosition, control) }
        write(session, .explicit, control, answer)
    }

    func write(
        _ session: Session, _ occasion: SessionStore.Occasion, _ control: isolated Control, _ answer: @escaping (CommandResult) -> Void
    ) {
        isSaving = true
        control.tell(.willSave)
        let store = store
        let answer = OnQueue(answer)
        disk.async { [weak control] in
            let result = Result { () throws(SessionStoreError) in
                try store.save(session, occasion, at: ProcessInfo.processInfo.systemUptime)
            }
            guard let control else { return }
            control.executor.queue.async {
                control.assumeIsolated { $0.keeper.wrote(session, to: store, result, $0, answer.value) }
            }
        }
    }

    private func wrote(
        _ session: Session, to store: SessionStore, _ result: Result<Void, SessionStoreError>, _ control: isolated Control,
        _ answer: (CommandResult) -> Void
    ) {
        // Another session may have taken its place meanwhile, which waits for saves of its own.
        let isOpen = store === self.store
        if isOpen { isSaving = false }
        switch result {
        case .success:
            if isOpen { (saved, notBefore) = (session, 0) }
            // It may have been written for the first time.
            if !status.available.contains(status.name) { refreshList() }
            status.isDirty = self.session != saved
            control.tell(.didSave)
            answer(CommandResult(.success, by: "application"))
        case .failure(let error):
            if isOpen {
                notBefore = ProcessInfo.processInfo.systemUptime + Self.retryInterval
                status.isDirty = true
                if control.notice != "\(error)" { control.tell(notice: "\(error)") }
            }
            answer(CommandResult(.commandFailed, by: "application", "\(error)"))
        }
        control.settle()
    }

    func writePosition(_ position: SavedPosition, _ control: isolated Control) {
        let store = store
        disk.async { [weak control] in
            do { try store.savePosition(position) } catch {
                guard let control else { return }
                let text = "\(error)"
                control.executor.queue.async {
                    control.assumeIsolated { if $0.notice != text { $0.tell(notice: text) } }
                }
            }
        }
    }

    /// Writes what is not yet on disk and gives the lock back.
    func close(_ state: PlayerState, position: Double, control: isolated Control) async throws(SessionStoreError) {
        update(from: state)
        session.connections = connections
        let (store, session, saved) = (store, session, saved)
        let place = SavedPosition(item: state.currentIndex ?? 0, elapsed: position)
        let result: Result<Void, SessionStoreError> = await withCheckedContinuation { continuation in
            disk.async {
                continuation.resume(
                    returning: Result { () throws(SessionStoreError) in
                        defer { store.close() }
                        guard store.readOnlyReason == nil else { return }
                        if session != saved { try store.save(session, .change, at: ProcessInfo.processInfo.systemUptime) }
                        try store.savePosition(place)
                    })
            }
        }
        try result.get()
    }
}
