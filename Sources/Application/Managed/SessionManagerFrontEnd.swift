import Foundation
import Playback

/// The session manager: it is sent notices and whether there are unsaved changes, and it requests saving and opening.
@MainActor final class SessionManagerFrontEnd: FrontEnd {
    private let link: any SessionManagerPort
    private var isDirty = false

    init(_ link: any SessionManagerPort, _ sessions: SessionSwitch, _ host: PlayerHost) {
        self.link = link
        link.watch(on: .main) { [weak host, weak sessions, unowned link] in
            guard let host, let sessions else { return }
            host.attend()
            while let request = link.next() { sessions.serve(request, link) }
        }
    }

    func changed(_ snapshot: () -> Snapshot) {
        let wasDirty = isDirty
        let session = snapshot().session
        isDirty = session.isDirty || session.hasUnrequestedChanges
        guard isDirty != wasDirty else { return }
        link.notify(.isDirty(isDirty))
    }

    func notice(_ notice: Notice) { link.notify(.text(notice.forPeers, importance: 2)) }

    func tick(_ snapshot: () -> Snapshot) {}

    func close() { link.close() }
}
