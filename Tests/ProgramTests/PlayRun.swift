import Foundation
import TestSupport

/// `play` on a JACK server of its own, in a home and a working folder of its own.
struct PlayRun: Sendable {
    let server: JACKServer
    let environment: IsolatedEnvironment
    /// The working folder, empty at first.
    let folder: TemporaryFolder

    init(_ server: JACKServer) throws {
        self.server = server
        environment = try IsolatedEnvironment(adding: server.environment)
        folder = try TemporaryFolder()
    }

    /// Without connections and at any free port, so that runs do not meet.
    static func arguments(_ client: String) -> [String] { ["--connect", "none", "--osc-port", "auto", "--client-name", client] }

    func start(_ arguments: String...) throws -> RunningProgram { try start(arguments) }

    /// - Parameter connecting: to what the session remembers, else to the first pair of playback ports.
    func start(_ arguments: [String], connecting: Bool = false) throws -> RunningProgram {
        try RunningProgram(
            try PackageRoot.program(), ["play"] + arguments + Self.arguments(server.clientName).dropFirst(connecting ? 2 : 0),
            environment: environment.variables,
            folder: folder.path)
    }

    /// Sends one message to it.
    @discardableResult
    func ctl(_ arguments: String...) async throws -> FinishedProgram {
        // It may be heard before it has said where it answers.
        let folder = try environment.variables["XDG_RUNTIME_DIR"].orThrow("no XDG_RUNTIME_DIR") + "/binaural"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard await FileArrival("\(folder)/\(server.clientName).url").arrives(within: .seconds(60)) else {
            throw ProgramFailure("the instance does not say where it answers")
        }
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["ctl", "--client", server.clientName, "--wait", "5"] + arguments, environment: environment.variables
        )
        guard run.exit == .code(0) else { throw ProgramFailure(run.summary) }
        return run
    }

    /// The first value that an address answers with.
    func value(of address: String) async throws -> String {
        let run = try await ctl(address)
        let answer = try run.outputLines.first { $0.hasPrefix("/binaural/\(address) ") }.orThrow("no answer: \(run.summary)")
        return String(answer.dropFirst("/binaural/\(address) ".count))
    }

    /// To be deferred: its folders are there until then.
    func keep() { keepAlive(environment, folder) }

    var ports: [String] { ["\(server.clientName):out_left", "\(server.clientName):out_right"] }
}

extension RunningProgram {
    /// The line that tells a state, on a terminal that is none.
    @discardableResult
    func state(_ name: String, from index: Int = 0) async throws -> Line {
        try await line(from: index) { $0.hasPrefix(name + " · ") }
    }
}
