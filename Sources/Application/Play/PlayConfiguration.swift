import Engine
import HTTP
import Library
import OSCRemote
import Patches
import Playback

/// How a program that plays is started.
package struct PlayConfiguration: Sendable {
    /// Patches or sessions, by name or by path; if empty, the last session is resumed.
    package var items: [String] = []
    /// The session that it is saved in, a name or a path; `nil` leaves that to the library.
    package var session: String?
    /// Whether it plays beside other instances, with another port or session if the usual one is in use.
    package var isSecond = false
    /// The dialect of SBaGen sequences; `nil` lets each file decide.
    package var dialect: Library.Dialect?
    package var sleep: Sleep?
    /// `nil` starts at once.
    package var start: Start?
    /// Whether the program ends when the queue has been played.
    package var endsWithQueue = false
    package var isPaused = false
    /// The patches that are read again when they are saved.
    package var watched = WatchedPatches.paths
    /// Overrides the transport mode of the preferences and the session.
    package var transport: TransportMode?
    /// The output ceiling in dBFS.
    package var ceiling = -6.0
    package var kernel: Kernel
    package var jack = JACK()
    package var osc: OSCOptions
    /// The OSCQuery server; `nil` is off.
    package var query: Query?
    package var web = Web()
    /// Whether what listens beyond this machine is announced in the network; `nil` leaves it to the preferences.
    package var zeroconf: NetworkAnnouncing?
    /// Whether it appears as a media player; `nil` leaves that to the preferences.
    package var mediaControls: MediaControls?
    package var isQuiet = false
    package var isVerbose = false

    /// A start at a time.
    package struct Start: Sendable {
        package var time: StartTime
        /// Seconds in which the level rises from silence.
        package var rise: Double

        package init(_ time: StartTime, rise: Double) { (self.time, self.rise) = (time, rise) }

        /// Why there is no start at a time while JACK's transport is followed.
        package static let transportRefusal = """
            --at and --transport follow exclude each other: a followed transport decides when to play. Leave out --at, or use --transport none.
            """
    }

    /// A sleep timer; values that are `nil` are taken from the preferences.
    package struct Sleep: Sendable {
        /// The time in seconds from the start of playing until it has faded out.
        package var seconds: Double
        /// The length of the fade in seconds.
        package var fade: Double?
        package var ease: Easing?

        package init(seconds: Double, fade: Double?, ease: Easing?) {
            (self.seconds, self.fade, self.ease) = (seconds, fade, ease)
        }
    }

    /// The JACK server and client.
    package struct JACK: Sendable {
        package var clientName = "binaural"
        /// The name of the server; `nil` is the default server.
        package var serverName: String?
        /// Whether a server is started if none runs.
        package var startsServer = false
        /// The value of `--connect`: `auto`, `none` or a regular expression; `nil` leaves it to the session and the preferences.
        package var connect: String?
        /// `nil` leaves it to the preferences.
        package var outputs: OutputPorts?

        package init() {}
    }

    /// The remote control over OSC.
    package struct OSCOptions: Sendable {
        /// The version that the program reports.
        package var version: String
        /// The UDP port; 0 is any free port, `nil` is the one in the preferences.
        package var port: UInt16?
        /// The addresses to listen on: numeric addresses and `unix:PATH`; if empty, those of the preferences, as for the next ones.
        package var listen: [String] = []
        package var localRole = Role.admin
        package var honoursTimeTags = true
        /// Access rules such as `192.168.1.0/24=control`; `none` allows nobody.
        package var allow: [String] = []
        /// Peers with feedback, such as `192.168.1.30:9000=now,layers`; `none` is nobody.
        package var feedback: [String] = []

        package init(version: String) { self.version = version }
    }

    /// The OSCQuery server.
    package struct Query: Sendable {
        /// The TCP port; 0 is any free port.
        package var port: UInt16
        /// Numeric addresses to listen on besides 127.0.0.1.
        package var listen: [String] = []
        /// Names of this machine that requests may use, besides `localhost`, its addresses and `NAME.local`.
        package var hosts: [String] = []
        /// The time in seconds of silence after which a WebSocket is pinged.
        package var pingInterval = WebServer.pingInterval

        package init(port: UInt16) { self.port = port }
    }

    /// The panel in a browser.
    package struct Web: Sendable {
        /// `nil` leaves it to the preferences, or is `auto` if there are addresses to listen on.
        package var port: WebPort?
        /// Numeric addresses to listen on besides 127.0.0.1; if empty, those of the preferences, as for the names.
        package var listen: [String] = []
        /// Names of this machine that requests may use, besides `localhost`, its addresses and `NAME.local`.
        package var hosts: [String] = []
        /// A port of 127.0.0.1 for a proxy, whose clients have to be paired; 0 is any free port. `nil` for none.
        package var proxy: UInt16?

        package init() {}
    }

    package init(kernel: Kernel, osc: OSCOptions) {
        (self.kernel, self.osc) = (kernel, osc)
    }
}
