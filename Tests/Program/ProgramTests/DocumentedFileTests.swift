import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Files in the docs")
struct DocumentedFileTests {
    @Test("every YAML block of the README and the docs is a file that `check` finds no fault with")
    func examples() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let folder = environment.folder
        // The examples refer to a sound file, sections of it, and a session to a patch beside it.
        try WaveBytes.file([[Float](repeating: 0.5, count: 160_000)], sampleRate: 8000).write(to: URL(filePath: folder.file("rain.flac")))
        _ = try folder.write("layers:\n  - tone: {carrier: 200}\n", to: "mine.yaml")
        let blocks = try MarkdownBlock.pages().flatMap(MarkdownBlock.all).filter { $0.language == "yaml" }
        #expect(blocks.count >= 6)
        for block in blocks {
            // Patches and sessions differ in their keys, preferences by their name.
            let name = block.place.hasPrefix("docs/preferences.md") ? "preferences.yaml" : "example.yaml"
            _ = try folder.write(block.text, to: name)
            let run = try await RunningProgram.run(
                try PackageRoot.program(), ["check", name], environment: environment.variables, folder: folder.path)
            #expect(run.exit == .code(0), "\(block.place): \(run.summary)")
            #expect(run.output.isEmpty, "\(block.place): \(run.summary)")
            #expect(run.errors.isEmpty, "\(block.place): \(run.summary)")
        }
    }

    @Test("every link on a page leads to a file, and to a heading of it")
    func links() throws {
        let pages = try MarkdownBlock.pages() + ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Tests/README.md"]
        var count = 0
        for page in pages {
            let folder = (page as NSString).deletingLastPathComponent
            let text = try String(contentsOfFile: PackageRoot.file(page), encoding: .utf8)
            for link in text.matches(of: /\]\(([^)#\s]*)(#[^)\s]*)?\)/) where !link.1.contains(":") && !(link.1.isEmpty && link.2 == nil) {
                let target =
                    link.1.isEmpty ? page : ((folder as NSString).appendingPathComponent(String(link.1)) as NSString).standardizingPath
                let file = PackageRoot.file(target)
                #expect(FileManager.default.fileExists(atPath: file), "\(page): \(link.0)")
                count += 1
                guard let anchor = link.2?.dropFirst(), let read = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
                #expect(Self.anchors(in: read).contains(String(anchor)), "\(page): \(link.0)")
            }
        }
        #expect(count > 100)
    }

    /// The anchors of a page's headings, as GitHub makes them.
    private static func anchors(in text: String) -> Set<String> {
        let headings = text.split(separator: "\n").filter { $0.wholeMatch(of: /#{1,6} .*/) != nil }
        return Set(
            headings.map { heading in
                heading.drop { $0 == "#" }.dropFirst().lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            })
    }
}
