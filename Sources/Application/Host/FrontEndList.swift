import Playback

/// The front ends of the player, and the last notice that they showed.
@MainActor final class FrontEndList {
    private var all: [any FrontEnd] = []
    /// The last notice, as shown to remote clients.
    private(set) var notice = ""

    func add(_ frontEnd: any FrontEnd) { all.append(frontEnd) }

    func rename(_ client: String) {
        for frontEnd in all { frontEnd.rename(client) }
    }

    /// - Parameter snapshot: makes the snapshot for one front end, since the one before may have caused a change.
    func changed(_ snapshot: () -> Snapshot) {
        for frontEnd in all { frontEnd.changed(snapshot) }
    }

    func tick(_ snapshot: () -> Snapshot) {
        for frontEnd in all { frontEnd.tick(snapshot) }
    }

    func show(_ notice: Notice, _ snapshot: () -> Snapshot) {
        self.notice = notice.forPeers
        for frontEnd in all {
            frontEnd.notice(notice)
            frontEnd.changed(snapshot)
        }
    }

    func close() {
        for frontEnd in all { frontEnd.close() }
    }
}
