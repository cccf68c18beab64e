import Application
import ArgumentParser
import OSCRemote
import Patches
import Playback
import Terminal

/// The options of `play`, validated as far as possible without a server or a file.
struct PlayOptions: ParsableArguments {
    @Argument(
        help: """
            Patches or sessions to play, by name or path. A session plays its queue; without any, the last session resumes where it stopped.
            """, completion: LibraryCompletion.of(.sessions, .patches, files: ["yaml", "yml", "sbg", "sbxseq"]))
    var items: [String] = []

    @OptionGroup var handingOver: HandOverOptions

    @Option(
        help: ArgumentHelp(
            "Session to save to: a name, or a file's path (with a / or ending in .yaml). Created if missing, but not its folder.",
            valueName: "name|file"),
        completion: LibraryCompletion.of(.sessions, files: ["yaml", "yml"]))
    var session: String?

    @OptionGroup var reading: ReadingOptions

    @OptionGroup var timers: TimerOptions

    @Flag(help: "Start paused.")
    var paused = false

    @Option(help: ArgumentHelp("Name of the JACK server (default: JACK's default server).", valueName: "name"))
    var server: String?

    @Flag(help: "Start jackd if neither a JACK server nor PipeWire is running, and stop it at exit.")
    var startServer = false

    @Option(help: ArgumentHelp("Name of the JACK client (default: binaural).", valueName: "name"))
    var clientName: String?

    @Option(
        help: ArgumentHelp(
            """
            Connect to the first physical playback ports (auto), to nothing (none), or to the ports that match a regular expression. By \
            default, restore the session's connections, or else use the preference connect.
            """, valueName: "auto|none|regex"))
    var connect: String?

    @Option(
        help: ArgumentHelp(
            "JACK's transport: ignore it (none), follow it (follow) or drive it (lead). Saved in the session. Default: the preference transport.",
            valueName: "none|follow|lead"))
    var transport: TransportMode?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum level of any output sample, -60 to 0 dBFS (default: -6).", valueName: "dB"))
    var ceiling: Double?

    @Option(
        help: ArgumentHelp(
            "Instruction set of the render code; auto, the default, uses the best one that this machine has.",
            valueName: "auto|baseline|avx2"))
    var kernel: KernelOption?

    @Option(
        help: ArgumentHelp(
            "Create ports for the mix only, or also a pair for each of the first 16 layers. Default: the preference outputs, mix.",
            valueName: "mix|layers"))
    var outputs: OutputPorts?

    @Option(
        help: ArgumentHelp(
            "UDP port of the remote control; auto uses any free one (default: the preference oscPort, 7830).", valueName: "port|auto"))
    var oscPort: PortOption?

    @Option(
        help: ArgumentHelp(
            "Also listen on this address of the machine, or on the Unix socket unix:PATH. May be repeated. Default: the preference oscListen.",
            valueName: "address|unix:path"))
    var oscListen: [String] = []

    @Option(
        help: ArgumentHelp(
            "What programs on this machine may do: read only (view), control the player (control), or also quit the program (admin, the default).",
            valueName: "view|control|admin"))
    var oscLocalRole: Role?

    @Option(
        help: ArgumentHelp(
            "Apply bundles at their time tags (honour, the default), or as soon as they arrive (immediate).",
            valueName: "honour|immediate"))
    var oscTimetags: TimetagsOption?

    @Option(
        help: ArgumentHelp(
            """
            Give a network the role view, control or admin, as in --osc-allow 192.168.1.0/24=control. May be repeated. \
            Default: the preference oscAllow; none overrides it.
            """, valueName: "cidr=role|none"))
    var oscAllow: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Send topics to a control surface that cannot subscribe, as in --osc-feedback 192.168.1.30:9000=now,layers. May be repeated. \
            Default: the preference oscFeedback; none overrides it.
            """, valueName: "host:port=topics|none"))
    var oscFeedback: [String] = []

    @OptionGroup var query: QueryOptions

    @OptionGroup var web: WebOptions

    @Option(
        help: ArgumentHelp(
            "Announce in the network, through Avahi, what other machines can reach: OSC and OSCQuery. Default: the preference zeroconf, auto.",
            valueName: "auto|off"))
    var zeroconf: NetworkAnnouncing?

    @Option(
        help: ArgumentHelp(
            "Respond to media keys, lock screens and headsets, over MPRIS on the session bus. Default: the preference mpris, auto.",
            valueName: "auto|off"))
    var mpris: MediaControls?

    @OptionGroup var report: ReportOptions

    mutating func validate() throws {
        if let ceiling, !(ceiling >= -60 && ceiling <= 0) {
            throw ValidationError("--ceiling takes a level from -60 to 0 dBFS, not \(ceiling).")
        }
        if let clientName, !clientName.isClientName {
            throw ValidationError(
                "--client-name takes 1 to 63 bytes without ':' or '/', without a leading dot and not only spaces, not '\(clientName)'.")
        }
        guard !paused || timers.at == nil else {
            throw ValidationError("--paused and --at contradict each other: --at waits by itself.")
        }
        guard !paused || !timers.once else {
            throw ValidationError("--paused and --once contradict each other: nothing would begin or end.")
        }
        guard timers.at == nil || transport != .follow else { throw ValidationError(PlayConfiguration.Start.transportRefusal) }
        guard handingOver.place == .now || !items.isEmpty else {
            throw ValidationError("--\(handingOver.add ? "add" : "next") needs a patch or session to add, as in 'play rain --add'.")
        }
        if let empty = items.first(where: \.isEmpty) { throw ValidationError("An item must have a name, not '\(empty)'.") }
    }
}

extension PlayOptions {
    /// - Throws: `ProgramError` with the usage status if this machine cannot run the chosen kernel.
    func configuration() throws -> PlayConfiguration {
        var osc = PlayConfiguration.OSCOptions(version: ProgramVersion.text)
        osc.port = oscPort?.number
        osc.listen = oscListen
        osc.localRole = oscLocalRole ?? .admin
        osc.honoursTimeTags = (oscTimetags ?? .honour) == .honour
        osc.allow = oscAllow
        osc.feedback = oscFeedback
        var configuration = PlayConfiguration(kernel: try (kernel ?? .auto).kernel(), osc: osc)
        configuration.items = items
        configuration.session = session
        configuration.dialect = reading.sequences.dialect
        timers.apply(to: &configuration)
        configuration.isPaused = paused
        configuration.watched = reading.watch.map { $0 ? .all : .off } ?? .paths
        configuration.transport = transport
        if let ceiling { configuration.ceiling = ceiling }
        if let clientName { configuration.jack.clientName = clientName }
        configuration.isSecond = handingOver.new
        configuration.jack.serverName = server
        configuration.jack.startsServer = startServer
        configuration.jack.connect = connect
        configuration.jack.outputs = outputs
        configuration.query = query.configuration
        configuration.web = web.configuration
        configuration.zeroconf = zeroconf
        configuration.mediaControls = mpris
        configuration.isQuiet = report.quiet
        configuration.isVerbose = report.verbose
        return configuration
    }
}

extension TransportMode: ExpressibleByArgument {}
extension Easing: ExpressibleByArgument {}
extension Role: ExpressibleByArgument {}
extension OutputPorts: ExpressibleByArgument {}
extension NetworkAnnouncing: ExpressibleByArgument {}
extension MediaControls: ExpressibleByArgument {}

enum TimetagsOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case honour, immediate
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
