import Engine
import HTTP
import OSCRemote
import Patches
import Playback

/// How a program that plays is started.
package struct PlayConfiguration: Sendable {
    /// Patches or sessions, by name or by path; none continues the last session.
    package var items: [String] = []
    /// The file that the session is saved in; `nil` leaves that to the library.
    package var session: String?
    package var sleep: Sleep?
    package var isPaused = false
    /// Overrides the session's transport mode.
    package var transport: TransportMode?
    /// The output ceiling in dBFS.
    package var ceiling = -6.0
    package var kernel: Kernel
    package var jack = JACK()
    package var remote: Remote
    /// The OSCQuery server; `nil` is off.
    package var query: Query?
    package var isQuiet = false
    package var isVerbose = false

    /// A sleep timer; what it leaves open, the preferences say.
    package struct Sleep: Sendable {
        /// Seconds until it begins to fade out.
        package var seconds: Double
        /// Seconds of the fade.
        package var fade: Double?
        package var ease: Easing?

        package init(seconds: Double, fade: Double?, ease: Easing?) {
            (self.seconds, self.fade, self.ease) = (seconds, fade, ease)
        }
    }

    /// The JACK server and client.
    package struct JACK: Sendable {
        package var clientName = "binaural"
        /// `nil` is the default server.
        package var serverName: String?
        /// Whether a server is started if none runs.
        package var startsServer = false
        /// `auto`, `none` or a regular expression; `nil` leaves it to the session and the preferences.
        package var connect: String?
        /// The number of layers with ports of their own.
        package var layerOutputCount = 0

        package init() {}
    }

    /// The remote control over OSC.
    package struct Remote: Sendable {
        /// The version that the program reports.
        package var version: String
        /// 0 is any free port; `nil` is the one in the preferences.
        package var port: UInt16?
        /// Numeric addresses and `unix:PATH`; none is the address in the preferences.
        package var listen: [String] = []
        package var localRole = Role.admin
        package var honoursTimeTags = true
        /// Rules such as `192.168.1.0/24=control`.
        package var allow: [String] = []
        /// Peers such as `192.168.1.30:9000=now,layers`.
        package var feedback: [String] = []

        package init(version: String) { self.version = version }
    }

    /// The OSCQuery server.
    package struct Query: Sendable {
        /// 0 is any free port.
        package var port: UInt16
        /// Seconds of silence after which a WebSocket is pinged.
        package var pingInterval = WebServer.pingInterval

        package init(port: UInt16) { self.port = port }
    }

    package init(kernel: Kernel, remote: Remote) {
        (self.kernel, self.remote) = (kernel, remote)
    }
}
