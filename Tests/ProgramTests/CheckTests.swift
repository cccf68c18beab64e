import Foundation
import TestSupport
import Testing

@Suite("check")
struct CheckTests {
    let environment: IsolatedEnvironment

    init() throws { environment = try IsolatedEnvironment() }

    private func check(_ arguments: String..., folder: String? = nil) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), ["check"] + arguments, environment: environment.variables, folder: folder ?? environment.folder.path)
    }

    static let shipped: [String] = ["patches", "sessions"].flatMap { folder in
        ((try? FileManager.default.contentsOfDirectory(atPath: PackageRoot.file(folder))) ?? [])
            .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".sbg") }.map { folder + "/" + $0 }.sorted()
    }

    @Test("there are patches and sessions to be shipped")
    func someAreShipped() {
        #expect(Self.shipped.filter { $0.hasPrefix("patches/") }.count >= 12)
        #expect(Self.shipped.filter { $0.hasPrefix("sessions/") }.count >= 3)
    }

    @Test("every shipped file is free of faults and stays below the ceiling", arguments: shipped)
    func shippedIsFaultless(file: String) async throws {
        let run = try await check(PackageRoot.file(file))
        #expect(run.exit == .code(0))
        #expect(run.output.isEmpty && run.errors.isEmpty, "\(run.summary)")
    }

    @Test("a name is enough for a file of the library")
    func byName() async throws {
        let run = try await check("welcome", "reference-440")
        #expect(run.exit == .code(0), "\(run.summary)")
    }

    @Test("all faults of all files are reported at once with their places, and the status is 65")
    func faults() async throws {
        let first = try environment.folder.write(
            """
            title: Wrong twice
            layers:
              - binaural: {carrier: 200, baet: 10}
              - tone: {carrier: loud}
            """, to: "first.yaml")
        _ = try environment.folder.write("layers:\n  - tone: {carrier: 200}\n", to: "good.yaml")
        _ = try environment.folder.write("layres: []\n", to: "second.yaml")
        let run = try await check("first.yaml", "good.yaml", "second.yaml", "gone.yaml")
        #expect(run.exit == .code(65))
        #expect(run.errorLines.contains { $0.hasPrefix("first.yaml:3:30: unknown key `baet`") }, "\(run.summary)\n\(first)")
        #expect(run.errorLines.contains("      - binaural: {carrier: 200, baet: 10}"))
        #expect(run.errorLines.contains("                                 ^"))
        #expect(run.errorLines.contains { $0.contains("did you mean `beat`?") })
        #expect(run.errorLines.contains { $0.hasPrefix("first.yaml:4:") })
        #expect(run.errorLines.contains { $0.hasPrefix("second.yaml:1:1: unknown key `layres`") })
        #expect(run.errors.contains("There is no file") && run.errors.contains("gone.yaml"))
        #expect(!run.errors.contains("good.yaml"))
    }

    @Test("a missing file is 66, and a similar name is suggested")
    func missing() async throws {
        let file = try await check("gone.yaml")
        #expect(file.exit == .code(66))
        let name = try await check("welcme")
        #expect(name.exit == .code(66))
        #expect(name.errors.contains("Did you mean 'welcome'?"), "\(name.summary)")
    }

    @Test("a warning, not a fault, is given for layers that together exceed the ceiling")
    func loud() async throws {
        let text = "layers:\n  - {tone: {carrier: 200}, gain: -9}\n  - {tone: {carrier: 300}, gain: -9}\n"
        _ = try environment.folder.write(text, to: "loud.yaml")
        let run = try await check("loud.yaml")
        #expect(run.exit == .code(0))
        // Two of -9 dB are 6.02 dB more.
        #expect(run.errors.contains("warning: the layers together reach -3.0 dBFS at 0:00, above the ceiling of -6 dBFS"), "\(run.summary)")
        #expect(try await check("--ceiling", "-2", "loud.yaml").errors.isEmpty)
    }

    @Test("a session with a missing patch gets a warning")
    func sessionWithoutPatch() async throws {
        _ = try environment.folder.write("format: 1\ntitle: Mine\nqueue:\n  - patch: nowhere\n", to: "mine.yaml")
        let run = try await check("./mine.yaml")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.errors.contains("warning: There is no patch named 'nowhere'"), "\(run.summary)")
    }
}
