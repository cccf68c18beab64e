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
    /// The name for the program under test on this server: "binaural", or with `ownClientName` one that no other test uses at the time.
    package let clientName: String
    private let place: ServerPlace
    private let nameLock: MachineLock?
    private let process = Mutex<RunningProgram?>(nil)

    private init(sampleRate: Int, bufferSize: Int, isPatient: Bool, ownClientName: Bool) async throws(ProgramFailure) {
        // The name comes first, so that a test waiting for it does not keep a slot from others.
        nameLock = ownClientName ? nil : try await MachineLock.take("client-binaural")
        place = try await ServerPlace.take()
        name = place.serverName
        clientName = ownClientName ? Self.ownName(like: "binaural", at: place) : "binaural"
        self.sampleRate = sampleRate
        self.bufferSize = bufferSize
        self.isPatient = isPatient
        // Files of a killed server must not count as those of a new one.
        unlink(socketPath)
    }

    /// A name for another client of this server, which no other test uses at the time (see `MachineLock`).
    package func ownName(like name: String) -> String { Self.ownName(like: name, at: place) }

    private static func ownName(like name: String, at place: ServerPlace) -> String { "\(name)-t\(place.number)" }

    private var socketPath: String { "/dev/shm/jack_\(name)_\(getuid())_0" }

    /// Runs a server while `body` runs; the server has ended when this returns, also after an error.
    ///
    /// Tests whose client has the usual name run one after the other (see `MachineLock`); those with `ownClientName`, who then have to open
    /// their clients as `clientName`, run side by side.
    ///
    /// - Parameter isPatient: It waits for clients that are late (jackd's synchronous mode): cycles come late then, and none is lost.
    package static func run<Result: Sendable>(
        sampleRate: Int = 48_000, bufferSize: Int = 256, isPatient: Bool = false, ownClientName: Bool = false,
        _ body: @Sendable (JACKServer) async throws -> Result
    ) async throws -> Result {
        try await runWithoutStarting(
            sampleRate: sampleRate, bufferSize: bufferSize, isPatient: isPatient, ownClientName: ownClientName
        ) { server in
            try await server.start()
            return try await body(server)
        }
    }

    /// The same without starting it: the name is reserved, and the test or the program under test can start the server later.
    package static func runWithoutStarting<Result: Sendable>(
        sampleRate: Int = 48_000, bufferSize: Int = 256, isPatient: Bool = false, ownClientName: Bool = false,
        _ body: @Sendable (JACKServer) async throws -> Result
    ) async throws -> Result {
        let server = try await JACKServer(
            sampleRate: sampleRate, bufferSize: bufferSize, isPatient: isPatient, ownClientName: ownClientName)
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
        var server = try await launch(options)
        // Once jackd itself hung before it opened its socket.
        if server == nil { server = try await launch(options) }
        guard let server else { throw ProgramFailure("the JACK server '\(name)' did not open its socket, twice") }
        // jack_wait alone looks once a second; once the socket is there it succeeds at its first look.
        let wait = try await tool("jack_wait", ["-s", name, "-w", "-t", "60"])
        guard wait.exit == .code(0) else {
            throw ProgramFailure("the JACK server '\(name)' does not answer: \(wait.output) \(wait.errors) \(server.transcript)")
        }
    }

    /// Launches jackd; `nil` if it does not open its socket within a minute, after which it has been ended.
    private func launch(_ options: [String]) async throws(ProgramFailure) -> RunningProgram? {
        unlink(socketPath)
        let socket = FileArrival(socketPath)
        let server = try RunningProgram(
            try requireTool("jackd", package: "jackd2"), options,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
        process.withLock { $0 = server }
        guard await !socket.arrives(within: .seconds(60)) else { return server }
        print("The JACK server '\(name)' does not open its socket: \(server.transcript)")
        await server.end()
        return nil
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
