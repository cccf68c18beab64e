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

    /// Runs `play` where the only tool is a `pw-jack` that says how it was called, if there is any.
    private func play(_ options: String..., hasTool: Bool = true, adding added: [String: String] = [:]) async throws -> FinishedProgram {
        guard ProcessInfo.processInfo.environment["BINAURAL_OWN_WORLD"] != nil else {
            try Test.cancel("a JACK server of this user may be running, and this user may not make namespaces (unshare)")
        }
        defer { keepAlive(isolated, socket) }
        if hasTool {
            let tool = try isolated.folder.write("#!/bin/sh\necho \"pw-jack: $*\"\nexit 7\n", to: "tools/pw-jack")
            guard chmod(tool, 0o755) == 0 else { throw ProgramFailure("chmod: \(errno)") }
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

    @Test("without PipeWire's JACK, the error names the package")
    func missing() async throws {
        let run = try await play(hasTool: false)
        #expect(run.exit == .code(69), "\(run.summary)")
        #expect(run.errors.contains("its JACK is not installed. Install it (apt-get install pipewire-jack)"), "\(run.summary)")
    }

    @Test("a server of jackd that is named is not replaced")
    func named() async throws {
        for run in [try await play("--server", "studio"), try await play(adding: ["JACK_DEFAULT_SERVER": "studio"])] {
            #expect(run.exit == .code(69), "\(run.summary)")
            #expect(run.errors.contains("'studio'"), "\(run.summary)")
        }
    }
}
