import Foundation
import TestSupport
import Testing

/// Runs a Python script of Tests on a server, and shows its figures; `script` is its path below Tests.
package func runScenario(
    _ script: String, _ arguments: String..., on server: JACKServer, adding environment: [String: String] = [:]
) async throws {
    let isolated = try IsolatedEnvironment(adding: server.environment)
    defer { keepAlive(isolated) }
    let modules = ["Peers/scenario", "Peers/osc", "Contract/Conformance", "Program/Scenarios", "Browser"]
    let added = [
        "CLIENT_NAME": server.clientName, "PYTHONPATH": modules.map { PackageRoot.file("Tests/\($0)") }.joined(separator: ":"),
    ]
    let run = try RunningProgram(
        try PackageRoot.python(), ["-uB", PackageRoot.file("Tests/\(script)"), try PackageRoot.program()] + arguments,
        environment: isolated.adding(environment.merging(added) { $1 }))
    #expect(try await run.exit(worksLong: true) == .code(0), "\(run.transcript)")
    for line in run.outputLines where line.hasPrefix("figure") || line.hasPrefix("near miss") { print(line) }
}
