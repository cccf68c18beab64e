import Application
import ArgumentParser
import HTTP
import OSCRemote
import Patches
import Playback
import Terminal

/// The options of `play`, validated as far as possible without a server or a file.
struct PlayOptions: ParsableArguments {
    @Argument(
        help: """
            Patches or sessions to play, by name or path. A session plays its queue; without any, the last session resumes where it was left.
            """)
    var items: [String] = []

    @Option(
        help: ArgumentHelp("File in which the session is saved; created if missing.", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var session: String?

    @Option(
        help: ArgumentHelp("Fade out and stop after this time: seconds, m:ss or h:mm:ss, at most a day.", valueName: "time"))
    var sleep: ClockTime?

    @Option(help: ArgumentHelp("Duration of that fade, up to 1:00:00 (default: the preference sleepFade, 1:00).", valueName: "time"))
    var sleepFade: ClockTime?

    @Option(
        help: ArgumentHelp("Easing of that fade (default: the preference sleepEasing, sineIn).", valueName: "ease"))
    var sleepEase: Easing?

    @Flag(help: "Start paused.")
    var paused = false

    @Option(help: ArgumentHelp("Name of the JACK server.", valueName: "name"))
    var server: String?

    @Flag(help: "Start a JACK server if none is running, and stop it at exit.")
    var startServer = false

    @Option(help: ArgumentHelp("Name of the JACK client.", valueName: "name"))
    var clientName = "binaural"

    @Option(
        help: ArgumentHelp(
            """
            Connect to the first physical playback ports (auto), to nothing (none), or to the ports that match a regular expression. By \
            default, restore the session's connections, or else use the preference connect.
            """, valueName: "auto|none|regex"))
    var connect: String?

    @Option(
        help: ArgumentHelp(
            "JACK's transport: ignore it (none), follow it (follow) or drive it (lead). Saved in the session.",
            valueName: "none|follow|lead"))
    var transport: TransportMode?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum output level of any sample, -60 to 0 dBFS.", valueName: "dB"))
    var ceiling = -6.0

    @Option(
        help: ArgumentHelp(
            "Instruction set of the render code: auto is the best one of this machine.", valueName: "auto|baseline|avx2"))
    var kernel = KernelOption.auto

    @Option(
        help: ArgumentHelp("Ports for the mix only, or also a pair for each of the first 16 layers.", valueName: "mix|layers"))
    var outputs = OutputsOption.mix

    @Option(help: ArgumentHelp("UDP port of the remote control; auto chooses any free one.", valueName: "port|auto"))
    var oscPort: PortOption?

    @Option(
        help: ArgumentHelp(
            "Also listen on this address of the machine, or on the Unix socket unix:PATH. May be repeated.",
            valueName: "address|unix:path"))
    var oscListen: [String] = []

    @Option(
        help: ArgumentHelp(
            "What programs on this machine may do: read only (view), control the player (control), or also quit the program (admin).",
            valueName: "view|control|admin"))
    var oscLocalRole = Role.admin

    @Option(
        help: ArgumentHelp("Apply bundles at their time tags, or every bundle at once.", valueName: "honour|immediate"))
    var oscTimetags = TimetagsOption.honour

    @Option(
        help: ArgumentHelp(
            "Allow a network a role (view, control or admin), as in --osc-allow 192.168.1.0/24=control. May be repeated.",
            valueName: "cidr=role"))
    var oscAllow: [String] = []

    @Option(
        help: ArgumentHelp(
            "Send topics to a surface that cannot subscribe, as in --osc-feedback 192.168.1.30:9000=now,layers. May be repeated.",
            valueName: "host:port=topics"))
    var oscFeedback: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show the OSC addresses to OSCQuery browsers over HTTP and WebSocket, at this TCP port of 127.0.0.1; auto chooses any free one.",
            valueName: "port|auto|off"))
    var oscQuery = QueryOption.off

    @Option(
        help: ArgumentHelp(
            "Ping an OSCQuery WebSocket after this many seconds of silence; one that misses two pings is closed.",
            valueName: "seconds", visibility: .hidden))
    var oscQueryPing = WebServer.pingInterval

    @Flag(help: "Show only errors.")
    var quiet = false

    @Flag(help: "Show more details.")
    var verbose = false

    mutating func validate() throws {
        guard ceiling >= -60, ceiling <= 0 else { throw ValidationError("--ceiling takes a level from -60 to 0 dBFS, not \(ceiling).") }
        guard clientName.isClientName else {
            throw ValidationError("--client-name takes 1 to 63 bytes without ':' or '/' and without a leading dot, not '\(clientName)'.")
        }
        if let sleep, !(sleep.seconds > 0 && sleep.seconds <= SleepTimer.longest) {
            throw ValidationError("--sleep takes a time above 0, up to 24:00:00.")
        }
        if let sleepFade, !(0...3600).contains(sleepFade.seconds) { throw ValidationError("--sleep-fade takes 0 to 1:00:00.") }
        guard sleep != nil || (sleepFade == nil && sleepEase == nil) else {
            throw ValidationError("--sleep-fade and --sleep-ease need --sleep, as in --sleep 45:00.")
        }
        guard !(quiet && verbose) else { throw ValidationError("--quiet and --verbose contradict each other: use only one of them.") }
        guard (0.01...3600).contains(oscQueryPing) else {
            throw ValidationError("--osc-query-ping takes seconds, 0.01 to 3600, not \(oscQueryPing).")
        }
        if let empty = items.first(where: \.isEmpty) { throw ValidationError("An item must have a name, not '\(empty)'.") }
    }
}

extension PlayOptions {
    /// - Throws: `ProgramError` with the usage status if this machine cannot run the chosen kernel.
    func configuration() throws -> PlayConfiguration {
        var remote = PlayConfiguration.Remote(version: ProgramVersion.text)
        remote.port = oscPort?.number
        remote.listen = oscListen
        remote.localRole = oscLocalRole
        remote.honoursTimeTags = oscTimetags == .honour
        remote.allow = oscAllow
        remote.feedback = oscFeedback
        var configuration = PlayConfiguration(kernel: try kernel.kernel(), remote: remote)
        configuration.items = items
        configuration.session = session
        configuration.sleep = sleep.map { .init(seconds: $0.seconds, fade: sleepFade?.seconds, ease: sleepEase) }
        configuration.isPaused = paused
        configuration.transport = transport
        configuration.ceiling = ceiling
        configuration.jack.clientName = clientName
        configuration.jack.serverName = server
        configuration.jack.startsServer = startServer
        configuration.jack.connect = connect
        configuration.jack.layerOutputCount = outputs.layerCount
        if case .on(let port) = oscQuery {
            configuration.query = PlayConfiguration.Query(port: port.number)
            configuration.query?.pingInterval = oscQueryPing
        }
        configuration.isQuiet = quiet
        configuration.isVerbose = verbose
        return configuration
    }
}

extension ClockTime: ExpressibleByArgument {}
extension TransportMode: ExpressibleByArgument {}
extension Easing: ExpressibleByArgument {}
extension Role: ExpressibleByArgument {}

enum OutputsOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case mix, layers

    /// The number of layers with ports of their own.
    var layerCount: Int { self == .layers ? 16 : 0 }
}

enum TimetagsOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case honour, immediate
}

enum QueryOption: ExpressibleByArgument, Equatable, Sendable {
    case off
    case on(PortOption)

    init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let port = PortOption(argument: argument) {
            self = .on(port)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { "off" }
}

/// A port; 0 is any free one.
struct PortOption: ExpressibleByArgument, Equatable, Sendable {
    let number: UInt16

    init?(argument: String) {
        if argument == "auto" {
            number = 0
        } else if let number = UInt16(argument), number > 0 {
            self.number = number
        } else {
            return nil
        }
    }
}
