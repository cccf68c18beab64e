import Foundation
import ProgramSupport
import TestSupport
import Testing

/// How `play` comes to PipeWire's JACK; what it does there is in `Stress/pipewire.py`.
@Suite("PipeWire without jackd", .ownThread)
struct PipeWireTests {
    private let isolated: IsolatedEnvironment
    private let socket: RunningProgram

    /// Opens a socket like PipeWire's.
    init() async throws {
        isolated = try IsolatedEnvironment()
        let script = """
            import socket, sys, time
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1])
            listener.listen(64)
            print("listening", flush=True)
            time.sleep(1e6)
            """
        let path = isolated.folder.file("runtime/pipewire-0")
        socket = try RunningProgram(try requireTool("python3", package: "python3"), ["-c", script, path], environment: isolated.variables)
        _ = try await socket.line(containing: "listening")
    }

    private func requireOwnWorld() throws {
        guard ProcessInfo.processInfo.environment["BINAURAL_OWN_WORLD"] != nil else {
            try Test.cancel("a JACK server of this user may be running, and this user may not make namespaces (unshare)")
        }
    }

    /// Runs `play` where the only tool is a `pw-jack` that says how it was called, if there is any.
    private func play(_ options: String..., hasTool: Bool = true, adding added: [String: String] = [:]) async throws -> FinishedProgram {
        try requireOwnWorld()
        defer { keepAlive(isolated, socket) }
        if hasTool {
            let text = try isolated.folder.write("#!/bin/sh\necho \"pw-jack: $*\"\nexit 7\n", to: "text")
            // Written by another process, since a file that this one wrote may still be open in a child that another test starts.
            let copy = try await RunningProgram.run("install", ["-D", "-m", "755", text, isolated.folder.file("tools/pw-jack")])
            try #require(copy.exit == .code(0), "\(copy.errors)")
        }
        let environment = isolated.variables.merging(["PATH": isolated.folder.file("tools")]) { $1 }.merging(added) { $1 }
        return try await RunningProgram.run(
            try PackageRoot.program(), ["play", "reference-440", "--osc-port", "auto"] + options, environment: environment)
    }

    @Test("play starts again under pw-jack, with the same arguments, and with --start-server as well", arguments: [[], ["--start-server"]])
    func restarts(options: [String]) async throws {
        let run = try await play(options.first ?? "--paused")
        #expect(run.exit == .code(7), "\(run.summary)")
        let program = URL(filePath: try PackageRoot.program()).resolvingSymlinksInPath().path
        #expect(
            run.outputLines == ["pw-jack: \(program) play reference-440 --osc-port auto \(options.first ?? "--paused")"], "\(run.summary)")
    }

    @Test("without PipeWire's JACK, a line names the package, and the error is that no server runs")
    func missing() async throws {
        let run = try await play(hasTool: false)
        #expect(run.exit == .code(69), "\(run.summary)")
        #expect(run.errors.contains("install pipewire-jack (apt-get install pipewire-jack)"), "\(run.summary)")
        #expect(run.errors.contains("no server named 'default' is running"), "\(run.summary)")
    }

    @Test("under pw-jack it does not start again, also if that has not loaded PipeWire's JACK")
    func once() async throws {
        let run = try await play(adding: ["BINAURAL_UNDER_PW_JACK": "1"])
        #expect(run.exit == .code(69), "\(run.summary)")
        #expect(run.outputLines.isEmpty, "\(run.summary)")
    }

    @Test("a patch with a mistake is reported once")
    func mistake() async throws {
        try isolated.folder.write("layers: [{tone: {carier: 200}}]\n", to: "wrong.yaml")
        let run = try await play(isolated.folder.file("wrong.yaml"))
        #expect(run.exit == .code(7) && run.errors.isEmpty, "\(run.summary)")
    }

    @Test("a server of jackd that runs is used")
    func running() async throws {
        try requireOwnWorld()
        let jackd = try RunningProgram(
            try requireTool("jackd", package: "jackd2"), ["-n", "default", "-d", "dummy"], environment: isolated.variables)
        let wait = try await RunningProgram.run(
            try requireTool("jack_wait", package: "jackd2"), ["-s", "default", "-w", "-t", Patience.seconds],
            environment: isolated.variables)
        #expect(wait.exit == .code(0), "\(wait.summary)")
        let program = try RunningProgram(
            try PackageRoot.program(), ["play", "reference-440", "--osc-port", "auto"], environment: isolated.variables)
        try await program.state("playing")
        program.send(signal: SIGTERM)
        #expect(try await program.exit() == .code(0), "\(program.transcript)")
        jackd.send(signal: SIGTERM)
        try await jackd.exit()
        keepAlive(isolated, socket)
    }

    @Test("a server of jackd that is named is not replaced")
    func named() async throws {
        for run in [try await play("--server", "studio"), try await play(adding: ["JACK_DEFAULT_SERVER": "studio"])] {
            #expect(run.exit == .code(69), "\(run.summary)")
            #expect(run.errors.contains("'studio'"), "\(run.summary)")
        }
    }
}
