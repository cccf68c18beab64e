import HTTP
import OSCRemote
import Playback

/// OSCQuery's end on the main queue: it only signals changes and supplies a tree on request. Everything else happens on the server's
/// thread.
@MainActor final class OSCQueryFrontEnd: FrontEnd {
    private let server: WebServer
    private let changes = ChangeFlag()

    /// Set on the server's thread.
    private let handler: NewHandler

    private final class NewHandler: @unchecked Sendable {
        // SAFETY: only used on the server's thread.
        var value: QueryHandler?
    }

    init(_ server: WebServer, _ osc: OSCFrontEnd, _ host: PlayerHost) {
        self.server = server
        let (changes, handler) = (changes, NewHandler())
        self.handler = handler
        server.start { [weak host, weak osc, port = server.port] loop in
            let made = QueryHandler(loop, port: port, changes) { done in
                host?.enter { if let osc { done(osc.queryTree) } }
            }
            handler.value = made
            return made
        }
    }

    func changed(_ snapshot: () -> Snapshot) {
        if changes.raise() { server.loop.post { [handler] in handler.value?.changed() } }
    }

    /// Nothing to do, since a change follows.
    func notice(_ notice: Notice) {}

    /// Nothing to do: values that change with time are polled for the clients that listen to them.
    func tick(_ snapshot: () -> Snapshot) {}

    func close() { server.close() }
}
