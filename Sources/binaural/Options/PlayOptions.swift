import ArgumentParser
import HTTP
import OSCRemote
import Patches
import Playback

/// The options of `play`, validated as far as possible without a server or a file.
package struct PlayOptions: ParsableArguments {
    @Argument(
        help: """
            Patches or sessions to play, by name or by path. With a session, its queue; with none, go on where the session was left.
            """)
    package var items: [String] = []

    @Option(
        help: ArgumentHelp("Where the state is kept; made if it is not there.", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    package var session: String?

    @Option(
        help: ArgumentHelp("Fade out, and stop after this time: seconds, m:ss or h:mm:ss, a day at most.", valueName: "time"))
    package var sleep: ClockTime?

    @Option(help: ArgumentHelp("How long that fade takes, up to 1:00:00 (1:00, unless the preferences say otherwise).", valueName: "time"))
    package var sleepFade: ClockTime?

    @Option(
        help: ArgumentHelp("Course of that fade, one of the easings of patches (sineIn, or that of the preferences).", valueName: "ease"))
    package var sleepEase: Easing?

    @Flag(help: "Come up paused.")
    package var paused = false

    @Option(help: ArgumentHelp("Name of the JACK server.", valueName: "name"))
    package var server: String?

    @Flag(help: "Start a JACK server if none runs, and stop it at the end.")
    package var startServer = false

    @Option(help: ArgumentHelp("Name of the JACK client.", valueName: "name"))
    package var clientName = "binaural"

    @Option(
        help: ArgumentHelp(
            """
            Connect to the first physical playback ports (auto), to nothing (none), or to the ports that match a regular expression; left \
            out, to what the session remembers, else as the preferences say.
            """, valueName: "auto|none|regex"))
    package var connect: String?

    @Option(
        help: ArgumentHelp(
            "JACK's transport: nothing to do with it (none), go where it goes (follow), or take it along (lead). Kept in the session.",
            valueName: "none|follow|lead"))
    package var transport: TransportMode?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("No sample leaves the program above this level, -60 to 0 dBFS.", valueName: "dB"))
    package var ceiling = -6.0

    @Option(
        help: ArgumentHelp(
            "Instruction set of the render code: auto is the best that this machine has.", valueName: "auto|baseline|avx2"))
    package var kernel = KernelOption.auto

    @Option(
        help: ArgumentHelp("Ports for the mix alone, or beside it a pair for each of the first 16 layers.", valueName: "mix|layers"))
    package var outputs = OutputsOption.mix

    @Option(help: ArgumentHelp("UDP port of the remote control; auto takes any free one.", valueName: "port|auto"))
    package var oscPort: PortOption?

    @Option(
        help: ArgumentHelp(
            "Beside 127.0.0.1, listen on this address of the machine, or on the Unix socket unix:PATH. May be repeated.",
            valueName: "address|unix:path"))
    package var oscListen: [String] = []

    @Option(
        help: ArgumentHelp("What programs on this machine may do: look, play, or end the program too.", valueName: "view|control|admin"))
    package var oscLocalRole = Role.admin

    @Option(
        help: ArgumentHelp("Keep the time that a bundle names, or take every bundle at once.", valueName: "honour|immediate"))
    package var oscTimetags = TimetagsOption.honour

    @Option(
        help: ArgumentHelp(
            "Let a network in, as --osc-allow 192.168.1.0/24=control; view, control or admin. May be repeated.", valueName: "cidr=role"))
    package var oscAllow: [String] = []

    @Option(
        help: ArgumentHelp(
            "Tell a surface that cannot subscribe, as --osc-feedback 192.168.1.30:9000=now,layers. May be repeated.",
            valueName: "host:port=topics"))
    package var oscFeedback: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show the OSC addresses to OSCQuery browsers over HTTP and WebSocket, at this TCP port of 127.0.0.1; auto takes any free one.",
            valueName: "port|auto|off"))
    package var oscQuery = QueryOption.off

    @Option(
        help: ArgumentHelp(
            "Ping a WebSocket of OSCQuery after this many seconds of silence; one that answers neither of two pings is closed.",
            valueName: "seconds", visibility: .hidden))
    package var oscQueryPing = WebServer.pingInterval

    @Flag(help: "Show nothing but errors.")
    package var quiet = false

    @Flag(help: "Tell more about what happens.")
    package var verbose = false

    package init() {}

    package mutating func validate() throws {
        guard ceiling >= -60, ceiling <= 0 else { throw ValidationError("--ceiling takes a level from -60 to 0 dBFS, not \(ceiling).") }
        guard clientName.isClientName else {
            throw ValidationError("--client-name takes 1 to 63 bytes without ':' and '/', not beginning with a dot; not '\(clientName)'.")
        }
        if let sleep, !(sleep.seconds > 0 && sleep.seconds <= SleepTimer.longest) {
            throw ValidationError("--sleep takes a time above 0, up to 24:00:00.")
        }
        if let sleepFade, !(0...3600).contains(sleepFade.seconds) { throw ValidationError("--sleep-fade takes 0 to 1:00:00.") }
        guard sleep != nil || (sleepFade == nil && sleepEase == nil) else {
            throw ValidationError("--sleep-fade and --sleep-ease belong to --sleep: say when, as --sleep 45:00.")
        }
        guard !(quiet && verbose) else { throw ValidationError("--quiet and --verbose contradict each other: give one of them.") }
        guard (0.01...3600).contains(oscQueryPing) else {
            throw ValidationError("--osc-query-ping takes seconds, 0.01 to 3600, not \(oscQueryPing).")
        }
        if let empty = items.first(where: \.isEmpty) { throw ValidationError("An item must have a name, not '\(empty)'.") }
    }
}

extension TransportMode: ExpressibleByArgument {}
extension Easing: ExpressibleByArgument {}
extension Role: ExpressibleByArgument {}

package enum OutputsOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case mix, layers

    /// The number of layers with ports of their own.
    var layerCount: Int { self == .layers ? 16 : 0 }
}

package enum TimetagsOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case honour, immediate
}

package enum QueryOption: ExpressibleByArgument, Equatable, Sendable {
    case off
    case on(PortOption)

    package init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let port = PortOption(argument: argument) {
            self = .on(port)
        } else {
            return nil
        }
    }

    package var defaultValueDescription: String { "off" }
}

package enum PortOption: ExpressibleByArgument, Equatable, Sendable {
    case any
    case number(UInt16)

    package init?(argument: String) {
        if argument == "auto" {
            self = .any
        } else if let number = UInt16(argument), number > 0 {
            self = .number(number)
        } else {
            return nil
        }
    }
}
