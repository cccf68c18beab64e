import Foundation
import Synchronization

/// A JACK server of one test: jackd with the silent dummy driver, under a name of its own.
///
///     try await JACKServer.run { server in
///         let program = try RunningProgram(path, environment: isolated.adding(server.environment))
///         ...
///     }
package final class JACKServer: Sendable {
    package let name: String
    package let sampleRate: Int
    /// Frames a cycle at the start.
    package let bufferSize: Int
    /// Waits for clients that are late, so that what they play is not lost however busy the machine is.
    private let isPatient: Bool
    /// The name of the program under test.
    package let clientName = "binaural"
    private let number: Int
    private let process = Mutex<RunningProgram?>(nil)

    /// The numbers of the servers that a test has at the moment: the second one gets another name.
    private static let running = Mutex<Set<Int>>([])

    private init(sampleRate: Int, bufferSize: Int, isPatient: Bool) {
        let number = Self.running.withLock { running in
            let number = (1...).first { !running.contains($0) } ?? 1
            running.insert(number)
            return number
        }
        self.number = number
        // Always the same few: one that was killed keeps its place in JACK's registry of eight until one of its name starts.
        name = "binaural-test-\(getuid())" + (number > 1 ? "-\(number)" : "")
        self.sampleRate = sampleRate
        self.bufferSize = bufferSize
        self.isPatient = isPatient
        // Files of a killed server must not count as those of a new one.
        unlink(socketPath)
    }

    private var socketPath: String { "/dev/shm/jack_\(name)_\(getuid())_0" }

    /// Runs a server while `body` runs; the server has ended when this returns, also after an error.
    ///
    /// JACK's servers and clients of one user share names, a registry and a database. So one test at a time has a server, and `scripts/run-tests`
    /// gives each test process a `/dev/shm` of its own.
    ///
    /// - Parameter isPatient: It waits for clients that are late (jackd's synchronous mode): cycles come late then, and none is lost.
    package static func run<Result: Sendable>(
        sampleRate: Int = 48_000, bufferSize: Int = 256, isPatient: Bool = false, _ body: @Sendable (JACKServer) async throws -> Result
    ) async throws -> Result {
        try await runWithoutStarting(sampleRate: sampleRate, bufferSize: bufferSize, isPatient: isPatient) { server in
            try await server.start()
            return try await body(server)
        }
    }

    /// The same without starting it: the name is reserved, and the test or the program under test can start the server later.
    package static func runWithoutStarting<Result: Sendable>(
        sampleRate: Int = 48_000, bufferSize: Int = 256, isPatient: Bool = false, _ body: @Sendable (JACKServer) async throws -> Result
    ) async throws -> Result {
        let server = JACKServer(sampleRate: sampleRate, bufferSize: bufferSize, isPatient: isPatient)
        defer { running.withLock { _ = $0.remove(server.number) } }
        do {
            let result = try await body(server)
            await server.end()
            return result
        } catch {
            await server.end()
            throw error
        }
    }

    /// The environment variables that a program needs to find this server, added to its own.
    package var environment: [String: String] {
        ["JACK_DEFAULT_SERVER": name, "JACK_NO_START_SERVER": "1", "JACK_NO_AUDIO_RESERVATION": "1"]
    }

    /// Starts jackd and waits until it answers; with another rate or size if given.
    package func start(sampleRate: Int? = nil, bufferSize: Int? = nil) async throws(ProgramFailure) {
        _ = try requireTool("jack_wait", package: "jackd2")
        let options =
            ["-n", name, "-R", "-P10", "-p", "64"] + (isPatient ? ["-S"] : []) + ["-d", "dummy"]
            + ["-r", String(sampleRate ?? self.sampleRate), "-p", String(bufferSize ?? self.bufferSize)]
        unlink(socketPath)
        let socket = FileArrival(socketPath)
        let server = try RunningProgram(
            try requireTool("jackd", package: "jackd2"), options,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
        process.withLock { $0 = server }
        guard await socket.arrives() else {
            throw ProgramFailure("the JACK server '\(name)' does not open its socket: \(server.transcript)")
        }
        // jack_wait alone looks once a second; once the socket is there it succeeds at its first look.
        let seconds = Int(Patience.limit.timeInterval)
        let wait = try await tool("jack_wait", ["-s", name, "-w", "-t", String(seconds)])
        guard wait.exit == .code(0) else {
            throw ProgramFailure("the JACK server '\(name)' does not answer: \(wait.output) \(wait.errors) \(server.transcript)")
        }
    }

    /// Ends it as an orderly shutdown does (SIGTERM).
    package func stop() async throws(ProgramFailure) {
        try await end(with: SIGTERM)
    }

    /// Ends it as a crash does (SIGKILL).
    package func kill() async throws(ProgramFailure) {
        try await end(with: SIGKILL)
    }

    /// Suspends it (SIGSTOP); its clients are not notified.
    package func pause() {
        process.withLock { $0?.send(signal: SIGSTOP) }
    }

    package func resume() {
        process.withLock { $0?.send(signal: SIGCONT) }
    }

    private func end(with signal: Int32) async throws(ProgramFailure) {
        guard let server = process.withLock({ $0.take() }) else { return }
        server.send(signal: signal)
        do throws(ProgramFailure) {
            try await server.exit()
        } catch {
            await server.end()
            throw error
        }
    }

    /// In an orderly way if possible, by force otherwise.
    private func end() async {
        resume()
        do {
            try await stop()
        } catch {
            // `stop` has ended it by force; a test that minds how the server ends calls `stop` itself.
        }
    }
}
