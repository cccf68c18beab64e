import Foundation
import OSC
import OSCRemote
import ProgramSupport
import TestSupport
import Testing

/// Descriptors, folders and limits of the system as another program may leave them.
@Suite("Surroundings of the program", .ownThread)
struct SurroundingsTests {
    /// A standard error on a full disk, a closed one, and one whose reader has stopped reading.
    static let errors = ["2>/dev/full", "2>&-", "2<>unread"]

    /// Runs the program from a shell, in which `unread` is a pipe that is full.
    private func start(_ run: PlayRun, _ arguments: [String], _ redirection: String) throws -> RunningProgram {
        let script = """
            mkfifo unread && exec 3<>unread
            dd if=/dev/zero of=unread bs=4096 oflag=nonblock 2>/dev/null
            exec "$0" "$@" \(redirection) 3<&-
            """
        return try RunningProgram(
            "/bin/sh", ["-c", script, try PackageRoot.program()] + arguments, environment: run.environment.variables,
            folder: run.folder.path)
    }

    @Test("where the log cannot be written, it is dropped: a malformed packet neither ends the program nor keeps it", arguments: errors)
    func log(_ redirection: String) async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try start(run, ["play", "reference-440"] + PlayRun.arguments(server.clientName), redirection)
            let asker = try await Asker(program)
            let endpoint = try InstanceFile(client: server.clientName, environment: run.environment.variables).read()
            try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0)).send([UInt8](repeating: 0x78, count: 1), to: endpoint)
            #expect(try asker.ask("ping", .int32(5), answer: "pong").first == .int32(5))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("it plays where its address cannot be written, and says what ctl needs instead")
    func noFolderForTheAddress() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try RunningProgram(
                try PackageRoot.program(), ["play", "reference-440"] + PlayRun.arguments(server.clientName),
                environment: run.environment.adding(["XDG_RUNTIME_DIR": "/dev/null"]), folder: run.folder.path)
            let sentence = try await program.line(containing: "'ctl' and 'watch' need --to 127.0.0.1:")
            let address = try sentence.text.split(separator: " ").first { $0.hasPrefix("127.0.0.1:") }.orThrow(sentence.text)
            try await program.state("playing")
            let ping = try await binaural("ctl", "--to", String(address), "--wait", Patience.seconds, "ping")
            #expect(ping.exit == .code(0), "\(ping.summary)")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    private func shell(_ script: String, _ environment: IsolatedEnvironment) async throws -> FinishedProgram {
        try await RunningProgram.run(
            "/bin/sh", ["-c", script, try PackageRoot.program()], environment: environment.variables, folder: environment.folder.path)
    }

    @Test("an error that cannot be printed keeps its exit status", arguments: ["2>/dev/full", "2>&-"])
    func status(_ redirection: String) async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        try environment.folder.write("layers: 3\n", to: "bad.yaml")
        let run = try await shell("exec \"$0\" check bad.yaml \(redirection)", environment)
        #expect(run.exit == .code(65), "\(run.summary)")
    }

    @Test("a command whose output cannot be written says so, and fails", arguments: ["list", "notes"])
    func fullOutput(_ command: String) async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let run = try await shell("exec \"$0\" \(command) > /dev/full", environment)
        #expect(run.exit == .code(74), "\(run.summary)")
        #expect(run.errors.contains("Not everything could be written to standard output: No space left on device."), "\(run.summary)")
    }

    static let limits = [
        ("ulimit -n 12; exec \"$0\" play welcome", "(ulimit -n 1024)"),
        ("ulimit -v 900000; exec \"$0\" play welcome", "(ulimit -v unlimited)"),
        ("ulimit -n 5; exec \"$0\" watch --to 127.0.0.1:9", "(ulimit -n 1024)"),
        ("ulimit -n 8; exec \"$0\" render welcome -o welcome.wav", "(ulimit -n 1024)"),
        ("ulimit -v 307200; exec \"$0\" render welcome -o welcome.wav", "(ulimit -v unlimited)"),
        ("ulimit -v 204800; exec \"$0\" plot welcome -o welcome.svg", "(ulimit -v unlimited)"),
    ]

    @Test("with too few descriptors or too little memory, there is a sentence with the limit to raise", arguments: limits)
    func limit(_ script: String, remedy: String) async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let run = try await shell(script, environment)
        #expect(run.exit == .code(69), "\(run.summary)")
        #expect(run.errorLines.count == 1 && run.errors.contains(remedy), "\(run.summary)")
    }

    /// Leaves a running program this much address space; `nil` is as much as it likes. prlimit(1)
    private func limitMemory(of program: RunningProgram, leaving bytes: Int?) async throws {
        let pages = try Int(String(contentsOfFile: "/proc/\(program.pid)/statm", encoding: .utf8).prefix { $0 != " " }).orThrow("no statm")
        let limit = bytes.map { "\(pages * Int(sysconf(Int32(_SC_PAGESIZE))) + $0)" } ?? "unlimited"
        let run = try await RunningProgram.run("prlimit", ["--pid", "\(program.pid)", "--as=\(limit):"])
        try #require(run.exit == .code(0), "\(run.summary)")
    }

    @Test("with too little memory left, what needs some is refused, the sound can be stopped, and all works again when there is enough")
    func littleMemoryLeft() async throws {
        try await JACKServer.run { server in
            // With one arena, the C library has reserved no memory of its own.
            let run = try PlayRun(server, adding: ["MALLOC_ARENA_MAX": "1"])
            defer { run.keep() }
            let program = try run.start("reference-440")
            try await program.state("playing")
            try await run.ctl("ping")
            try await limitMemory(of: program, leaving: 8 << 20)
            let refused = try await RunningProgram.run(
                try PackageRoot.program(),
                ["ctl", "--client", server.clientName, "--wait", Patience.seconds, "queue/add", "welcome"],
                environment: run.environment.variables)
            #expect(refused.exit == .code(1), "\(refused.summary)")
            #expect(refused.errors.contains("too little memory"), "\(refused.summary)")
            try await run.ctl("master/gain", "-20")
            try await run.ctl("stop")
            let stopped = try await program.state("stopped")
            try await limitMemory(of: program, leaving: nil)
            try await run.ctl("queue/add", "welcome")
            try await run.ctl("play")
            try await program.state("playing", from: stopped.index + 1)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("with too little memory left for the next item, it pauses with a sentence, and plays on when there is enough")
    func littleMemoryForTheNextItem() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server, adding: ["MALLOC_ARENA_MAX": "1"])
            defer { run.keep() }
            for name in ["one", "two", "three"] { try run.folder.write("duration: 1\nlayers: [{tone: {gain: -20}}]\n", to: "\(name).yaml") }
            let program = try run.start("one.yaml", "two.yaml", "three.yaml")
            try await program.state("playing")
            try await run.ctl("repeat", "all")
            // The item that plays ends, and one more: the engine has it already.
            try await limitMemory(of: program, leaving: 8 << 20)
            let paused = try await program.line(containing: "Paused, since too little memory is left")
            try await program.state("paused")
            try await limitMemory(of: program, leaving: nil)
            try await run.ctl("play")
            try await program.state("playing", from: paused.index + 1)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }
}
