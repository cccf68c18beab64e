import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Installing")
struct InstallTests {
    @Test("an installed program finds the shipped files, and is uninstalled without a trace")
    func install() async throws {
        let folder = try TemporaryFolder()
        defer { keepAlive(folder) }
        let prefix = folder.file("prefix")
        let script = PackageRoot.file("scripts/install-program")
        let installed = try await RunningProgram.run(script, [try PackageRoot.program(), prefix])
        #expect(installed.exit == .code(0), "\(installed.summary)")

        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let list = try await RunningProgram.run(
            prefix + "/bin/binaural", ["list", "--long"], environment: environment.variables, folder: environment.folder.path)
        #expect(list.exit == .code(0))
        #expect(
            list.outputLines.contains {
                $0.contains("came with the program") && $0.hasSuffix(prefix + "/share/binaural/patches/welcome.yaml")
            })
        let completion = prefix + "/share/bash-completion/completions/binaural"
        let sourced = try await RunningProgram.run("bash", ["-c", "source '\(completion)' && complete -p binaural"])
        #expect(sourced.exit == .code(0), "\(sourced.summary)")
        for file in [
            "share/zsh/site-functions/_binaural", "share/fish/vendor_completions.d/binaural.fish", "share/applications/binaural.desktop",
            "share/icons/hicolor/scalable/apps/binaural.svg", "share/mime/packages/binaural.xml",
            "share/doc/binaural/layouts/binaural.tosc",
            "share/doc/binaural/qjackctl-patchbay.xml", "share/man/man5/binaural-patch.5", "share/man/man7/binaural-osc.7",
        ] {
            #expect(FileManager.default.fileExists(atPath: "\(prefix)/\(file)"))
        }

        try await expectManuals(prefix, environment)
        let named = try await pagesNamedInHelp(prefix, environment)
        #expect(named.contains(prefix + "/share/doc/binaural/osc.md"))
        for page in named { #expect(FileManager.default.fileExists(atPath: page), "\(page)") }

        #expect(try await RunningProgram.run(script, ["--remove", prefix]).exit == .code(0))
        #expect(try FileManager.default.contentsOfDirectory(atPath: prefix) == [])
    }

    /// The subcommands that `--help` lists.
    private func subcommands(_ prefix: String, _ environment: IsolatedEnvironment) async throws -> [String] {
        let help = try await RunningProgram.run(prefix + "/bin/binaural", ["--help"], environment: environment.variables)
        let list = help.outputLines.drop { $0 != "SUBCOMMANDS:" }
        return list.compactMap { $0.firstMatch(of: /^\ \ ([a-z-]+)\s/).map { String($0.1) } }
    }

    /// Every subcommand has a man page, which describes its options.
    private func expectManuals(_ prefix: String, _ environment: IsolatedEnvironment) async throws {
        let names = try await subcommands(prefix, environment)
        #expect(names.count >= 13, "\(names)")
        for name in [""] + names.map({ "-" + $0 }) {
            let page = try String(contentsOfFile: "\(prefix)/share/man/man1/binaural\(name).1", encoding: .utf8)
            #expect(page.contains(".SH \"SYNOPSIS\"\n"), "\(page)")
            #expect(page.contains("-help\\fR\n"), "\(page)")
            #expect(!page.contains(PackageRoot.path), "\(page)")
        }
        for (name, option) in [("play", "watch"), ("ctl", "units")] {
            let page = try String(contentsOfFile: "\(prefix)/share/man/man1/binaural-\(name).1", encoding: .utf8)
            let heading = page.split(separator: "\n").filter { $0.replacing("\\", with: "").contains("no-\(option)") }
            #expect(heading.count == 1, "one paragraph is about both: \(page)")
            #expect(heading.first?.replacing("\\", with: "").contains("--\(option)") == true, "\(page)")
        }
    }

    /// The files of the documentation to which help texts refer.
    private func pagesNamedInHelp(_ prefix: String, _ environment: IsolatedEnvironment) async throws -> Set<String> {
        var pages: Set<String> = []
        for name in try await [""] + subcommands(prefix, environment) {
            let arguments = name.isEmpty ? ["--help"] : [name, "--help"]
            let help = try await RunningProgram.run(
                prefix + "/bin/binaural", arguments, environment: environment.variables.merging(["COLUMNS": "1000"]) { $1 })
            pages.formUnion(help.output.matches(of: /\/[^ ]*\.md/).map { String($0.output) })
        }
        return pages
    }
}

@Suite("Installing the systemd unit")
struct InstallUnitTests {
    @Test(
        "the unit starts the program of its own prefix, wherever it is packed",
        arguments: ["/opt/sounds", "/home/me & you/100% local"], [false, true])
    func unit(prefix: String, isPacked: Bool) async throws {
        let folder = try TemporaryFolder()
        defer { keepAlive(folder) }
        let (prefix, destination) = isPacked ? (prefix, folder.file("packed")) : (folder.path + prefix, "")
        let script = PackageRoot.file("scripts/install-program")
        let installed = try await RunningProgram.run(script, [try PackageRoot.program(), prefix, destination])
        #expect(installed.exit == .code(0), "\(installed.summary)")
        let unit = destination + prefix + "/share/systemd/user/binaural.service"
        let path = prefix.replacing(" ", with: "\\ ").replacing("&", with: "\\&")
        #expect(
            installed.output.contains("systemctl --user enable --now \(path)/share/systemd/user/binaural.service"), "\(installed.summary)")
        let text = try String(contentsOfFile: unit, encoding: .utf8)
        #expect(!text.contains("/usr/local"), "\(text)")
        let escaped = (prefix + "/bin/binaural").replacing("%", with: "%%")
        let word = prefix.contains(" ") ? "\"\(escaped)\"" : escaped
        #expect(text.contains("ExecStart=\(word) play --quiet\n"), "\(text)")
        let entry = try String(contentsOfFile: destination + prefix + "/share/applications/binaural.desktop", encoding: .utf8)
        #expect(entry.contains(" \(word) %F\n"), "\(entry)")
        #expect(entry.contains("TryExec=\(prefix)/bin/binaural\n"), "\(entry)")
        if !isPacked {
            let environment = try IsolatedEnvironment()
            defer { keepAlive(environment) }
            let run = try await RunningProgram.run(
                try requireTool("systemd-analyze", package: "systemd"), ["--user", "verify", unit], environment: environment.variables)
            #expect(run.exit == .code(0), "\(run.summary)")
            #expect(!run.errors.contains("binaural.service"), "\(run.summary)")
        }
        #expect(try await RunningProgram.run(script, ["--remove", prefix, destination]).exit == .code(0))
        #expect(!FileManager.default.fileExists(atPath: unit))
    }
}

/// A machine on which only some programs exist; those of apt log their arguments.
private struct StubMachine {
    let folder: TemporaryFolder
    let log: String

    init(programs: [String: String]) async throws {
        folder = try TemporaryFolder()
        log = folder.file("log")
        for tool in ["bash", "env", "cat", "dirname"] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(tool), withDestinationPath: "/bin/\(tool)")
        }
        // Another process writes them: a program that any process has open for writing, as a child that was started in the meantime
        // would, cannot be run.
        for (name, body) in programs {
            let written = try await RunningProgram.run(
                "bash", ["-c", #"cat > "$0" && chmod 755 "$0""#, folder.file(name)], input: "#!/bin/bash\n\(body)\n")
            guard written.exit == .code(0) else { throw ProgramFailure(written.summary) }
        }
    }

    func run(_ purposes: String...) async throws -> FinishedProgram {
        defer { keepAlive(folder) }
        return try await RunningProgram.run(
            "/bin/bash", [PackageRoot.file("scripts/install-packages")] + purposes, environment: ["PATH": folder.path, "LOG": log])
    }

    var logged: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
}

@Suite("Installing packages")
struct InstallPackagesTests {
    private static let recorded = #"echo "${0##*/} $*" >> "$LOG""#
    private static let everything = ["swift": "", "pkg-config": "", "jackd": "", "oscsend": ""]
    private static let apt = ["apt-get": recorded, "sudo": "exec \"$@\"", "debconf-set-selections": "echo \"debconf $(cat)\" >> \"$LOG\""]

    @Test("no question is asked if nothing is missing")
    func complete() async throws {
        let machine = try await StubMachine(programs: Self.everything.merging(Self.apt) { $1 })
        let run = try await machine.run("build", "play")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.output.isEmpty)
        #expect(run.errors.isEmpty)
        #expect(machine.logged.isEmpty)
    }

    @Test("missing packages are named and installed, without an update if their lists are known")
    func missing() async throws {
        var programs = Self.everything.merging(Self.apt) { $1 }
        programs["apt-cache"] = ""
        programs["jackd"] = nil
        programs["pkg-config"] = #"[[ $2 != liblo ]]"#
        let machine = try await StubMachine(programs: programs)
        let run = try await machine.run("build", "play")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.outputLines.first == "Installing liblo-dev jackd2")
        #expect(machine.logged.contains("debconf jackd2 jackd2/tweak_rt_limits boolean false"))
        #expect(machine.logged.contains("--no-install-recommends install liblo-dev jackd2"))
        #expect(!machine.logged.contains("update"))
    }

    @Test("where PipeWire is running, its JACK is installed, and nowhere else", arguments: [true, false])
    func pipeWire(isRunning: Bool) async throws {
        var programs = Self.everything.merging(Self.apt) { $1 }
        programs["apt-cache"] = ""
        programs["pgrep"] = isRunning ? "echo 4711" : "exit 1"
        let machine = try await StubMachine(programs: programs)
        let run = try await machine.run("play")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.output.contains("Installing pipewire-jack") == isRunning)
        #expect(machine.logged.contains("install pipewire-jack") == isRunning)
    }

    @Test("package lists are fetched first if there are none")
    func unknown() async throws {
        var programs = Self.everything.merging(Self.apt) { $1 }
        programs["apt-cache"] = "exit 100"
        programs["oscsend"] = nil
        let machine = try await StubMachine(programs: programs)
        let run = try await machine.run("build", "play")
        #expect(run.exit == .code(0), "\(run.summary)")
        let calls = machine.logged.split(separator: "\n")
        #expect(calls.count == 2)
        #expect(calls.first?.hasSuffix("update") == true)
        #expect(calls.last?.hasSuffix("install liblo-tools") == true)
    }

    @Test("on a system without apt, the missing packages are named")
    func withoutApt() async throws {
        var programs = Self.everything
        programs["jackd"] = nil
        let machine = try await StubMachine(programs: programs)
        let run = try await machine.run("build", "play")
        #expect(run.exit == .code(69))
        #expect(run.errors.contains("    jackd2 (the JACK server, jackd)"), "\(run.summary)")
    }

    @Test("without Swift the build is refused")
    func withoutSwift() async throws {
        let machine = try await StubMachine(programs: [:])
        let run = try await machine.run("build")
        #expect(run.exit == .code(69))
        #expect(run.errors.contains("No swift in PATH"))
    }
}
