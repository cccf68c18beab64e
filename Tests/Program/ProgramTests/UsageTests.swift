import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Command line")
struct UsageTests {
    @Test(
        "an invalid command line is 64, with the correct usage, and nothing else is output",
        arguments: [
            ["play", "--bogus"], ["ctl", "--wait", "0", "play"], ["web", "pair", "--role", "root"], ["watch", "--to", "nowhere"], ["plya"],
        ])
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
