import Foundation
import TestSupport
import Testing

/// `scripts/check-folders`: folders must not name each other's types in a circle, and files neither; a folder has few files.
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

    @Test("Folders in a folder that name each other's types fail")
    func deeper() async throws {
        try package.write("struct Lamp { var wire: Wire? }", to: "Sources/House/Hall/Ceiling/Lamp.swift")
        try package.write("struct Wire { var lamp: Lamp? }", to: "Sources/House/Hall/Wall/Wire.swift")
        let run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errors.contains("House/Hall: the types of these folders name each other: Ceiling, Wall"), "\(run.errors)")
    }

    @Test("More than 20 files in a folder fail")
    func crowded() async throws {
        for number in 1...20 { try package.write("struct Coat\(number) {}", to: "Sources/House/Wardrobe/Coat\(number).swift") }
        #expect(try await check().exit == .code(0))
        try package.write("struct Coat21 {}", to: "Sources/House/Wardrobe/Coat21.swift")
        #expect(try await check().errors == "files in House/Wardrobe: 21, and 20 at most")
    }

    @Test("More than 6 files that name each other in a circle fail")
    func knotted() async throws {
        for number in 0..<7 {
            try package.write("struct Knot\(number) { var next: Knot\((number + 1) % 7)? }", to: "Sources/House/Hall/Knot\(number).swift")
        }
        let files = (0..<7).map { "Knot\($0).swift" }.joined(separator: ", ")
        #expect(try await check().errors == "circle of files in House: 7, and 6 at most: \(files)")
        try package.write("struct Knot6 {}", to: "Sources/House/Hall/Knot6.swift")
        #expect(try await check().exit == .code(0))
    }
}
