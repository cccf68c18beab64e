import ArgumentParser
import InstanceSupport
import Library
import TestSupport
import Testing

@testable import Application
@testable import binaural

/// The program's own parser, and the checks before anything is opened.
@Suite("Mistakes on the command line")
struct UsageTests {
    private let home: InstanceHome

    init() throws { home = try InstanceHome.withLibrary() }

    /// The exit status and the text on standard error; 0 if nothing is wrong with the arguments.
    private func outcome(_ arguments: [String]) -> (status: Int32, text: String) {
        do {
            var command = try Binaural.parseAsRoot(arguments)
            // Help is shown by an error.
            if !Set(["help", "--help"]).isDisjoint(with: arguments) { try command.run() }
            if let play = command as? PlayCommand { _ = try PlaySetup(play.options.configuration(), places: home.places) }
            return (0, "")
        } catch {
            return ErrorReport.describe(
                MistakenSubcommand.error(behind: error, in: arguments, of: Binaural.self, Library(places: home.places))
                    ?? MistakenOption.error(behind: error, in: arguments, of: Binaural.self) ?? error)
        }
    }

    static let usageErrors: [[String]] = [
        ["play", "--osc-query-listen", "0.0.0.0"], ["play", "--osc-query-host", "studio"], ["play", "--zeroconf", "on"],
        ["play", "--web", "0"], ["play", "--web", "off", "--web-listen", "0.0.0.0"], ["play", "--web", "off", "--web-proxy", "7881"],
        ["web", "pair", "--role", "root"], ["web", "revoke"],
        ["ctl", "--find", "play"], ["ctl", "--find", "--repl"], ["ctl", "--find", "--to", "127.0.0.1:7830"],
        ["ctl", "--find", "--wait", "nan"],
        ["--bogus"], ["bogus"], ["ctl"], ["ctl", "play", "--bogus"], ["ctl", "--wait", "0", "play"], ["ctl", "--wait", "x", "play"],
        ["ctl", "a b"], ["ctl", "--client", "a", "--to", "127.0.0.1:1", "play"],
        ["ctl", "--repl", "play"], ["ctl", "--repl", "--bogus"],
        ["new"], ["new", "a", "b"], ["new", "a/"], ["new", "x.sbg"], ["save-as"], ["save-as", "a/b"], ["save-as", "-x"],
        ["save-as", "a.yaml"],
        ["watch", "more"],
        ["notes", "--a4", "100"],
        ["import", "a.sbg"], ["import", "a.sbg", "-o", "a.sbg"], ["export", "a.yaml"], ["export", "a.yaml", "-o", "a.yaml"],
        ["notes", "--a4", "x"], ["notes", "more"], ["list", "--more"], ["check"], ["check", "--bogus", "x"],
    ]

    @Test("an invalid command line is 64, and says why", arguments: usageErrors)
    func usage(arguments: [String]) {
        let outcome = outcome(arguments)
        #expect(outcome.status == 64 && !outcome.text.isEmpty, "\(arguments): \(outcome)")
    }

    static let options: [[String]] = [
        ["--bogus"], ["--ceiling", "3"], ["--ceiling", "loud"], ["--connect", "["], ["--osc-port", "0"], ["--osc-port", "99999"],
        ["--client-name", "a:b"], ["--client-name", ""], ["--quiet", "--verbose"], ["--kernel", "fast"], ["--osc-listen", "nowhere"],
        ["--osc-allow", "192.168.1.0/24"], ["--osc-allow", "192.168.1.0/24=all"], ["--osc-feedback", "192.168.1.2"], [""],
        ["--osc-listen", "unix:"], ["--osc-local-role", "root"], ["--osc-timetags", "sometimes"],
    ]

    @Test("an invalid option of play is 64 before anything is opened", arguments: options)
    func wrongOption(arguments: [String]) {
        let outcome = outcome(["play"] + arguments)
        #expect(outcome.status == 64 && !outcome.text.isEmpty, "\(arguments): \(outcome)")
    }

    static let times: [(arguments: [String], sentence: String)] = [
        (["--at", "25:00"], "The value '25:00' is invalid for '--at <h:mm|+time>': Use a time of day, h:mm or h:mm:ss up to 23:59:59"),
        (["--at", "630"], "Did you mean 6:30?"), (["--at", "6"], "Did you mean 6:00?"), (["--at", "6.30"], "Did you mean 6:30?"),
        (["--at", "6:30 pm"], "Did you mean 18:30?"),
        (["--at", "45m"], "Did you mean +45:00?"), (["--at", "+45m"], "Did you mean +45:00?"), (["--at", "tomorrow"], "Use a time of day"),
        (["--at", "+0"], "After + comes a time from now"), (["--at", "+25:00:00"], "up to 24:00:00"), (["--at", ""], "Use a time of day"),
        (["--at", "6:30", "--paused"], "--paused and --at contradict each other"), (["--rise", "1:00"], "--rise needs --at"),
        (["--at", "6:30", "--rise", "2:00:00"], "--rise takes 0 to 1:00:00."),
        (
            ["--sleep", "45m"],
            "The value '45m' is invalid for '--sleep <time>': Use seconds, m:ss or h:mm:ss. Did you mean 45:00?"
        ),
        (["--sleep", "1h"], "Did you mean 1:00:00?"), (["--sleep", "1h30m"], "Did you mean 1:30:00?"),
        (["--sleep", "1:5"], "Did you mean 1:05?"), (["--sleep", "soon"], "m:ss or h:mm:ss"),
        (["--sleep", "0"], "--sleep takes a time above 0, up to 24:00:00."),
        (["--sleep", "25:00:00"], "--sleep takes a time above 0, up to 24:00:00."),
        (["--sleep", "45:0"], "The value '45:0' is invalid for '--sleep <time>'"),
        (["--sleep", "1:00", "--sleep-fade", "2:00:00"], "--sleep-fade takes 0 to 1:00:00."),
        (["--sleep", "1:00", "--sleep-ease", "sinIn"], "The value 'sinIn' is invalid for '--sleep-ease <ease>'"),
        (["--sleep-fade", "10"], "--sleep-fade and --sleep-ease need --sleep"),
    ]

    @Test("an invalid time is a usage error that lists the valid forms and suggests one", arguments: times)
    func invalidTime(arguments: [String], sentence: String) {
        let outcome = outcome(["play", "welcome"] + arguments)
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.text.contains(sentence), "\(outcome)")
    }

    static let mistaken: [(arguments: [String], sentence: String)] = [
        (["play", "rain", "--session", "deep-alpha"], "A session named 'deep-alpha' would hide the patch of that name"),
        (["play", "rain", "--at", "-5"], "Use a time of day, h:mm or h:mm:ss up to 23:59:59, or a time from now, as in +20:00."),
        (["ctl", "sleep", "45m"], "'45m' is not a time: use seconds, m:ss or h:mm:ss. Did you mean 45:00?"),
        (["render", "rain", "-o", "x.wav", "--loudness", "23"], "not 23. Did you mean -23?"),
        (["play", "--port", "7831"], "Unknown option '--port'. Did you mean '--osc-port'?"),
        (["play", "--listen", "0.0.0.0"], "Did you mean '--osc-listen', '--osc-query-listen' or '--web-listen'?"),
        (["plya", "welcome"], "There is no subcommand 'plya'. Did you mean 'binaural play'?"),
        (["rendr", "x", "-o", "x.wav"], "Did you mean 'binaural render'?"), (["midi", "lern", "x"], "Did you mean 'binaural midi learn'?"),
        (["welcome"], "There is no subcommand 'welcome'. 'welcome' is a session: to play it, use 'binaural play welcome'."),
        (["deep-alpha", "--paused"], "'deep-alpha' is a patch: to play it, use 'binaural play deep-alpha'."),
        (["help", "plya"], "There is no subcommand 'plya'. Did you mean 'binaural play'?"),
        (["help", "midi", "lern"], "Did you mean 'binaural midi learn'?"),
        (["xyzzy", "--help"], "There is no subcommand 'xyzzy'."),
        (["xyzzy"], "There is no subcommand 'xyzzy'. 'binaural --help' lists the subcommands."),
        (
            ["play", "welcome", "--osc-feedback", "192.0.2.1:9000=now,layrs"],
            "not '192.0.2.1:9000=now,layrs'. There is no topic 'layrs'. Did you mean 'layers'? The topics are now, commands, layers, "
        ),
        (["play", "welcome", "--osc-feedback", "192.0.2.1:9000=tick"], "Write the topic 'tick' as tick/HZ, not 'tick'."),
    ]

    static let renders: [(arguments: [String], sentence: String)] = [
        (
            ["render", "moving.yaml", "-o", "x.aac"],
            "Cannot tell the format of 'x.aac': use a name ending in .wav, .flac, .ogg, .opus or .mp3, or --format."
        ),
        (["render", "moving.yaml", "-o", "x.wav", "--format", "flac"], "--format flac and the name 'x.wav' contradict each other"),
        (["render", "moving.yaml", "-o", "x.wav", "--format", "aac"], "The value 'aac' is invalid for '--format"),
        (["render", "moving.yaml", "-o", "x.flac", "--depth", "32f"], "FLAC supports 16 or 24 bits: --depth 32f is for WAV"),
        (["render", "moving.yaml", "-o", "x.opus", "--depth", "16"], "--depth is for WAV and FLAC: use --quality for Opus"),
        (
            ["render", "moving.yaml", "-o", "x.opus", "--sample-rate", "44100"],
            "Opus needs a sample rate of 8000, 12000, 16000, 24000 or 48000 Hz, not 44100 Hz"
        ),
        (
            ["render", "moving.yaml", "-o", "x.ogg", "--sample-rate", "384000"],
            "Ogg Vorbis needs a sample rate of at most 192000 Hz, not 384000"
        ),
        (
            ["render", "moving.yaml", "-o", "x.flac", "--sample-rate", "65537"],
            "FLAC needs a sample rate of up to 65535 Hz, or multiples of 10 Hz, not"
        ),
        (["render", "moving.yaml", "-o", "x.flac", "--quality", "1"], "--quality is for Ogg, Opus and MP3: FLAC is lossless"),
        (["render", "moving.yaml", "-o", "x.ogg", "--quality", "2"], "--quality takes 0 to 1, not 2"),
        (["render", "moving.yaml", "-o", "x.wav", "--jobs", "0"], "--jobs takes 1 to 64, not 0"),
        (["render", "moving.yaml"], "Missing expected argument '--output <file>'"),
        (["render", "moving.yaml", "-o", "x.wav", "--to", "1:99"], "The value '1:99' is invalid for '--to <time>'"),
        (["render", "moving.yaml", "-o", "x.wav", "--depth", "8"], "The value '8' is invalid for '--depth"),
        (["render", "moving.yaml", "-o", "x.wav", "--sample-rate", "100"], "--sample-rate takes 8000 to 384000 Hz, not 100"),
        (["render", "moving.yaml", "-o", "x.wav", "--kernel", "fast"], "The value 'fast' is invalid for '--kernel"),
        (["render", "moving.yaml", "-o", "x.wav", "--ceiling", "3"], "--ceiling takes a level from -60 to 0 dBFS, not 3"),
    ]

    @Test("options of render that contradict each other, or that its format does not have, are usage errors", arguments: renders)
    func wrongRender(arguments: [String], sentence: String) {
        let outcome = outcome(arguments)
        #expect(outcome.status == 64 && outcome.text.hasPrefix(sentence), "\(arguments): \(outcome)")
    }

    @Test("a missing item is 66, with a suggestion")
    func noSuchItem() {
        let outcome = outcome(["play", "deep-alhpa"])
        #expect(outcome.status == 66 && outcome.text.contains("Did you mean 'deep-alpha'?"), "\(outcome)")
    }

    @Test("a misspelt subcommand or topic is answered with a suggestion", arguments: mistaken)
    func didYouMean(arguments: [String], sentence: String) {
        let outcome = outcome(arguments)
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.text.contains(sentence), "\(outcome)")
    }
}
