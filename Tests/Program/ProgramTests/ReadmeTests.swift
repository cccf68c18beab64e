import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Runs every command of the README, in the order of the text.
@Suite("README")
struct ReadmeTests {
    /// Its commands, with continued lines joined and comments removed.
    private static func commands(_ block: MarkdownBlock) -> [String] {
        block.lines.joined(separator: "\n").replacing(/\\\n */, with: " ").split(separator: "\n")
            .map { $0.replacing(/\ +#.*$/, with: "").trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("the commands of the README work as described")
    func commands() async throws {
        // The client has the default name, since `ctl` uses that one.
        try await JACKServer.run { server in
            let reader = try Reader(server)
            defer { keepAlive(reader.folder, reader.environment) }
            try await reader.play(["welcome"])
            for block in try MarkdownBlock.all(in: "README.md") {
                if block.language == "yaml", let name = block.lines.first?.firstMatch(of: /^# (\S+\.yaml)$/) {
                    _ = try reader.folder.write(block.text, to: String(name.1))
                }
                guard block.language == "sh" else { continue }
                for command in Self.commands(block) { try await reader.follow(command) }
            }
            try await reader.leave()
            #expect(reader.followed.value.count >= 15, "\(reader.followed.value)")
            #expect(reader.heard.value.contains { $0.contains("/binaural/now/title") }, "the subscription was answered")
        }
    }
}

/// Follows the README on one machine; one instance plays at a time, as for a user.
private struct Reader: Sendable {
    let folder: TemporaryFolder
    let followed = WatchedState<[String]>([])
    /// Messages received on the subscribed port.
    let heard = WatchedState<[String]>([])
    private let variables: [String: String]
    let environment: IsolatedEnvironment
    private let playing = WatchedState<RunningProgram?>(nil)
    private let dump = WatchedState<RunningProgram?>(nil)
    /// The port of the running instance; the default port may be in use on this machine.
    private let port = WatchedState("")

    init(_ server: JACKServer) throws {
        folder = try TemporaryFolder()
        environment = try IsolatedEnvironment(adding: server.environment)
        let programs = (try PackageRoot.program() as NSString).deletingLastPathComponent
        variables = environment.adding(["PATH": programs + ":" + (environment.variables["PATH"] ?? "")])
    }

    func follow(_ command: String) async throws {
        followed.update { $0.append(command) }
        if command.hasPrefix("make ") {
            // Building and testing from within a test would recurse, so only the existence of the target is checked.
            try await shell("make -n \(command.dropFirst(5))", in: PackageRoot.path)
        } else if command.hasPrefix("oscdump ") {
            let listening = try RunningProgram("stdbuf", ["-oL", "oscdump", "-L", dumpPort], environment: variables)
            dump.update { $0 = listening }
            try await waitForListener()
        } else if command.hasPrefix("binaural play "), command.contains("--web") {
            // The text has the reader quit before.
            try await leave()
            // Loopback replaces the network of a phone.
            let local = command.replacing("0.0.0.0", with: "127.0.0.1").replacing("192.168.1.20", with: "127.0.0.1")
            try await play(local.split(separator: " ").dropFirst(2).map(String.init))
        } else {
            // The running instance's port replaces the default one, and a free port replaces the listening one.
            let local = command.replacing("127.0.0.1:7830", with: "127.0.0.1:\(port.value)").replacing(" 9000", with: " \(dumpPort)")
            try await shell(local, in: folder.path)
        }
    }

    func play(_ arguments: [String]) async throws {
        let program = try RunningProgram(
            "binaural", ["play"] + arguments + ["--connect", "none", "--osc-port", "auto"], environment: variables, folder: folder.path)
        let line = try await program.state("playing")
        let found = line.text.firstMatch(of: /osc\.udp:\/\/127\.0\.0\.1:(\d+)/).map { String($0.1) }
        port.update { [found] in $0 = found ?? "" }
        playing.update { $0 = program }
        let runtime = try variables["XDG_RUNTIME_DIR"].orThrow("no XDG_RUNTIME_DIR")
        #expect(await FileArrival("\(runtime)/binaural/binaural.url").arrives())
    }

    /// Ends the running instance after its pending messages have been sent.
    func leave() async throws {
        if let dump = dump.value {
            _ = try await dump.line(containing: "/binaural/snapshot/end")
            _ = try await dump.line(containing: "/binaural/now/title")
            heard.update { $0 += dump.outputLines }
            await dump.end()
            self.dump.update { $0 = nil }
        }
        guard let program = playing.value else { return }
        program.send(signal: SIGTERM)
        #expect(try await program.exit() == .code(0), "\(program.transcript)")
        playing.update { $0 = nil }
    }

    /// Waits for oscdump to listen, which shows in the system's table of sockets.
    private func waitForListener() async throws {
        let entry = String(format: ":%04X ", Int(dumpPort) ?? 0)
        let listens = try await eventually {
            try ["/proc/net/udp", "/proc/net/udp6"].contains { try String(contentsOfFile: $0, encoding: .utf8).contains(entry) }
        }
        guard listens else { throw ProgramFailure("oscdump does not listen at \(dumpPort)") }
    }

    private func shell(_ command: String, in folder: String) async throws {
        let run = try await RunningProgram.run("sh", ["-c", command], environment: variables, folder: folder)
        #expect(run.exit == .code(0), "\(run.summary)")
    }

    /// A port that is not the running instance's, and likely free.
    private var dumpPort: String { "\((Int(port.value) ?? 40_000) ^ 1)" }
}
