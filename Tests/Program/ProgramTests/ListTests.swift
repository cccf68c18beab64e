import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("list")
struct ListTests {
    @Test("patches and sessions are listed with title, duration and origin; the working folder comes first")
    func list() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let patches = environment.folder.path + "/patches"
        try FileManager.default.createDirectory(atPath: patches, withIntermediateDirectories: true)
        _ = try environment.folder.write("title: My own\nduration: 2:05\nlayers:\n  - tone: {carrier: 200}\n", to: "patches/welcome.yaml")
        _ = try environment.folder.write("nonsense: 1\n", to: "patches/wrong.yaml")
        let run = try await binaural("list", environment: environment.variables, folder: environment.folder.path)
        #expect(run.exit == .code(0))

        let lines = run.outputLines
        let sessions = try #require(lines.firstIndex(of: "Sessions"))
        #expect(lines.first == "Patches")
        let welcome = lines[..<sessions].filter { $0.hasPrefix("  welcome ") }
        #expect(welcome.count == 2, "\(run.summary)")
        #expect(welcome.first?.contains(/My own +2:05 +working folder +\/.*\/patches\/welcome.yaml$/) == true, "\(welcome)")
        #expect(welcome.last?.contains("came with the program, hidden by the one above") == true, "\(welcome)")
        #expect(lines[..<sessions].contains { $0.contains("(invalid: binaural check ") && $0.hasPrefix("  wrong ") })
        #expect(lines[..<sessions].contains { $0.contains(/^  reference-440 .* endless +came with the program/) })
        #expect(lines[sessions...].contains { $0.contains(/^  welcome .*came with the program/) })
    }
}
