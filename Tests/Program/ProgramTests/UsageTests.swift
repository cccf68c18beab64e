import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Command line")
struct UsageTests {
    static let usageErrors: [[String]] = [
        ["play", "--osc-query-listen", "0.0.0.0"], ["play", "--osc-query-host", "studio"], ["play", "--zeroconf", "on"],
        ["play", "--web", "0"], ["play", "--web", "off", "--web-listen", "0.0.0.0"], ["play", "--web", "off", "--web-proxy", "7881"],
        ["web", "pair", "--role", "root"], ["web", "revoke"],
        ["ctl", "--find", "play"], ["ctl", "--find", "--repl"], ["ctl", "--find", "--to", "127.0.0.1:7830"],
        ["ctl", "--find", "--wait", "nan"],
        ["--bogus"], ["bogus"], ["ctl"], ["ctl", "play", "--bogus"], ["ctl", "--wait", "0", "play"], ["ctl", "--wait", "x", "play"],
        ["ctl", "a b"], ["ctl", "--client", "a", "--to", "127.0.0.1:1", "play"], ["ctl", "--to", "nowhere", "play"],
        ["ctl", "--repl", "play"], ["ctl", "--repl", "--bogus"],
        ["new"], ["new", "a", "b"], ["new", "a/"], ["new", "x.sbg"], ["save-as"], ["save-as", "a/b"], ["save-as", "-x"],
        ["save-as", "a.yaml"],
        ["watch", "more"], ["watch", "--to", "nowhere"],
        ["notes", "--a4", "100"],
        ["import", "a.sbg"], ["import", "a.sbg", "-o", "a.sbg"], ["export", "a.yaml"], ["export", "a.yaml", "-o", "a.yaml"],
        ["notes", "--a4", "x"], ["notes", "more"], ["list", "more"], ["check"], ["check", "--bogus", "x"],
    ]

    @Test("an invalid command line is 64, with the correct usage", arguments: usageErrors)
    func usage(arguments: [String]) async throws {
        let run = try await RunningProgram.run(try PackageRoot.program(), arguments)
        #expect(run.exit == .code(64), "\(run.summary)")
        #expect(run.errors.hasPrefix("binaural: error: "))
        #expect(run.output.isEmpty)
    }

    static let mistaken: [(arguments: [String], sentence: String)] = [
        (["play", "rain", "--session", "deep-alpha"], "A session named 'deep-alpha' would hide the patch of that name"),
        (["play", "rain", "--at", "-5"], "Use a time of day, h:mm or h:mm:ss up to 23:59:59, or a time from now, as in +20:00."),
        (["ctl", "sleep", "45m"], "'45m' is not a time: use seconds, m:ss or h:mm:ss. Did you mean 45:00?"),
        (["render", "rain", "-o", "x.wav", "--loudness", "23"], "not 23. Did you mean -23?"),
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

    @Test("a misspelt subcommand or topic is answered with a suggestion", arguments: mistaken)
    func didYouMean(arguments: [String], sentence: String) async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let run = try await RunningProgram.run(try PackageRoot.program(), arguments, environment: environment.variables)
        #expect(run.exit == .code(64), "\(run.summary)")
        #expect(run.errors.contains(sentence), "\(run.summary)")
    }

    @Test("the version is a number")
    func version() async throws {
        let run = try await binaural("--version")
        #expect(run.exit == .code(0))
        #expect(run.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
    }

    @Test(
        "each subcommand's help has an example",
        arguments: ["", "play", "new", "save-as", "render", "import", "export", "ctl", "watch", "notes", "check", "list", "web"])
    func help(subcommand: String) async throws {
        let arguments = subcommand.isEmpty ? ["--help"] : [subcommand, "--help"]
        let run = try await RunningProgram.run(try PackageRoot.program(), arguments)
        #expect(run.exit == .code(0))
        #expect(run.output.contains("EXAMPLES:\n  binaural \(subcommand)"))
    }

    @Test("a page of documentation that the help names exists", arguments: [("ctl", "osc.md"), ("midi", "midi.md")])
    func documentation(subcommand: String, page: String) async throws {
        let run = try await binaural(subcommand, "--help")
        #expect(try #require(run.output.firstMatch(of: /\/[^ ]*\.md/)).output.hasSuffix("/docs/\(page)"), "\(run.output)")
        #expect(FileManager.default.fileExists(atPath: PackageRoot.file("docs/\(page)")))
    }

    @Test("completions are generated for each shell", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async throws {
        let run = try await binaural("--generate-completion-script", shell)
        #expect(run.exit == .code(0))
        #expect(run.output.contains("binaural"))
        #expect(run.output.contains("notes"))
        if shell != "fish" {
            let syntax = try await RunningProgram.run("bash", ["-n"], input: run.output + "\n")
            if shell == "bash" { #expect(syntax.exit == .code(0), "\(syntax.summary)") }
        }
    }
}
