import Foundation
import TestSupport

/// `play` on a JACK server of its own, in a home and a working folder of its own.
package struct PlayRun: Sendable {
    package let server: JACKServer
    package let environment: IsolatedEnvironment
    /// The working folder, empty at first.
    package let folder: TemporaryFolder
    /// The file to which the running program writes its address.
    private let instances: String

    /// - Parameter added: variables of its environment.
    package init(_ server: JACKServer, adding added: [String: String] = [:]) throws {
        self.server = server
        environment = try IsolatedEnvironment(adding: server.environment.merging(added) { $1 })
        folder = try TemporaryFolder()
        instances = try environment.variables["XDG_RUNTIME_DIR"].orThrow("no XDG_RUNTIME_DIR") + "/binaural"
        // With its permissions at once: for a moment, Foundation makes folders that everybody can read, which the program refuses.
        guard mkdir(instances, 0o700) == 0 else { throw ProgramFailure("cannot make \(instances): \(String(cString: strerror(errno)))") }
    }

    /// Runs without connections on any free port, so that runs do not interfere.
    package static func arguments(_ client: String) -> [String] { ["--connect", "none", "--osc-port", "auto", "--client-name", client] }

    package func start(_ arguments: String...) throws -> RunningProgram { try start(arguments) }

    /// - Parameter connecting: Restores the session's connections, or else connects to the first pair of playback ports.
    package func start(_ arguments: [String], connecting: Bool = false) throws -> RunningProgram {
        try RunningProgram(
            try PackageRoot.program(), ["play"] + arguments + Self.arguments(server.clientName).dropFirst(connecting ? 2 : 0),
            environment: environment.variables,
            folder: folder.path)
    }

    /// Sends one message to it.
    @discardableResult
    package func ctl(_ arguments: String...) async throws -> FinishedProgram {
        // It may be audible before it has written its address.
        guard await FileArrival("\(instances)/\(server.clientName).url").arrives() else {
            throw ProgramFailure("the instance does not say where it answers")
        }
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["ctl", "--client", server.clientName, "--wait", Patience.seconds] + arguments,
            environment: environment.variables)
        guard run.exit == .code(0) else { throw ProgramFailure(run.summary) }
        return run
    }

    /// The first value of an address's answer.
    package func value(of address: String) async throws -> String {
        let run = try await ctl(address)
        let answer = try run.outputLines.first { $0.hasPrefix("/binaural/\(address) ") }.orThrow("no answer: \(run.summary)")
        return String(answer.dropFirst("/binaural/\(address) ".count))
    }

    /// Call in a `defer`: keeps its folders until then.
    package func keep() { keepAlive(environment, folder) }

    package var ports: [String] { ["\(server.clientName):out_left", "\(server.clientName):out_right"] }
}

extension RunningProgram {
    /// The log line of a state, without a terminal.
    @discardableResult
    package func state(_ name: String, from index: Int = 0) async throws -> Line {
        try await line(from: index) { $0.hasPrefix(name + " · ") }
    }
}
