import Foundation
import TestSupport

/// The program, playing on a test's server, with an OSC peer.
package final class PlayingProgram: Sendable {
    package let server: JACKServer
    package let process: RunningProgram
    package let peer: OSCPeer
    package let oscPort: Int
    /// Unix time of its start.
    package let started: Double
    private let clientName: String
    private let environment: IsolatedEnvironment
    private let program: String

    /// Plays patches given as text. The peer requests all replies.
    ///
    /// - Parameters:
    ///   - patches: file name and text, all played one after the other.
    ///   - files: other files in the folder where it runs.
    ///   - options: Options of `play`, besides those that every test needs.
    ///   - preload: Environment of the program only.
    ///   - name: of its JACK client, where the server's usual one is taken.
    ///   - program: The path of another program than the one built here.
    package init(
        on server: JACKServer, _ patches: KeyValuePairs<String, String>, files: KeyValuePairs<String, String> = [:], options: [String] = [],
        preload: [String: String] = [:], name: String? = nil, program: String? = nil
    ) async throws {
        self.server = server
        clientName = name ?? server.clientName
        peer = try await OSCPeer()
        environment = try IsolatedEnvironment(adding: server.environment)
        self.program = try program ?? PackageRoot.program()
        for (name, text) in patches { try environment.folder.write(text, to: name) }
        if patches.contains(where: { $0.value.contains("surf.wav") }) {
            try TestPatch.surf.write(to: URL(filePath: environment.folder.file("surf.wav")))
        }
        for (name, text) in files { try environment.folder.write(text, to: name) }
        let arguments = ["play"] + patches.map(\.key) + ["--connect", "none", "--osc-port", "auto", "--client-name", clientName]
        started = Date().timeIntervalSince1970
        process = try RunningProgram(
            self.program, arguments + options, environment: environment.adding(preload),
            folder: environment.folder.path)
        let line = try await process.line(containing: "osc.udp://127.0.0.1:")
        oscPort = Int(line.text.split(separator: "osc.udp://127.0.0.1:")[1].prefix { $0.isNumber }) ?? 0
        try await peer.target(oscPort)
        try await server.waitForPort(ports[1])
        let mark = peer.mark
        peer.send("replies", .int32(2))
        _ = try await peer.code(of: "replies", from: mark)
    }

    package var ports: [String] { ["\(clientName):out_left", "\(clientName):out_right"] }

    /// The folder of the patches and of rendered files.
    package var folder: TemporaryFolder { environment.folder }

    /// Renders a patch of its folder with the same program.
    package func render(_ patch: String, _ options: String..., to name: String = "rendered.wav") async throws -> WaveFile {
        let run = try await RunningProgram.run(
            program, ["render", patch, "-o", name, "--depth", "32f"] + options, environment: environment.variables,
            folder: folder.path)
        guard run.exit == .code(0) else { throw ProgramFailure("\(run.command): \(run.errors)") }
        return try WaveFile(contentsOf: folder.file(name))
    }

    /// Asks it to quit, and waits for that.
    @discardableResult
    package func terminate() async throws -> ProgramExit {
        process.send(signal: SIGTERM)
        let exit = try await process.exit()
        await peer.end()
        return exit
    }
}
