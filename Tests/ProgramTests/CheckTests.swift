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

    @Test("what is shipped has no fault, and stays below the ceiling", arguments: shipped)
    func shippedIsFaultless(file: String) async throws {
        let run = try await check(PackageRoot.file(file))
        #expect(run.exit == .code(0))
        #expect(run.output.isEmpty && run.errors.isEmpty, "\(run.summary)")
    }

    @Test("a name is enough for what can be found by name")
    func byName() async throws {
        let run = try await check("welcome", "reference-440")
        #expect(run.exit == .code(0), "\(run.summary)")
    }

    @Test("all faults are told at once with their places, of all files, and the status is 65")
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

    @Test("a file that is not there is 66, and a name that is nearly right is told")
    func missing() async throws {
        let file = try await check("gone.yaml")
        #expect(file.exit == .code(66))
        let name = try await check("welcme")
        #expect(name.exit == .code(66))
        #expect(name.errors.contains("Did you mean 'welcome'?"), "\(name.summary)")
    }

    @Test("layers that together go above the ceiling are warned about, and are no fault")
    func loud() async throws {
        let text = "layers:\n  - {tone: {carrier: 200}, gain: -9}\n  - {tone: {carrier: 300}, gain: -9}\n"
        _ = try environment.folder.write(text, to: "loud.yaml")
        let run = try await check("loud.yaml")
        #expect(run.exit == .code(0))
        // Two of -9 dB are 6.02 dB more.
        #expect(run.errors.contains("warning: the layers together reach -3.0 dBFS at 0:00, above the ceiling of -6 dBFS"), "\(run.summary)")
        #expect(try await check("--ceiling", "-2", "loud.yaml").errors.isEmpty)
    }

    @Test("a session that names a patch which is not there is warned about")
    func sessionWithoutPatch() async throws {
        _ = try environment.folder.write("format: 1\ntitle: Mine\nqueue:\n  - patch: nowhere\n", to: "mine.yaml")
        let run = try await check("./mine.yaml")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.errors.contains("warning: There is no patch named 'nowhere'"), "\(run.summary)")
    }
}
