import PatchFiles
import Patches
import Testing

@Suite("Reading the bands of effects")
struct BandReadingTests {
    private static func text(_ keys: String) -> String { "layers:\n  - {name: rain, noise: {color: pink, \(keys)}}\n" }

    @Test(
        "One band is a pair, several are a list of pairs, and a file keeps them",
        arguments: [
            ("bands: [200, 800]", [200.0...800]), ("bands: [[200, 800]]", [200...800]),
            ("bands: [[0, 300], [2000, 6000.5]]", [0...300, 2000...6000.5]),
        ])
    func reading(keys: String, bands: [ClosedRange<Double>]) throws {
        let patch = try Patch.parse(Self.text("amDepth: 1, \(keys)"), file: "x")
        #expect(patch.layers[0].bands == bands && patch.layers[0].hasBands)
        #expect(try Patch.parse(patch.yaml, file: "x") == patch)
        #expect(PatchWarning.all(in: patch).isEmpty)
    }

    @Test(
        "What is not a list of bands is a fault at its place",
        arguments: [
            ("bands: 200", "expected a list of bands"), ("bands: []", "the number of bands is 0"),
            ("bands: [200]", "the number of ends of a band is 1"),
            ("bands: [200, 300, 400]", "the number of ends of a band is 3"), ("bands: [[200, 300], 400]", "expected a list of both ends"),
            ("bands: [800, 200]", "after 800"), ("bands: [200, 200]", "after 200"),
            ("bands: [[200, 800], [700, 900]]", "after 800"), ("bands: [[200, 800], [800, 900]]", "after 800"),
            ("bands: [-1, 800]", "the end of a band is -1"), ("bands: [200, 20001]", "the end of a band is 20001"),
            ("bands: [200, loud]", "found `loud`"), ("bands: [200, .nan]", "nan"), ("bands: {low: 200}", "expected a list of bands"),
            ("bands: [[1,2],[3,4],[5,6],[7,8],[9,10],[11,12],[13,14],[15,16],[17,18]]", "the number of bands is 9"),
        ])
    func faults(keys: String, words: String) {
        expectFault(in: Self.text("amDepth: 1, \(keys)"), at: "x:2:", words)
    }

    @Test("Layers without effects of their own have no bands, and bands without an effect are warned of")
    func effects() throws {
        #expect(throws: Diagnostics.self) {
            try Patch.parse("layers:\n  - {name: a, tone: {carrier: 200, bands: [200, 800]}}\n", file: "x")
        }
        let patch = try Patch.parse(Self.text("bands: [200, 800]"), file: "x")
        #expect(PatchWarning.all(in: patch) == [.bandsWithoutEffect(layer: "rain")])
        #expect(!patch.layers[0].hasBands)
    }
}
