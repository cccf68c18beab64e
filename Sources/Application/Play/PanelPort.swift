import HTTP
import OSC
import Playback

/// `--web`: the panel's server, and where it is reached.
struct PanelPort {
    let server: WebServer
    /// The addresses on which it listens besides 127.0.0.1.
    private let addresses: [IPAddress]
    /// Names of this machine that requests may use.
    private let hosts: [String]

    /// Whether programs on this machine enter unpaired. A proxy that has no port of its own passes on requests that look like theirs.
    var trustsThisMachine: Bool { hosts.isEmpty || server.proxyPort != nil }

    /// The URLs for other devices at present, without a token.
    var urls: [String] {
        let reached = addresses.flatMap { $0.isUnspecified ? NetworkAddresses.all(like: $0) : [$0] }
        return hosts.map { "https://\($0)/" } + reached.filter { !$0.isLoopback }.map { "http://\(Endpoint(host: $0, port: server.port))/" }
    }

    /// The maximum number of clients of the panel. A message may be as large as a UDP packet, and vanished clients are detected
    /// within 15 s: a phone that is carried away does not close its connection.
    private static var bounds: WebServer.Bounds {
        var bounds = WebServer.Bounds()
        (bounds.connectionCount, bounds.messageSize, bounds.pingInterval) = (48, 65_507, 5)
        return bounds
    }

    /// - Returns: `nil` if the panel is off.
    /// - Throws: `ApplicationError` if an option cannot be carried out, but not for a preference, since the program has to start without its
    ///   user: then there is a notice instead.
    static func open(
        _ options: PlayConfiguration.Web, _ preferences: PreferenceValues, on thread: WebThread
    ) throws(ApplicationError) -> (panel: PanelPort?, notice: String?) {
        let listen = options.listen.isEmpty ? preferences.webListen.texts : options.listen
        let hosts = options.hosts.isEmpty ? preferences.webHost.texts : options.hosts
        let proxy = options.proxy ?? (preferences.webProxy > 0 ? UInt16(exactly: preferences.webProxy) : nil)
        let kept = WebPort(preferences.web) ?? .off
        let needsPort = !options.listen.isEmpty || options.proxy != nil
        let port = options.port ?? (needsPort && kept == .off ? .auto : kept)
        do throws(ApplicationError) {
            switch port {
            case .off: return (nil, nil)
            case .port(let number): return (try open(number, listen, hosts, proxy, on: thread), nil)
            case .auto:
                do throws(ApplicationError) { return (try open(WebPort.usual, listen, hosts, proxy, on: thread), nil) } catch {
                    return (try open(0, listen, hosts, proxy, on: thread), nil)
                }
            }
        } catch {
            guard options.port == nil, !needsPort else { throw error }
            return (nil, "The preferences web, webListen and webProxy are ignored, and the panel is not served. \(error)")
        }
    }

    private static func open(
        _ port: UInt16, _ listen: [String], _ hosts: [String], _ proxy: UInt16?, on thread: WebThread
    ) throws(ApplicationError) -> PanelPort {
        let server = try ServerPort(option: "web", port: port, listen: listen, hosts: hosts, proxy: proxy).bind(bounds, on: thread)
        return PanelPort(server: server, addresses: listen.compactMap(IPAddress.init), hosts: hosts)
    }
}
