import PatchFiles
import Patches
import Testing

@Suite("Reading orbits")
struct OrbitReadingTests {
    private static func text(_ keys: String, kind: String = "isochronic") -> String {
        "layers:\n  - {name: bee, \(kind): {carrier: 200, \(keys)}}\n"
    }

    @Test("A rate or a distance makes an isochronic tone circle the head; a file keeps it", arguments: ["orbitRate: -0.5", "distance: 3"])
    func reading(keys: String) throws {
        let patch = try Patch.parse(Self.text(keys + ", envelope: [1, 0]"), file: "x")
        let layer = patch.layers[0]
        #expect(layer.effects == [.orbit] && layer.needsBothEars)
        #expect(layer.value(of: .orbitRate) == (keys.contains("Rate") ? -0.5 : 0.1))
        #expect(layer.value(of: .distance) == (keys.contains("dist") ? 3 : 1))
        #expect(try Patch.parse(patch.yaml, file: "x") == patch)
        var bare = Layer(name: "bee", kind: .isochronic)
        bare.effects = [.orbit]
        #expect(try Patch.parse(Patch(layers: [bare]).yaml, file: "x").layers[0].effects == [.orbit])
        #expect(try Patch.parse(Self.text("pulseRate: 3"), file: "x").layers[0].value(of: .orbitRate) == nil)
    }

    @Test(
        "A value out of range, or one that is set where the layer has none, is a fault at its place",
        arguments: [
            (text("distance: 0.2"), "x:2:", "0.2"), (text("distance: 11"), "x:2:", "11"), (text("orbitRate: 100.1"), "x:2:", "100.1"),
            (text("orbitRate: 1", kind: "tone"), "x:2:", "orbitRate"), (text("spinRate: 1"), "x:2:", "spinRate"),
            ("layers:\n  - {name: bee, noise: {orbitRate: 1}}\n", "x:2:", "orbitRate"),
            (text("duty: 0.5") + "chapters:\n  - {at: 0, set: {bee.distance: 3}}\n", "x:4:", "distance"),
        ])
    func faults(text: String, place: String, words: String) {
        expectFault(in: text, at: place, words)
    }
}
