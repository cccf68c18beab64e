import Foundation
import HTTP
import OSCRemote
import Playback
import Synchronization

/// OSCQuery's end on the control actor: it only signals changes and supplies a tree on request. Everything else happens on the server's
/// thread.
final class QuerySurface: Surface {
    private let server: WebServer
    private let bell = NewsBell()

    init(_ server: WebServer, control: isolated Control) {
        self.server = server
        let bell = bell
        Thread(name: "binaural-query") { [weak control] in
            let desk = QueryDesk(server, bell) { done in
                guard let control else { return }
                control.executor.queue.async { control.assumeIsolated { if let remote = $0.remote { done(remote.queryTree) } } }
            }
            server.run(desk)
        }.start()
    }

    func changed(_ snapshot: Snapshot) {
        if bell.ring() { server.post {} }
    }

    /// Nothing to do, since a change follows.
    func notice(_ notice: Notice) {}

    /// Nothing to do: values that change with time are polled for those who listen to them.
    func tick(_ snapshot: Snapshot) {}

    func close() { server.close() }
}

extension Thread {
    fileprivate convenience init(name: String, _ body: @escaping @Sendable () -> Void) {
        self.init(block: body)
        self.name = name
        // The thread is not involved in the sound.
        qualityOfService = .utility
    }
}

/// Signals changes, and wakes the server's thread only if it waits for them.
final class NewsBell: Sendable {
    private let isAwaited = Atomic(false)
    private let hasRung = Atomic(false)

    /// - Returns: Whether the server's thread has to be woken.
    func ring() -> Bool {
        guard isAwaited.load(ordering: .relaxed) else { return false }
        return !hasRung.exchange(true, ordering: .acquiringAndReleasing)
    }

    func listen(_ isAwaited: Bool) { self.isAwaited.store(isAwaited, ordering: .relaxed) }

    var isRinging: Bool { hasRung.load(ordering: .acquiring) }

    func silence() { hasRung.store(false, ordering: .releasing) }
}
