import Foundation

/// JACK's own command line tools on the server of a test.
extension JACKServer {
    /// Runs one of JACK's tools to its end.
    package func tool(_ name: String, _ arguments: [String] = [], package: String = "jackd2") async throws(ProgramFailure)
        -> FinishedProgram
    {
        try await RunningProgram.run(try requireTool(name, package: package), arguments, environment: toolEnvironment)
    }

    /// The environment in which JACK's tools find the server.
    package var toolEnvironment: [String: String] {
        ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }

    private func toolSucceeds(_ name: String, _ arguments: [String]) async throws(ProgramFailure) {
        let finished = try await tool(name, arguments)
        guard finished.exit == .code(0) else {
            throw ProgramFailure("\(finished.command) failed (\(finished.exit)): \(finished.output) \(finished.errors)")
        }
    }

    /// Full names of all ports.
    package func ports() async throws(ProgramFailure) -> [String] {
        try await tool("jack_lsp").outputLines
    }

    /// Full names of the ports that `port` is connected to.
    package func connections(of port: String) async throws(ProgramFailure) -> [String] {
        let lines = try await tool("jack_lsp", ["-c", port]).outputLines
        guard let start = lines.firstIndex(of: port) else { return [] }
        return lines[(start + 1)...].prefix { $0.hasPrefix("   ") }.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Waits until a port has these connections: others see a change of the graph only from the next cycle on.
    ///
    /// - Returns: False if it has not come to that.
    package func hasConnections(_ expected: [String], of port: String) async throws -> Bool {
        try await eventually { try await connections(of: port) == expected }
    }

    package func connect(_ source: String, _ destination: String) async throws(ProgramFailure) {
        try await toolSucceeds("jack_connect", [source, destination])
    }

    package func disconnect(_ source: String, _ destination: String) async throws(ProgramFailure) {
        try await toolSucceeds("jack_disconnect", [source, destination])
    }

    package func setBufferSize(_ frames: Int) async throws(ProgramFailure) {
        try await toolSucceeds("jack_bufsize", [String(frames)])
    }

    package func freewheel(_ on: Bool) async throws(ProgramFailure) {
        try await toolSucceeds("jack_freewheel", [on ? "y" : "n"])
    }

    /// Waits until a port of that full name exists.
    package func waitForPort(_ port: String) async throws(ProgramFailure) {
        let monitor = try RunningProgram(
            "stdbuf", ["-oL", try requireTool("jack_evmon", package: "jackd2")], environment: toolEnvironment)
        defer { monitor.send(signal: SIGTERM) }
        // Its first line comes when it is active: from then on nothing is missed.
        var seen = try await monitor.line { _ in true }.index
        while try await !ports().contains(port) {
            seen = try await monitor.line(from: seen + 1) { $0.hasPrefix("Port ") && $0.hasSuffix("registered") }.index
        }
    }

    /// A running recording: `finish` waits for its end.
    package struct Recording: Sendable {
        fileprivate let folder: TemporaryFolder
        fileprivate let recorder: RunningProgram

        /// Exactly the requested frames, one channel per port, without gaps.
        package func finish() async throws -> WaveFile {
            let exit = try await recorder.exit()
            guard exit == .code(0) else { throw ProgramFailure("recording failed: \(recorder.transcript)") }
            return try WaveFile(contentsOf: folder.file("capture.wav"))
        }
    }

    /// Begins to record ports (full names) to 32-bit float; when this returns the recorder is connected and runs.
    ///
    /// Under freewheel the disk does not keep up: then `bufferSeconds` has to be more than `seconds`.
    package func startCapture(_ ports: [String], seconds: Double, bufferSeconds: Double = 8) async throws -> Recording {
        let folder = try TemporaryFolder()
        let options =
            ["-f", "wav", "-b", "FLOAT", "-d", String(seconds), "--disable-meter", "--no-stdin", "--hide-buffer-usage"]
            + ["--bufsize", String(Int(bufferSeconds)), "--maxbufsize", String(Int(bufferSeconds) + 40)]
        let recorder = try RunningProgram(
            try requireTool("jack_capture", package: "jack-capture"),
            options + ["--channels", String(ports.count)] + ports.flatMap { ["--port", $0] } + [folder.file("capture.wav")],
            environment: toolEnvironment)
        _ = try await recorder.line(containing: ">>> Recording to")
        return Recording(folder: folder, recorder: recorder)
    }

    /// Records ports (full names) for some seconds.
    package func capture(_ ports: [String], seconds: Double) async throws -> WaveFile {
        try await startCapture(ports, seconds: seconds).finish()
    }
}
