import Foundation
import Library
import Patches
import Terminal
import TestSupport
import Testing

@Suite("The catalogue in docs/sounds.md")
struct CatalogueTests {
    @Test("It has every patch that comes with the program, under its genre, with title, length and comment, and no other")
    func complete() throws {
        let nowhere = "/nowhere"
        let library = Library(
            places: Places(
                workingFolder: nowhere, dataHome: nowhere, shipped: [PackageRoot.path], stateHome: nowhere, configHome: nowhere,
                cacheHome: nowhere))
        var expected: Set<String> = []
        for entry in library.list(.patches) {
            let patch = try library.loadPatch(entry).patch
            let (details, length) = (patch.details, patch.duration.map { ClockTime.text($0) } ?? "endless")
            expected.insert("\(details.genre): | `\(entry.name)` | \(details.title) | \(length) | \(details.comment) |")
        }
        var (genre, found) = ("", Set<String>())
        for line in try String(contentsOfFile: PackageRoot.file("docs/sounds.md"), encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("## ") { genre = String(line.dropFirst(3)) }
            if line.hasPrefix("| `") { found.insert("\(genre): \(line)") }
        }
        #expect(expected.count > 30)
        #expect(found.symmetricDifference(expected).sorted() == [])
    }
}
