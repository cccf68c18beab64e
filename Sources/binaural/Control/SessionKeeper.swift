import Dispatch
import Foundation
import Library
import Playback

/// Keeps the session on disk as the player has it: at most two seconds behind its state, and behind its position.
///
/// Belongs to the control actor; what waits for the disk runs on a queue of its own.
final class SessionKeeper {
    let library: Library
    private(set) var status = Snapshot.SessionStatus()
    private var store: SessionStore
    /// As last taken from the player, with all that the file holds besides.
    private var session: Session
    private var saved: Session
    /// Which items of the player its items are.
    private var itemIDs: [Int] = []
    /// The state that ``session`` was last taken from; `nil` before the first look.
    private var looked: PlayerState?
    private var savedPosition: SavedPosition?
    /// What our ports are to be connected to, as JACK's side tells it; `nil` while nothing was ever connected.
    var connections: [Session.Connection]?
    private var lastLook = 0.0
    private var lastPosition = 0.0
    private var isSaving = false
    /// After a failure: not before then again.
    private var notBefore = 0.0
    private let disk = DispatchQueue(label: "binaural.session")

    /// Seconds between looks at what has changed, and between positions. With a save of some ten milliseconds, both together stay
    /// within the two seconds that are promised.
    private static let lookInterval = 0.5
    private static let positionInterval = 1.5
    private static let retryInterval = 10.0

    /// - Parameter queue: takes the place of the session's own, from its first item on.
    init(library: Library, name: String, opened: SessionStore.Opened, queue: [Session.Item]? = nil) {
        self.library = library
        store = opened.store
        session = opened.session
        saved = opened.session
        savedPosition = opened.position
        connections = opened.session.connections
        status.name = name
        if let queue {
            session.replaceQueue(with: queue)
            savedPosition = nil
        }
        refreshList()
    }

    private func refreshList() {
        status.available = library.list(.sessions).filter { !$0.isHidden }.map(\.name)
    }

    // MARK: As time passes

    func tick(_ state: PlayerState, position: Double, control: isolated Control) {
        let now = ProcessInfo.processInfo.systemUptime
        guard now - lastLook >= Self.lookInterval else { return }
        lastLook = now
        look(at: state)
        guard store.readOnlyReason == nil else { return }
        if status.isDirty, !isSaving, now >= notBefore {
            write(session, .change, control) { _ in }
        }
        let place = SavedPosition(item: state.currentIndex ?? 0, elapsed: position)
        if place != savedPosition, now - lastPosition >= Self.positionInterval {
            lastPosition = now
            savedPosition = place
            writePosition(place, control)
        }
    }

    private func look(at state: PlayerState) {
        update(from: state)
        session.connections = connections
        looked = state
        status.isDirty = session != saved || isSaving
    }

    private func update(from state: PlayerState) {
        session.update(from: state, ids: itemIDs)
        itemIDs = state.items.map(\.id)
    }

    /// What is known of the session while the player is in this state, which nobody may have looked at yet.
    func status(_ state: PlayerState) -> Snapshot.SessionStatus {
        var status = status
        if let looked, !state.keepsSame(as: looked) || connections != session.connections { status.isDirty = true }
        return status
    }

    // MARK: When asked

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

    private func write(
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
        isSaving = false
        switch result {
        case .success:
            // Another session may have taken its place meanwhile.
            if store === self.store { saved = session }
            // It may have been written for the first time.
            if !status.available.contains(status.name) { refreshList() }
            status.isDirty = self.session != saved
            notBefore = 0
            control.tell(.didSave)
            answer(CommandResult(.success, by: "application"))
        case .failure(let error):
            notBefore = ProcessInfo.processInfo.systemUptime + Self.retryInterval
            status.isDirty = true
            if control.notice != "\(error)" { control.tell(notice: "\(error)") }
            answer(CommandResult(.commandFailed, by: "application", "\(error)"))
        }
        control.settle()
    }

    private func writePosition(_ position: SavedPosition, _ control: isolated Control) {
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

    // MARK: Another session

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
    private func awaitClosing() { disk.sync {} }

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

    // MARK: Restoring and leaving

    /// The player's state as the session has it.
    func restoredState() -> PlayerState {
        var state = PlayerState()
        state.items = session.queue(library, relativeTo: folder)
        itemIDs = state.items.map(\.id)
        if let current = session.current, state.items.indices.contains(current) {
            state.currentIndex = current
        } else {
            state.currentIndex = state.items.firstIndex { $0.patch != nil } ?? state.items.indices.first
        }
        state.repeatMode = RepeatMode(session.repeatMode)
        state.chosenRate = session.rate
        state.transportMode = TransportMode(session.transport)
        state.touchMode = TouchMode(session.touch)
        state.shuffledOrder = PlayingOrder(session, current: state.currentIndex)
        state.masterGain = session.masterGain
        state.isMasterMuted = session.isMuted
        state.a4 = session.a4
        state.presets = session.playerPresets
        state.controllers = session.controllers.map {
            ControllerMapping(controller: $0.number, channel: $0.channel, address: $0.address)
        }
        state.playback = PlaybackState(session.state)
        return state
    }

    /// Seconds from the start of the current item.
    var restoredPosition: Double {
        guard let savedPosition, savedPosition.item == session.current ?? 0 else { return 0 }
        return savedPosition.elapsed
    }

    private var folder: String? { (store.file as NSString).deletingLastPathComponent }

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
