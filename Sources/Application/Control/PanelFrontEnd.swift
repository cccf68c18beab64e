import Dispatch
import HTTP
import JACKBackend
import OSC
import OSCRemote
import Pictures
import Playback
import WebPanel

/// The panel's end on the control actor: its packets are those of OSC peers, and pictures of what plays are drawn on request. Everything
/// else happens on the server's thread.
final class PanelFrontEnd: FrontEnd {
    private let server: WebServer
    private let listeners: SoundListeners

    /// Draws one picture at a time, with low priority.
    private static func draw(
        _ request: PanelHandler.PictureRequest, _ control: Control, on queue: DispatchQueue,
        _ done: @escaping @Sendable (PanelHandler.Picture?) -> Void
    ) {
        control.executor.queue.async {
            let patch = control.assumeIsolated { $0.player.state.patch }
            queue.async {
                guard let patch else { return done(nil) }
                let picture = PatchPicture(patch, size: (request.width, max(request.width * 0.5, 460)), isDark: request.isDark)
                let svg = try? picture.bytes(.svg)
                FreedMemory.giveBack()
                done(svg.map { PanelHandler.Picture(svg: $0, span: picture.timeSpan) })
            }
        }
    }

    init(_ server: WebServer, _ configuration: PanelHandler.Configuration, _ backend: Backend, control: isolated Control) {
        self.server = server
        let listeners = SoundListeners(backend)
        self.listeners = listeners
        let handler = PanelBox()
        let packets = OSCWebSockets { [weak control] in
            guard let control else { return }
            control.executor.queue.async { control.assumeIsolated { $0.frontEnds.osc?.webSocketsAreReady() } }
        } resume: { [weak server] client in
            server?.post { handler.value?.resume(client) }
        }
        let queue = DispatchQueue(label: "binaural.panel", qos: .background)
        server.start { [weak control, unowned server] in
            let made = PanelHandler(server, configuration, packets: packets, listen: { listeners.add($0, $1) }) { request, done in
                guard let control else { return done(nil) }
                Self.draw(request, control, on: queue, done)
            }
            handler.value = made
            return made
        }
        control.frontEnds.osc?.connect(packets) { [unowned server] packet, client in
            server.post { handler.value?.send(packet, to: client) }
        }
    }

    /// Nothing to do for the next three: OSC reports them to its peers.
    func changed(_ snapshot: Snapshot) {}
    func notice(_ notice: Notice) {}
    func tick(_ snapshot: Snapshot) {}

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
