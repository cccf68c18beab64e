import Foundation
import Patches
import TestSupport
import Testing

@Suite("The report of make bench")
struct BenchmarkReportTests {
    // Binaural layers have tables of their own; files and inputs have nothing to play there.
    @Test(
        "Every kind of layer is in the report",
        arguments: LayerKind.allCases.filter { ![.binaural, .file, .input].contains($0) })
    func kinds(kind: LayerKind) throws {
        let script = try String(contentsOfFile: PackageRoot.file("scripts/bench"), encoding: .utf8)
        let printed = try #require(script.split(separator: "\n").first { $0.hasPrefix("KINDS = ") })
        #expect(printed.contains(kind == .noise ? "\"noise-\"" : "\"\(kind)/\""))
        let report = try String(contentsOfFile: PackageRoot.file("docs/benchmarks.md"), encoding: .utf8)
        #expect(report.contains(kind == .noise ? "noise-pink |" : "| \(kind == .spin ? 16 : 256) \(kind) |"))
    }
}
