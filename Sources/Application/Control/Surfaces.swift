import Playback

/// The surfaces of the player, and the last notice that they showed. Belongs to the control actor.
final class Surfaces {
    private var all: [any Surface] = []
    private(set) var remote: RemoteSurface?
    /// The last notice, as shown to remote clients.
    private(set) var notice = ""

    func add(_ surface: any Surface) { all.append(surface) }

    func add(_ remote: RemoteSurface) {
        self.remote = remote
        all.append(remote)
    }

    /// - Parameter snapshot: makes the snapshot for one surface, since the surface before may have caused a change.
    func changed(_ snapshot: () -> Snapshot) {
        for surface in all { surface.changed(snapshot()) }
    }

    func tick(_ snapshot: () -> Snapshot) {
        for surface in all { surface.tick(snapshot()) }
    }

    func show(_ notice: Notice, _ snapshot: () -> Snapshot) {
        self.notice = notice.forPeers
        for surface in all {
            surface.notice(notice)
            surface.changed(snapshot())
        }
    }

    func close() {
        for surface in all { surface.close() }
    }
}
