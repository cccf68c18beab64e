import PatchFiles
import Patches
import Testing

@Suite("Reading spins by delay")
struct SpinDelayReadingTests {
    private static func text(_ keys: String) -> String { "layers:\n  - {name: rain, noise: {color: pink, \(keys)}}\n" }

    @Test(
        "A delay makes a spin by delay, a depth one by level, both make both, and a rate alone one by level; a file keeps them",
        arguments: [
            ("spinDelay: 300", [LayerEffect.spinDelay]), ("spinDelay: 300, spinRate: 2", [.spinDelay]), ("spinDelay: 0", [.spinDelay]),
            ("spinRate: 2", [.spin]), ("spinDepth: 0.4", [.spin]), ("spinDepth: 0.4, spinDelay: 300", [.spin, .spinDelay]),
            ("spinRate: 2, spinDepth: 0.4, spinDelay: 300, beat: 4, bands: [200, 800]", [.spin, .spinDelay, .shift]),
        ])
    func reading(keys: String, effects: [LayerEffect]) throws {
        let patch = try Patch.parse(Self.text(keys), file: "x")
        #expect(patch.layers[0].effects == Set(effects))
        #expect(patch.layers[0].parameters.count(where: { $0.parameter == .spinRate }) == 1)
        #expect(patch.layers[0].value(of: .spinDelay) != nil || !effects.contains(.spinDelay))
        #expect(patch.layers[0].needsBothEars == effects.contains(.spinDelay))
        #expect(try Patch.parse(patch.yaml, file: "x") == patch)
    }

    @Test("Effects without any value are written so that they are read again")
    func writing() throws {
        for effects in [[.spinDelay], [.spin], [.spin, .spinDelay]] as [Set<LayerEffect>] {
            var layer = Layer(name: "rain", kind: .noise, values: [.spinRate: 3])
            layer.effects = effects
            let patch = try Patch.parse(Patch(layers: [layer]).yaml, file: "x")
            #expect(patch.layers[0].effects == effects)
        }
    }

    @Test(
        "A delay out of range, or one that is set where the layer has none, is a fault at its place",
        arguments: [
            (text("spinDelay: 5001"), "x:2:", "5001"), (text("spinDelay: -1"), "x:2:", "-1"), (text("spinDelay: wide"), "x:2:", "wide"),
            ("layers:\n  - {name: rain, tone: {spinDelay: 300}}\n", "x:2:", "spinDelay"),
            (text("spinRate: 1") + "chapters:\n  - {at: 0, set: {rain.spinDelay: 300}}\n", "x:4:", "spinDelay"),
            (text("spinDelay: 1") + "chapters:\n  - {at: 0, set: {rain.spinDepth: 0.5}}\n", "x:4:", "spinDepth"),
        ])
    func faults(text: String, place: String, words: String) {
        expectFault(in: text, at: place, words)
    }
}
