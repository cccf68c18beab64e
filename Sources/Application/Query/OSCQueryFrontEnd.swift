import Foundation
import HTTP
import OSCRemote
import Playback

/// OSCQuery's end on the control actor: it only signals changes and supplies a tree on request. Everything else happens on the server's
/// thread.
final class OSCQueryFrontEnd: FrontEnd {
    private let server: WebServer
    private let changes = ChangeFlag()

    init(_ server: WebServer, control: isolated Control) {
        self.server = server
        let changes = changes
        Thread(name: "binaural-query") { [weak control] in
            let desk = QueryHandler(server, changes) { done in
                guard let control else { return }
                control.executor.queue.async { control.assumeIsolated { if let remote = $0.frontEnds.osc { done(remote.queryTree) } } }
            }
            server.run(desk)
        }.start()
    }

    func changed(_ snapshot: Snapshot) {
        if changes.raise() { server.post {} }
    }

    /// Nothing to do, since a change follows.
    func notice(_ notice: Notice) {}

    /// Nothing to do: values that change with time are polled for the clients that listen to them.
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
