import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("list")
struct ListTests {
    @Test("patches and sessions are listed with title, duration and genre; the working folder comes first, and --long shows where they are")
    func list() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let patches = environment.folder.path + "/patches"
        try FileManager.default.createDirectory(atPath: patches, withIntermediateDirectories: true)
        _ = try environment.folder.write("title: My own\nduration: 2:05\nlayers:\n  - tone: {carrier: 200}\n", to: "patches/welcome.yaml")
        _ = try environment.folder.write("nonsense: 1\n", to: "patches/wrong.yaml")
        let run = try await binaural("list", "--long", environment: environment.variables, folder: environment.folder.path)
        #expect(run.exit == .code(0))

        let lines = run.outputLines
        let sessions = try #require(lines.firstIndex(of: "Sessions"))
        #expect(lines.first == "Patches")
        let welcome = lines[..<sessions].filter { $0.hasPrefix("  welcome ") }
        #expect(welcome.count == 2, "\(run.summary)")
        #expect(welcome.first?.contains(/My own +2:05 +working folder +\/.*\/patches\/welcome.yaml$/) == true, "\(welcome)")
        #expect(welcome.last?.contains("came with the program, hidden by the one above") == true, "\(welcome)")
        #expect(lines[..<sessions].contains { $0.contains("(invalid: binaural check ") && $0.hasPrefix("  wrong ") })
        #expect(lines[..<sessions].contains { $0.contains(/^  reference-440 .* endless +Tuning +came with the program/) })
        #expect(lines[..<sessions].contains { $0.contains(/^  deep-alpha +Deep alpha +30:00 +Relaxation +came with the program/) })
        #expect(lines[sessions...].contains { $0.contains(/^  welcome .*came with the program/) })
    }

    @Test("words choose by name, title, genre and comment, whatever their case; where there is none, the list says so")
    func words() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        _ = try environment.folder.write(
            "title: Tide\ngenre: Sleep\ncomment: For a long night by the sea.\nlayers:\n  - tone: {}\n", to: "patches/tide.yaml")
        func list(_ words: String...) async throws -> [String] {
            let run = try await RunningProgram.run(
                PackageRoot.program(), ["list"] + words, environment: environment.variables, folder: environment.folder.path)
            #expect(run.exit == .code(0), "\(run.summary)")
            return run.outputLines
        }
        let sleep = try await list("SLEEP")
        #expect(sleep.contains { $0.contains(/^  tide +Tide +endless +Sleep +For a long night by the sea.$/) }, "\(sleep)")
        #expect(sleep.contains { $0.hasPrefix("  delta-night ") })
        #expect(!sleep.contains { $0.hasPrefix("  gamma-40 ") })
        #expect(try await list("sea", "night").prefix { $0 != "Sessions" }.filter { $0.hasPrefix("  ") }.count == 1)
        #expect(try await list("no such sound") == ["Patches", "  none", "", "Sessions", "  none"])
    }
}
