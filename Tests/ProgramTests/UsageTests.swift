import TestSupport
import Testing

@Suite("Command line")
struct UsageTests {
    static let usageErrors: [[String]] = [
        ["--bogus"], ["bogus"], ["ctl"], ["ctl", "play", "--bogus"], ["ctl", "--wait", "0", "play"], ["ctl", "--wait", "x", "play"],
        ["ctl", "a b"], ["ctl", "--client", "a", "--to", "127.0.0.1:1", "play"], ["ctl", "--to", "nowhere", "play"],
        ["ctl", "--repl", "play"], ["ctl", "--repl", "--bogus"],
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

    @Test("the version is a number")
    func version() async throws {
        let run = try await binaural("--version")
        #expect(run.exit == .code(0))
        #expect(run.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
    }

    @Test(
        "each subcommand's help has an example",
        arguments: ["", "play", "render", "import", "export", "ctl", "watch", "notes", "check", "list"])
    func help(subcommand: String) async throws {
        let arguments = subcommand.isEmpty ? ["--help"] : [subcommand, "--help"]
        let run = try await RunningProgram.run(try PackageRoot.program(), arguments)
        #expect(run.exit == .code(0))
        #expect(run.output.contains("EXAMPLES:\n  binaural \(subcommand)"))
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
