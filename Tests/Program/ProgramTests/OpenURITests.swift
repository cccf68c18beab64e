import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Files from file managers and the like, through genuine busctl on a genuine bus.
@Suite("OpenUri")
struct OpenURITests {
    private static let object = ["org.mpris.MediaPlayer2.binaural", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"]

    /// Opens a file in the program on the bus. Soon after another session, and after many tries, it says to wait, and so does this.
    private func openURI(_ address: String, _ bus: MessageBus) async throws -> FinishedProgram {
        var answer: FinishedProgram?
        _ = try await eventually {
            answer = try await busctl(bus, "call", Self.object + ["OpenUri", "s", address])
            return answer?.errors.contains(/try again in a moment|fewer than ten a second/) == false
        }
        return try answer.orThrow("no answer")
    }

    private func busctl(_ bus: MessageBus, _ verb: String, _ arguments: [String]) async throws -> FinishedProgram {
        try await bus.run("busctl", ["--address=\(bus.address)", "--timeout=\(Patience.seconds)", verb] + arguments, package: "systemd")
    }

    /// The name of the open session.
    private func session(_ bus: MessageBus) async throws -> String {
        let metadata = try await busctl(bus, "get-property", Self.object + ["Metadata"]).output
        return String(metadata.split(separator: "\"xesam:album\" s \"").last?.prefix { $0 != "\"" } ?? "")
    }

    /// Runs the program on a bus of its own.
    private func playing(_ body: @Sendable @escaping (PlayRun, MessageBus) async throws -> Void) async throws {
        try await JACKServer.run { server in
            let bus = try await MessageBus()
            let run = try PlayRun(server, adding: bus.environment)
            defer { run.keep() }
            let program = try run.start("deep-alpha")
            try await program.state("playing")
            try await bus.waitForName("org.mpris.MediaPlayer2.binaural")
            try await body(run, bus)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("OpenUri plays a patch from any folder and opens a session; anything else is an error and nothing stalls")
    func opening() async throws {
        try await JACKServer.run { server in
            let bus = try await MessageBus()
            let run = try PlayRun(server, adding: bus.environment)
            defer { run.keep() }
            let program = try run.start("deep-alpha")
            try await program.state("playing")
            func open(_ address: String) async throws -> FinishedProgram { try await openURI(address, bus) }
            let fifo = run.folder.file("pipe.yaml")
            try #require(mkfifo(fifo, 0o600) == 0)
            let broken = try run.folder.write("layers: [\n", to: "broken.yaml")
            let title = try await run.value(of: "now/title")
            for address in [
                "http://example.com/a.yaml", "file://\(fifo)", "file:///nowhere.yaml", "file:///tmp", "file:///dev/zero",
                "file://\(broken)", "",
            ] {
                let answer = try await open(address)
                #expect(answer.exit != .code(0), "\(address)")
                #expect(try await run.value(of: "now/title") == title, "\(address)")
            }
            let patch = try run.folder.write(
                "title: Mine\nlayers:\n  - name: a\n    tone: {carrier: 300}\n", to: "my folder/mine.yaml")
            #expect(try await open("file://" + patch.replacing(" ", with: "%20")).exit == .code(0))
            #expect(try await run.value(of: "now/title") == "Mine")
            let other = try run.folder.write("format: 1\ntitle: Other\nqueue:\n  - patch: \(patch)\n", to: "other.yaml")
            let answer = try await open("file://\(other)")
            #expect(answer.exit == .code(0), "\(answer.errors)")
            #expect(try await run.value(of: "now/state") == "playing")
            #expect(try await session(bus) == "other")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("A session file that has the name of another session is refused, and continues the one that plays the same")
    func sameName() async throws {
        try await playing { run, bus in
            for (folder, carrier) in [("o1", 200), ("o2", 300)] {
                try run.folder.write(
                    "title: Tone\(carrier)\nlayers:\n  - {name: a, tone: {carrier: \(carrier)}}\n", to: "\(folder)/tone.yaml")
                try run.folder.write("format: 1\nqueue:\n  - patch: tone.yaml\n", to: "\(folder)/eve.yaml")
            }
            let (first, second) = (run.folder.file("o1/eve.yaml"), run.folder.file("o2/eve.yaml"))
            #expect(try await openURI("file://\(first)", bus).exit == .code(0))
            #expect(try await run.value(of: "now/title") == "Tone200")
            let refused = try await openURI("file://\(second)", bus)
            #expect(refused.errors.contains("A session called 'eve' is saved already and plays something else"), "\(refused.errors)")
            #expect(try await run.value(of: "now/title") == "Tone200")
            #expect(try await openURI("file://\(first)", bus).exit == .code(0))
            // Also while another session is open.
            #expect(try await run.ctl("session/load", "welcome").exit == .code(0))
            #expect(try await openURI("file://\(second)", bus).errors.contains("'eve' is saved already"))
            #expect(try await session(bus) == "welcome")
            #expect(try await openURI("file://\(first)", bus).exit == .code(0))
            #expect(try await run.value(of: "now/title") == "Tone200")
            let play = try await RunningProgram.run(
                try PackageRoot.program(), ["play", second] + PlayRun.arguments("other"), environment: run.environment.variables)
            #expect(play.exit != .code(0), "\(play.errors)")
            #expect(play.errors.contains("A session called 'eve' is saved already"), "\(play.errors)")
        }
    }

    @Test("A sequence of SBaGen plays, another path of a file in the queue plays that item, and a session without a sound is open")
    func kinds() async throws {
        try await playing { run, bus in
            try run.folder.write("night: 200+4/20\n0:00 night\n", to: "x/night.sbg")
            let x = run.folder.file("x")
            #expect(try await openURI("file://\(x)/night.sbg", bus).exit == .code(0))
            #expect(try await run.value(of: "now/title") == "night")
            #expect(try await run.value(of: "now/state") == "playing")
            let count = try await run.value(of: "now/queue").split(separator: " ").last
            for path in ["\(x)/night.sbg", "\(x)/../x/night.sbg", "\(x)//./night.sbg"] {
                #expect(try await openURI("file://\(path)", bus).exit == .code(0))
                #expect(try await run.value(of: "now/queue").split(separator: " ").last == count, "\(path)")
            }
            try #require(mkfifo(run.folder.file("pipe.yaml"), 0o600) == 0)
            let silent = try run.folder.write("format: 1\nqueue:\n  - patch: pipe.yaml\n", to: "silent.yaml")
            let answer = try await openURI("file://\(silent)", bus)
            #expect(answer.exit == .code(0), "\(answer.errors)")
            #expect(try await session(bus) == "silent")
            let hidden = try run.folder.write("format: 1\nqueue:\n  - patch: rain\n", to: ".hidden.yaml")
            let refused = try await openURI("file://\(hidden)", bus)
            #expect(refused.errors.contains("use one without a leading dot"), "\(refused.errors)")
            #expect(try await session(bus) == "silent")
        }
    }
}
