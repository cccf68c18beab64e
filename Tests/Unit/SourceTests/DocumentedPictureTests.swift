import Foundation
import TestSupport
import Testing

/// The pictures that the README and the docs show.
@Suite("Pictures in the docs")
struct DocumentedPictureTests {
    @Test(
        "Each line of a terminal keeps its spaces by its own style, since a browser need not inherit xml:space",
        arguments: ["terminal", "watch"])
    func spaces(name: String) throws {
        let picture = try String(contentsOfFile: PackageRoot.file("docs/\(name).svg"), encoding: .utf8)
        let lines = picture.matches(of: /<text [^>]*>/)
        #expect(lines.count > 5)
        for line in lines { #expect(line.0.contains("style=\"white-space: pre\""), "\(line.0)") }
    }
}
