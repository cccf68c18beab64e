import Foundation
import TestSupport
import Testing

/// `scripts/check-folders`: two folders must not both name each other's types.
@Suite("Walls between the folders of a module")
struct FolderWallTests {
    private let package: TemporaryFolder

    init() throws {
        package = try TemporaryFolder()
        try package.write("package struct Clock { var hands: [Hand] = [] }", to: "Sources/House/Hall/Clock.swift")
        try package.write("// A Clock has two.\nstruct Hand { let text = \"of the Clock\" }", to: "Sources/House/Attic/Hand.swift")
    }

    private func check() async throws -> FinishedProgram {
        try await RunningProgram.run(requireTool("python3", package: "python3"), [PackageRoot.file("scripts/check-folders"), package.path])
    }

    @Test("References in one direction pass, whatever comments and texts say")
    func oneWay() async throws {
        let run = try await check()
        #expect(run.exit == .code(0), "\(run.errors)")
        #expect(run.errors.isEmpty, "\(run.errors)")
    }

    @Test("Two folders that name each other's types fail, and the types are named")
    func circle() async throws {
        try package.write("extension Hand { var clock: Clock? { nil } }", to: "Sources/House/Attic/Hand+Clock.swift")
        let run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errors.contains("House: the types of these folders name each other: Attic, Hall"), "\(run.errors)")
        #expect(run.errors.contains("Attic -> Hall: Hand+Clock.swift: Clock"), "\(run.errors)")
    }

    @Test("A circle over three folders fails")
    func longCircle() async throws {
        try package.write("struct Stairs { var clock: Clock }", to: "Sources/House/Cellar/Stairs.swift")
        try package.write("extension Hand { var stairs: Stairs? { nil } }", to: "Sources/House/Attic/Hand+Stairs.swift")
        let run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errors.contains("Attic, Cellar, Hall"), "\(run.errors)")
    }

    @Test("A circle that ARCHITECTURE.md lists passes, and a listed circle that no longer exists fails")
    func listed() async throws {
        try package.write("# Circles between folders\n\n- `House`: Attic, Hall\n", to: "ARCHITECTURE.md")
        #expect(try await check().errors.contains("a circle that is not there any more: House: Attic, Hall"))
        try package.write("extension Hand { var clock: Clock? { nil } }", to: "Sources/House/Attic/Hand+Clock.swift")
        let run = try await check()
        #expect(run.exit == .code(0), "\(run.errors)")
        #expect(run.errors.isEmpty, "\(run.errors)")
    }
}
