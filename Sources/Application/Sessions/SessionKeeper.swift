import Dispatch
import Foundation
import Library
import OperatingSystem
import Patches
import Playback

/// Saves the session: the file is at most two seconds behind the player's state and position.
///
/// Disk access runs on a queue of its own.
@MainActor final class SessionKeeper {
    let library: Library
    let host: PlayerHost
    var status = Snapshot.SessionStatus()
    var store: SessionStore
    /// The session as last updated from the player, including unknown contents of the file.
    var session: Session
    var saved: Session
    var requested: RequestedSession
    /// Whether the session was opened without a file.
    var isNew: Bool
    /// The ids of the player's items, in the order of the session's.
    var itemIDs: [Int] = []
    /// The player's state at the last update of ``session``; `nil` before the first.
    var looked: PlayerState?
    var savedPosition: SavedPosition?
    /// The remembered connections, as reported by the backend.
    var connections: RememberedConnections
    private var lastLook = 0.0
    private var lastPosition = 0.0
    var isSaving = false
    /// The next state to write.
    var waitingSave: WaitingSave?
    /// Whether a position is being written; `waitingPlace` is the next one to write.
    var isPlacing = false
    var waitingPlace: (store: SessionStore, position: SavedPosition)?
    /// The earliest time of the next attempt after a failure.
    var notBefore = 0.0
    var trouble = SavingTrouble()
    var loads = SessionLoads()
    let disk = DispatchQueue(label: "binaural.session")

    /// The time in seconds between checks for changes, and between positions. With ticks every 0.25 s that may be late, and a save of some
    /// ten milliseconds, both stay within the promised two seconds.
    private static let lookInterval = 0.45
    private static let positionInterval = 1.2
    static let retryInterval = 10.0

    /// - Parameter queue: replaces the session's own queue, and starts at its first item.
    init(_ host: PlayerHost, library: Library, name: String, opened: SessionStore.Opened, queue: [Session.Item]? = nil) {
        self.host = host
        self.library = library
        store = opened.store
        session = opened.session
        saved = opened.session
        requested = RequestedSession(opened)
        isNew = opened.isNew
        savedPosition = opened.position
        connections = RememberedConnections(opened.session.connections)
        status.name = name
        if let queue {
            session.replaceQueue(with: queue)
            savedPosition = nil
        }
        status.available = Self.names(in: library)
    }

    /// The names of the sessions that can be loaded. It reads folders.
    nonisolated static func names(in library: Library) -> [String] { library.list(.sessions).filter { !$0.isHidden }.map(\.name) }

    // MARK: As time passes

    /// Whether the next tick looks for changes.
    var isLookDue: Bool { host.time.seconds - lastLook >= Self.lookInterval }

    func tick() {
        guard isLookDue else { return }
        let (now, state) = (host.time.seconds, host.player.state)
        lastLook = now
        look(at: state)
        // A program that ends without saving does not save on the way.
        guard store.readOnlyReason == nil, !host.quitSignal.discardsChanges else { return }
        if status.isDirty, !isSaving, now >= notBefore {
            write(session, .change) { _ in }
        }
        let place = SavedPosition(item: state.currentIndex ?? 0, elapsed: host.position)
        if place != savedPosition, now - lastPosition >= Self.positionInterval {
            lastPosition = now
            savedPosition = place
            writePosition(place)
        }
    }

    /// Whether something is to be saved, or another session to be opened.
    var isBehind: Bool { status.isDirty && store.readOnlyReason == nil || isSaving || isPlacing || loads.isAwaited }

    func look(at state: PlayerState) {
        update(from: state)
        session.connections = connections.saved
        looked = state
        status.isDirty = session != saved || isSaving
        lookForUnrequestedChanges()
    }

    func lookForUnrequestedChanges() { status.hasUnrequestedChanges = !session.matches(requested.session) }

    func update(from state: PlayerState) {
        session.update(from: state, ids: itemIDs)
        itemIDs = state.items.map(\.id)
    }

    /// The session's status for this state of the player, which may be newer than the last check.
    func status(_ state: PlayerState) -> Snapshot.SessionStatus {
        // Until the next check it stays as it is: comparing hundreds of items after each command would take most of the control thread's time.
        if !status.isDirty, let looked, !state.keepsSame(as: looked) || connections.saved != session.connections { status.isDirty = true }
        return status
    }

    /// Runs `work` after all disk access before it: the session to open may be one that is being closed, which is locked until then. Others
    /// are served meanwhile.
    func onDisk<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            disk.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    // MARK: Restoring

    /// The player's state as saved in the session.
    ///
    /// - Parameters:
    ///   - queue: the session's items with their patches.
    ///   - highestGain: The highest master level in dB. A new session, which had no level yet, starts with no more; the player lowers
    ///   any other, and says so.
    func restoredState(_ queue: [QueueItem], upTo highestGain: Double) -> PlayerState {
        var state = session.playerState(queue)
        itemIDs = state.items.map(\.id)
        if isNew { state.masterGain = min(state.masterGain, highestGain) }
        return state
    }

    /// The saved position in seconds from the start of the current item.
    var restoredPosition: Double {
        guard let savedPosition, savedPosition.item == session.current ?? 0 else { return 0 }
        return savedPosition.elapsed
    }

    /// An item that had no patch until now, with the edits, mutes and waves that the session has for it.
    func restoredItem(_ item: QueueItem, with patch: Patch) -> QueueItem? {
        guard let index = itemIDs.firstIndex(of: item.id), session.items.indices.contains(index) else { return nil }
        return session.items[index].queueItem(.success(patch))
    }

    /// Installs a session in place of the one that was left; if it has no connections of its own, it keeps the present ones.
    ///
    /// - Parameters:
    ///   - plays: Whether it plays; `nil` means as it was left.
    ///   - isAsked: Somebody wants to hear it: it is crossfaded to, and the level does not rise. Otherwise its own master applies.
    func take(_ prepared: PreparedSession, name: String, plays: Bool? = nil, isAsked: Bool = false) {
        host.notify(.willRestore)
        let opened = prepared.opened
        store = opened.store
        session = opened.session
        saved = opened.session
        requested = RequestedSession(opened)
        isNew = opened.isNew
        if let own = session.connections { connections.replace(with: own) }
        looked = nil
        status.isDirty = false
        lookForUnrequestedChanges()
        // Pending writes of the previous session are complete or do not concern this one.
        (isSaving, notBefore) = (false, 0)
        trouble = SavingTrouble()
        savedPosition = opened.position
        status.name = name
        var state = restoredState(prepared.queue, upTo: host.player.state.hearing.highestMasterGain)
        if let plays { state.playback = plays ? .playing : .stopped }
        if isAsked {
            state.masterGain = min(state.masterGain, host.player.state.masterGain)
            state.isMasterMuted = state.isMasterMuted || host.player.state.isMasterMuted
        }
        host.player.restore(state, position: restoredPosition, crossfades: isAsked, at: host.performance.moment)
        host.notify(.didRestore)
        for notice in opened.notices { host.notify(notice) }
        UnreadableItems.report(host, self)
        LostControllers.report(host)
        host.settle()
    }

    /// The folder where relative paths of the session's patches start.
    var folder: String? { (store.file as NSString).deletingLastPathComponent }
}
