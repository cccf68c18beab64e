import Foundation
import TestSupport
import Testing

/// `scripts/check-words`: phrases with a better wording in plain English do not come back.
@Suite("Plain words")
struct PlainWordsTests {
    private let package: TemporaryFolder

    init() throws { package = try TemporaryFolder() }

    private func check() async throws -> FinishedProgram {
        try await RunningProgram.run(requireTool("python3", package: "python3"), [PackageRoot.file("scripts/check-words"), package.path])
    }

    /// Phrases in two parts, since the script reads this file too.
    static let planted: [(first: String, second: String, file: String, advice: String)] = [
        ("// The listener is", "told of it.", "Sources/House/Bell.swift", "say reported, sent, printed or notified"),
        ("let error = \"'x' is", "no patch\"", "Sources/House/Errors.swift", "say is not a"),
        ("A file that is", "none makes its layer silent.", "docs/house.md", "say invalid or missing"),
        ("One clock stands", "in for another.", "README.md", "say replaces or overrides"),
        ("The sound goes", "on.", "ARCHITECTURE.md", "say continues or resumes"),
        ("/// Of", "a bell.", "Sources/House/Strike.swift", "begin a doc comment with a subject"),
        ("@Test(\"What", "rings is heard\")", "Tests/HouseTests/BellTests.swift", "begin with a subject"),
        ("# Everything but", "for the bell.", "Tests/Studio/house.py", "say except for"),
    ]

    @Test("A planted phrase is reported with its line and a better wording", arguments: planted.indices)
    func phrase(_ index: Int) async throws {
        let (first, second, file, advice) = Self.planted[index]
        try package.write("\n\(first) \(second)\n", to: file)
        let run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errorLines.count == 1 && run.errors.hasPrefix("\(file):2: ") && run.errors.contains(advice), "\(run.errors)")
    }

    @Test("Plain sentences pass, and so do other kinds of files")
    func plain() async throws {
        try package.write("/// The bell's strike. There is no patch without one.\n", to: "Sources/House/Bell.swift")
        try package.write("It is \("told").\n", to: "patches/bell.yaml")
        let run = try await check()
        #expect(run.exit == .code(0) && run.errors.isEmpty, "\(run.errors)")
    }

    @Test("The texts of this package have none of the phrases")
    func ours() async throws {
        let run = try await RunningProgram.run(requireTool("python3", package: "python3"), [PackageRoot.file("scripts/check-words")])
        #expect(run.exit == .code(0), "\(run.errors)")
    }
}
