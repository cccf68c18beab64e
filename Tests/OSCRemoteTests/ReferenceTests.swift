import Foundation
import OSCRemote
import TestSupport
import Testing

@Suite("The reference in the docs")
struct ReferenceTests {
    @Test("docs/osc.md is what the table makes")
    func reference() throws {
        let path = PackageRoot.file("docs/osc.md")
        let expected = AddressTable.standard.markdown
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            try FileManager.default.createDirectory(atPath: PackageRoot.file("docs"), withIntermediateDirectories: true)
            try expected.write(toFile: path, atomically: true, encoding: .utf8)
            Issue.record("docs/osc.md was not there and has been written: look at it, and run the test again")
            return
        }
        for row in AddressTable.standard.rows { #expect(text.contains("| `\(row.path)` |"), "docs/osc.md lacks \(row.path)") }
        #expect(text == expected, "docs/osc.md is not what the table makes: binaural osc-table > docs/osc.md")
    }
}
