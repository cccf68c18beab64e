import PatchFiles
import Patches
import Testing

@Suite("Reading rates that follow another layer")
struct LeaderReadingTests {
    private static func text(_ rain: String, bed: String = "beat: 4.5", more: String = "") -> String {
        "layers:\n  - {name: rain, noise: {color: pink, \(rain)}}\n  - {name: bed, binaural: {carrier: 200, \(bed)}}\n\(more)"
    }

    @Test("A rate of any layer is followed from its value at the start on, and the file keeps its name")
    func following() throws {
        let text = Self.text("amRate: bed.beat, amDepth: 1, spinRate: bed.beat", bed: "beat: -4.5")
        let patch = try Patch.parse(text, file: "x")
        #expect(
            patch.layers[0].leaders == [.amRate: .init(layer: "bed", parameter: .beat), .spinRate: .init(layer: "bed", parameter: .beat)])
        #expect(patch.layers[0].effects == [.modulation, .spin])
        #expect(patch.layers[0].values[.amRate] == 4.5)
        #expect(patch.layers[0].values[.spinRate] == -4.5)
        #expect(patch.yaml.contains("amRate: bed.beat"))
        #expect(try Patch.parse(patch.yaml, file: "x") == patch)
        // A saved edit of the beat takes along what follows it.
        let edited = patch.including([LiveEdit(setting: Setting(layer: 1, parameter: .beat, value: 6), position: 0)])
        let revised = try #require(PatchRevision.text(text, file: "x", revisedTo: edited))
        #expect(revised == Self.text("amRate: bed.beat, amDepth: 1, spinRate: bed.beat", bed: "beat: 6"))
        #expect(edited.value(of: .amRate, layer: 0, at: 1, edits: []) == 6)
    }

    @Test(
        "What cannot be followed is a fault at its place",
        arguments: [
            ("amRate: sea.beat", "beat: 4", "", "unknown layer `sea`"),
            ("amRate: bed.carrier", "beat: 4", "", "`bed.carrier` is not a rate that can be followed"),
            ("amRate: bed.pulseRate", "beat: 4", "", "`bed.pulseRate` is not a rate that can be followed"),
            ("amRate: bed.beat", "beat: 1/4", "", "`bed.beat` follows `1/4` itself"),
            ("amRate: rain.spinRate, spinRate: bed.beat", "beat: 4", "", "`rain.spinRate` follows `bed.beat` itself"),
            ("amRate: rain.amRate", "beat: 4", "", "`rain.amRate` would follow itself"),
            ("amRate: rain.spinRate, spinRate: rain.amRate", "beat: 4", "", "`rain.amRate` would follow itself"),
            ("amRate: bed.pulserate", "beat: 4", "", "pulserate"),
            ("amDepth: bed.beat", "beat: 4", "", "bed.beat"),
            ("amRate: bed.beat", "beat: 4", "chapters:\n  - {at: 0:05, set: {rain.amRate: 5}}\n", "`rain.amRate` follows `bed.beat`"),
            ("amRate: .beat", "beat: 4", "", "found `.beat`"),
            ("amRate: bed.beat.beat", "beat: 4", "", "found `bed.beat.beat`"),
        ])
    func faults(rain: String, bed: String, more: String, words: String) {
        expectFault(in: Self.text(rain, bed: bed, more: more), at: "x:", words)
    }
}
