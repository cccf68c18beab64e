import Dispatch
import HTTP
import JACKBackend
import Library
import OSC
import OSCRemote
import Pictures
import Playback
import WebPanel

/// The panel's end on the main queue: its packets are those of OSC peers, and the course of what plays is computed on request. Everything
/// else happens on the server's thread.
@MainActor final class PanelFrontEnd: FrontEnd {
    private let server: WebServer
    private let listeners: SoundListeners

    /// Computes one course at a time, with low priority.
    private nonisolated static func course(of host: PlayerHost, on queue: DispatchQueue, _ done: @escaping @Sendable ([UInt8]?) -> Void) {
        host.enter {
            let patch = host.player.state.patch
            queue.async {
                let json = patch.map { PatchCourse($0).json }
                FreedMemory.giveBack()
                done(json)
            }
        }
    }

    init(
        _ server: WebServer, _ configuration: PanelHandler.Configuration, _ backend: any AudioDevice, _ osc: OSCFrontEnd,
        _ library: Library,
        _ host: PlayerHost
    ) {
        self.server = server
        let listeners = SoundListeners(backend)
        self.listeners = listeners
        let handler = PanelBox()
        let packets = OSCWebSockets { [weak host, weak osc] in
            host?.enter { osc?.webSocketsAreReady() }
        } resume: { [loop = server.loop] client in
            loop.post { handler.value?.resume(client) }
        }
        let summary = LibrarySummary(library)
        let queue = DispatchQueue(label: "binaural.panel", qos: .background)
        server.start { [weak host] loop in
            let course: PanelHandler.Document = { done in
                guard let host else { return done(nil) }
                Self.course(of: host, on: queue, done)
            }
            let made = PanelHandler(
                loop, configuration, packets: packets, listen: { listeners.add($0, $1) },
                documents: ["/course.json": course, "/library.json": { summary.make($0) }])
            handler.value = made
            return made
        }
        osc.connect(packets) { [loop = server.loop] packet, client in
            loop.post { handler.value?.send(packet, to: client) }
        }
    }

    /// Nothing to do for the next three: OSC reports them to its peers.
    func changed(_ snapshot: () -> Snapshot) {}
    func notice(_ notice: Notice) {}
    func tick(_ snapshot: () -> Snapshot) {}

    func close() {
        listeners.close()
        server.close()
    }
}

/// The panel's handler, which is made on the server's thread.
private final class PanelBox: @unchecked Sendable {
    // SAFETY: only used on the server's thread.
    var value: PanelHandler?
}
