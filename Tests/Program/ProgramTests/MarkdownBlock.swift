import Foundation
import ProgramSupport
import TestSupport

/// A block of code between fences on a page of the docs.
struct MarkdownBlock: Sendable {
    /// The language after the opening fence, such as `sh`; may be empty.
    var language: String
    var lines: [String]
    /// The page and the line of the opening fence.
    var place: String

    /// The file that the block holds.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// All blocks of a page, given by its path in the package.
    static func all(in page: String) throws -> [MarkdownBlock] {
        var blocks: [MarkdownBlock] = []
        var open: MarkdownBlock?
        let text = try String(contentsOfFile: PackageRoot.file(page), encoding: .utf8)
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(block)
                    open = nil
                } else {
                    open = MarkdownBlock(language: String(line.dropFirst(3)), lines: [], place: "\(page):\(index + 1)")
                }
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }

    /// The README and the pages of the docs.
    static func pages() throws -> [String] {
        let docs = FileManager.default.enumerator(atPath: PackageRoot.file("docs"))?.compactMap { $0 as? String } ?? []
        return ["README.md"] + docs.filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }.sorted()
    }
}
