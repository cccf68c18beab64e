import Dispatch
import Library
import OperatingSystem
import PatchFiles
import Playback

extension SessionKeeper {
    /// Saves now; under a new name, the session continues under that name.
    func save(as name: String?, answer: @escaping @MainActor (CommandResult) -> Void) {
        let state = host.player.state
        look(at: state)
        if let name, name != status.name { return changeName(to: name, answer) }
        savedPosition = SavedPosition(item: state.currentIndex ?? 0, elapsed: host.position)
        requested.position = savedPosition
        if let savedPosition { writePosition(savedPosition) }
        write(session, .explicit, answer)
    }

    /// Saves under a new name, once the disk has opened its file.
    private func changeName(to name: String, _ answer: @escaping @MainActor (CommandResult) -> Void) {
        guard !loads.isUnderWay else {
            return answer(CommandResult(.busy, by: "application", "Another session is being opened: try again in a moment."))
        }
        loads.begin(at: host.time.seconds)
        Task {
            do {
                try await open(as: name)
                loads.end(at: host.time.seconds)
                save(as: nil, answer: answer)
            } catch {
                loads.end(at: host.time.seconds)
                answer(CommandResult(.commandFailed, by: "application", wordsForPeers(error)))
            }
            host.settle()
        }
    }

    private func open(as name: String) async throws {
        let (library, session) = (library, session)
        let opened = try await onDisk { () throws in
            let opened = try SessionStore.open(file: library.savedFile(ofSession: name), initial: session)
            if let reason = opened.store.readOnlyReason {
                opened.store.close()
                throw SessionStoreError.readOnly(file: opened.store.file, reason: reason)
            }
            return opened
        }
        guard !host.hasQuit else {
            disk.async { opened.store.close() }
            throw ApplicationError(.unavailable, "The program is ending.")
        }
        let old = store
        // After all pending writes to the old file.
        sendWaitingSave()
        disk.async { old.close() }
        store = opened.store
        isSaving = false
        trouble = SavingTrouble()
        status.name = name
        remember(name)
        for notice in opened.notices { host.notify(notice) }
    }

    /// Records this session as the last one; if that fails, it stays open all the same.
    func remember(_ name: String) {
        let library = library
        disk.async { [weak host] in
            do throws(LibraryError) { try library.rememberLastSession(name) } catch {
                host?.enter { host?.notify(error) }
            }
        }
    }

    func write(
        _ session: Session, _ occasion: SessionStore.Occasion, _ answer: @escaping @MainActor (CommandResult) -> Void
    ) {
        let isAsked = occasion == .explicit || waitingSave?.occasion == .explicit
        waitingSave = WaitingSave(
            session: session, occasion: isAsked ? .explicit : .change, answers: (waitingSave?.answers ?? []) + [answer])
        if !isSaving { sendWaitingSave() }
    }

    /// Writes the waiting save, after the one in progress.
    func sendWaitingSave() {
        guard let waiting = waitingSave else { return }
        waitingSave = nil
        isSaving = true
        host.notify(.willSave)
        let (store, library, time) = (store, library, host.time)
        // The file may be written for the first time.
        let isListed = status.available.contains(status.name)
        disk.async { [weak self] in
            let result = Result { () throws(SessionStoreError) in
                try store.save(waiting.session, waiting.occasion, at: time.seconds)
            }
            let names = isListed ? nil : Self.names(in: library)
            guard let self else { return }
            host.enter {
                if let names { self.status.available = names }
                self.wrote(waiting, to: store, result) { answer in
                    for each in waiting.answers { each(answer) }
                }
            }
        }
    }

    private func wrote(
        _ written: WaitingSave, to store: SessionStore, _ result: Result<Void, SessionStoreError>,
        _ answer: (CommandResult) -> Void
    ) {
        // Another session with its own saves may have been opened meanwhile.
        let isOpen = store === self.store
        if isOpen {
            isSaving = false
            report(.session, result)
        }
        switch result {
        case .success:
            if isOpen { (saved, notBefore) = (written.session, 0) }
            if isOpen, written.occasion == .explicit { requested.session = written.session }
            status.isDirty = session != saved
            lookForUnrequestedChanges()
            host.notify(.didSave)
            answer(CommandResult(.success, by: "application"))
        case .failure(let error):
            if isOpen {
                notBefore = host.time.seconds + Self.retryInterval
                status.isDirty = true
            }
            answer(CommandResult(.commandFailed, by: "application", error.wordsForPeers))
        }
        if isOpen, !isSaving { sendWaitingSave() }
        host.settle()
    }

    /// Writes the position. One write at a time; of positions that come meanwhile only the newest is written.
    func writePosition(_ position: SavedPosition) {
        guard !isPlacing else { return waitingPlace = (store, position) }
        isPlacing = true
        let store = store
        disk.async { [weak self] in
            let result = Result { () throws(SessionStoreError) in try store.savePosition(position) }
            guard let self else { return }
            // No reason to tick more often: while something plays, positions are written all the time.
            DispatchQueue.main.async { self.placed(in: store, result) }
        }
    }

    private func placed(in store: SessionStore, _ result: Result<Void, SessionStoreError>) {
        if store === self.store {
            report(.position, result)
            // Otherwise a position that stays the same would not be tried again.
            if case .failure = result { savedPosition = nil }
        }
        isPlacing = false
        let waiting = waitingPlace
        waitingPlace = nil
        // If another session was opened, the previous one has been saved.
        if let waiting, waiting.store === self.store { writePosition(waiting.position) }
    }

    /// Reports that saving fails, or works again.
    private func report(_ file: SavingTrouble.File, _ result: Result<Void, SessionStoreError>) {
        switch result {
        case .success: if trouble.wrote(file, successfully: true) == .ends { host.notify(notice: "The session is saved again.") }
        case .failure(let error): if trouble.wrote(file, successfully: false) == .begins { host.notify(error) }
        }
    }

    /// Writes what is not saved yet, or discards what nobody has asked to save, and releases the lock.
    ///
    /// - Parameter mayDiscard: Whether what nobody has asked to save is discarded.
    func close(_ state: PlayerState, position: Double, mayDiscard: Bool) async throws(SessionStoreError) {
        update(from: state)
        session.connections = connections.saved
        if !mayDiscard || waitingSave?.occasion == .explicit { sendWaitingSave() }
        let (store, session, saved, time) = (store, session, saved, host.time)
        let place = SavedPosition(item: state.currentIndex ?? 0, elapsed: position)
        lookForUnrequestedChanges()
        let discards = mayDiscard && status.hasUnrequestedChanges
        let formerPlace = requested.place(insteadOf: place, in: session)
        let result: Result<Void, SessionStoreError> = await withCheckedContinuation { continuation in
            disk.async {
                continuation.resume(
                    returning: Result { () throws(SessionStoreError) in
                        defer { store.close() }
                        guard store.readOnlyReason == nil else { return }
                        let condition = store.fileCondition
                        // A file that somebody else has written meanwhile is left to them, whatever nobody has asked to save.
                        if mayDiscard, condition == .writtenByOthers { return }
                        // A state that is discarded becomes a generation, with the last change.
                        if session != saved { try store.save(session, .change, at: time.seconds) }
                        let isPutBack = discards && condition == .untouched ? try store.putBackRequested() : false
                        try store.savePosition(isPutBack ? formerPlace : place)
                    })
            }
        }
        try result.get()
    }
}
