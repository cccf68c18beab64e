import Foundation
import TestSupport
import Testing

/// `scripts/check-types`: a type has at most 400 lines over all its files, 25 stored properties, and 35 other types that it names.
@Suite("Size of types")
struct TypeLengthTests {
    private let package: TemporaryFolder

    init() throws { package = try TemporaryFolder() }

    private func check() async throws -> FinishedProgram {
        try await RunningProgram.run(requireTool("python3", package: "python3"), [PackageRoot.file("scripts/check-types"), package.path])
    }

    /// A type or an extension with this many lines from brace to brace.
    private func type(_ head: String, lines: Int) -> String {
        "\(head) {\n" + (2..<lines).map { "    static let number\($0) = 0\n" }.joined() + "}\n"
    }

    @Test("A type of 400 lines with its extensions passes, and one of 401 fails with its name and length")
    func limit() async throws {
        try package.write(type("package struct Clock", lines: 250), to: "Sources/House/Hall/Clock.swift")
        try package.write(type("extension Clock: Equatable", lines: 150), to: "Sources/House/Attic/Clock+Attic.swift")
        var run = try await check()
        #expect(run.exit == .code(0), "\(run.errors)")
        #expect(run.errors.isEmpty, "\(run.errors)")
        try package.write(type("extension Clock: Equatable", lines: 151), to: "Sources/House/Attic/Clock+Attic.swift")
        run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errors.contains("House: Clock has 401 lines in its declaration and extensions, more than 400"), "\(run.errors)")
    }

    @Test("Extensions in other modules count, and so do comments and types inside")
    func everything() async throws {
        let inner = "    /// The hand.\n    enum Hand {\n        case long\n    }\n"
        try package.write("package struct Clock {\n\(inner)}\n", to: "Sources/House/Clock.swift")
        try package.write(type("extension Clock", lines: 395), to: "Sources/Garden/Sundial.swift")
        let run = try await check()
        #expect(run.errors.contains("House: Clock has 401 lines"), "\(run.errors)")
    }

    @Test("A type that names 35 others passes, whatever comments and texts say, and one that names 36 fails with their names")
    func named() async throws {
        for number in 1...36 { try package.write("struct Brick\(number) {}\n", to: "Sources/House/Brick\(number).swift") }
        let bricks = (1...35).map { "    var brick\($0): Brick\($0)?\n" }
        let wall = "struct Wall {\n    // Not Brick36.\n    static let text = \"Brick36\"\n" + bricks.prefix(20).joined() + "}\n"
        try package.write(wall, to: "Sources/House/Wall.swift")
        try package.write("struct Pillar {\n" + bricks.suffix(15).joined() + "}\n", to: "Sources/House/Pillar.swift")
        let others = (21...35).map { "_ _: Brick\($0)" }.joined(separator: ", ")
        let rest = "extension Wall {\n    func lean(\(others)) {}\n}\n"
        try package.write(rest, to: "Sources/House/Wall+Leaning.swift")
        var run = try await check()
        #expect(run.exit == .code(0), "\(run.errors)")
        try package.write(rest + "extension Wall {\n    var top: Brick36 { Brick36() }\n}\n", to: "Sources/House/Wall+Leaning.swift")
        run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errors.hasPrefix("House: Wall names 36 other types, more than 35: Brick1, Brick10,"), "\(run.errors)")
    }

    @Test("Types of the same name in two modules are counted separately, and foreign types not at all")
    func apart() async throws {
        try package.write(type("private struct Clock", lines: 250), to: "Sources/House/Clock.swift")
        try package.write(type("private struct Clock", lines: 250), to: "Sources/Garden/Clock.swift")
        try package.write(type("extension String", lines: 450), to: "Sources/Garden/String+Clock.swift")
        let run = try await check()
        #expect(run.exit == .code(0), "\(run.errors)")
        #expect(run.errors.isEmpty, "\(run.errors)")
    }

    @Test("Declarations in texts are not counted")
    func texts() async throws {
        let page = "struct Page {\n    let text = \"\"\"\n        struct Clock {\n        \"\"\"\n}\n"
        try package.write(page + type("struct Gate", lines: 401), to: "Sources/Garden/Page.swift")
        let run = try await check()
        #expect(run.errors.contains("Garden: Gate has 401 lines"), "\(run.errors)")
    }

    @Test("A type of 25 stored properties passes, and one of 26 fails with its name and count")
    func properties() async throws {
        let others = """
                static let limit = 25
                var count: Int { 3 }
                var names: [String: Int] {
                    [:]
                }
            """
        let some = """
                private(set) var first: Int {
                    didSet { count += 1 }
                }
                @Lock package let second = [1, 2, 3], third: [Int: String]
                lazy var fourth = { 4 }()
                let fifth: (Int, Int)
            """
        func clock(_ count: Int) -> String {
            "struct Clock {\n\(others)\n\(some)\n" + (6...count).map { "    let property\($0): Int\n" }.joined() + "}\n"
        }
        try package.write(clock(25), to: "Sources/House/Clock.swift")
        var run = try await check()
        #expect(run.exit == .code(0), "\(run.errors)")
        #expect(run.errors.isEmpty, "\(run.errors)")
        try package.write(clock(26), to: "Sources/House/Clock.swift")
        run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errors.contains("House: Clock has 26 stored properties, more than 25"), "\(run.errors)")
    }
}
