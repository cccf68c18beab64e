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
        ("/// What", "rings at noon.", "Sources/House/Noon.swift", "begin a doc comment with a subject"),
        ("/// Those of", "the other house.", "Sources/House/Others.swift", "begin a doc comment with a subject"),
        ("let error = \"'x' is", "no start time\"", "Sources/House/Times.swift", "say is not a"),
        ("@Test(\"What", "rings is heard\")", "Tests/HouseTests/BellTests.swift", "begin with a subject"),
        ("# Everything but", "for the bell.", "Tests/Scenarios/house.py", "say except for"),
        ("// The clock went", "on.", "Tests/Peers/acceptance/house.c", "say continues or resumes"),
        ("# The bell has gone", "on.", ".ci/run", "say continues or resumes"),
        ("description: let", "go", "patches/bell.yaml", "say releases or closes"),
        ("// The bell tells", "nobody.", "Examples/Bell/Bell.swift", "say reports, names or notifies"),
        ("// The bell tells", "the hour.", "Tests/Scenarios/house.c", "say reports, names or notifies"),
        ("/// Which", "bells ring.", "Sources/House/Bells.swift", "begin a doc comment with a subject"),
        ("/// Those with", "a clapper.", "Sources/House/Bells.swift", "begin a doc comment with a subject"),
        ("// A bell is", "no clock.", "Tests/Scenarios/house.swift", "say is not a, or has no"),
        ("An error with what is", "meant.", "docs/house.md", "say a suggestion, or the nearest name"),
        ("# A guest is", "let in.", "Tests/Scenarios/house.py", "say admitted"),
        ("# A guest is", "turned out.", "Tests/Scenarios/house.py", "say disconnected or dropped"),
        ("// The bell stands", "beside the door.", "Package.swift", "say is"),
        ("/// The bells come", "to rest.", "Benchmarks/Benchmarks/House/Bell.swift", "say stops, ends or becomes idle"),
        ("The bell came", "to 4 Hz.", "Sources/House/House.docc/House.md", "say was or reached"),
        ("// Of", "a bell.", "Tests/HouseTests/BellTests.swift", "begin a comment with a subject"),
        ("// What", "rings.", "Sources/House/Bell.swift", "begin a comment with a subject"),
        ("# What", "rings.", "Tests/Scenarios/house.py", "begin a comment with a subject"),
    ]

    @Test("A planted phrase is reported with its line and a better wording", arguments: planted.indices)
    func phrase(_ index: Int) async throws {
        let (first, second, file, advice) = Self.planted[index]
        try package.write("\n\(first) \(second)\n", to: file)
        let run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("\(file):2: "), "\(run.errors)")
        #expect(run.errors.contains(advice), "\(run.errors)")
    }

    /// Sentences that go over the end of a line, in comments, in text and in strings.
    static let broken: [(lines: [String], file: String)] = [
        (["/// The listener is", "/// told."], "Sources/House/Bell.swift"),
        (["// The listener is", "// told."], "Tests/Scenarios/house.c"),
        (["    # The listener is", "    # told."], "Tests/Scenarios/house.py"),
        (["- The listener is", "  told."], "docs/house.md"),
        (["    The listener is \\", "    told."], "Sources/House/Texts.swift"),
        (["print(\"the listener is \"", "      f\"told\")"], "Tests/Scenarios/print.py"),
    ]

    @Test("A phrase that is broken over two lines is reported once, with the first of them", arguments: broken.indices)
    func brokenPhrase(_ index: Int) async throws {
        let (lines, file) = Self.broken[index]
        try package.write("\n\(lines[0])\n\(lines[1])\n", to: file)
        let run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("\(file):2: "), "\(run.errors)")
    }

    @Test("Plain sentences, headings of Markdown, the ends of paragraphs and other kinds of files pass")
    func plain() async throws {
        try package.write("/// The bell's strike. There is no patch without one.\n", to: "Sources/House/Bell.swift")
        try package.write("The bell is no louder than the clock, and is no longer heard. Nobody can tell why.\n", to: "docs/bell.md")
        try package.write("# \("What") rings\n\nThe bell is\n\ntold.\n", to: "docs/house.md")
        try package.write("It is \("told").\n", to: "notes.txt")
        let run = try await check()
        #expect(run.exit == .code(0))
        #expect(run.errors.isEmpty, "\(run.errors)")
    }
}
