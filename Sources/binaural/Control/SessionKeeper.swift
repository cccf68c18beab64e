import Dispatch
import Foundation
import Library
import Playback

/// Keeps the session on disk as the player has it: at most two seconds behind its state, and behind its position.
///
/// Belongs to the control actor; what waits for the disk runs on a queue of its own.
final class SessionKeeper {
    let library: Library
    var status = Snapshot.SessionStatus()
    var store: SessionStore
    /// As last taken from the player, with all that the file holds besides.
    var session: Session
    var saved: Session
    /// Which items of the player its items are.
    var itemIDs: [Int] = []
    /// The state that ``session`` was last taken from; `nil` before the first look.
    var looked: PlayerState?
    var savedPosition: SavedPosition?
    /// What our ports are to be connected to, as JACK's side tells it; `nil` while nothing was ever connected.
    var connections: [Session.Connection]?
    private var lastLook = 0.0
    private var lastPosition = 0.0
    var isSaving = false
    /// The state to write next.
    var waitingSave: WaitingSave?
    /// A position is on its way to the disk, and what is to follow it.
    var isPlacing = false
    var waitingPlace: (store: SessionStore, position: SavedPosition)?
    /// After a failure: not before then again.
    var notBefore = 0.0
    var loads = SessionLoads()
    let disk = DispatchQueue(label: "binaural.session")

    /// Seconds between looks at what has changed, and between positions. With a save of some ten milliseconds, both together stay
    /// within the two seconds that are promised.
    private static let lookInterval = 0.5
    private static let positionInterval = 1.5
    static let retryInterval = 10.0

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

    func refreshList() {
        status.available = library.list(.sessions).filter { !$0.isHidden }.map(\.name)
    }

    // MARK: As time passes

    func tick(_ state: PlayerState, position: Double, control: isolated Control) {
        let now = ProcessInfo.processInfo.systemUptime
        if let due = loads.takeDue(at: now) { load(due.name, into: control, answer: due.answer.value) }
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

    func look(at state: PlayerState) {
        update(from: state)
        session.connections = connections
        looked = state
        status.isDirty = session != saved || isSaving
    }

    func update(from state: PlayerState) {
        session.update(from: state, ids: itemIDs)
        itemIDs = state.items.map(\.id)
    }

    /// What is known of the session while the player is in this state, which nobody may have looked at yet.
    func status(_ state: PlayerState) -> Snapshot.SessionStatus {
        var status = status
        if let looked, !state.keepsSame(as: looked) || connections != session.connections { status.isDirty = true }
        return status
    }

    // MARK: Restoring

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
}
