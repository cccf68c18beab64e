import PatchFiles
import Patches
import Testing

@testable import Pictures

@Suite("the course of a patch in a few numbers")
struct PatchSketchTests {
    private func sketch(_ text: String) throws -> PatchSketch { PatchSketch(try Patch.parse(text, file: "p.yaml")) }

    @Test("it is that of the first beat, on the scale of pictures up to 40 Hz, from the start to the end")
    func beat() throws {
        let falling = try sketch(
            """
            duration: 100
            layers: [{noise: {color: pink}}, {name: bed, binaural: {carrier: 200, beat: 40}}]
            chapters: [{at: 50, title: Down, over: 50, set: {bed.beat: 0}}]
            """)
        #expect(falling.parameter == "beat" && falling.values.count == PatchSketch.count)
        #expect(falling.values.prefix(13).allSatisfy { $0 == 100 })
        #expect(falling.values.last == 0 && falling.values == falling.values.sorted(by: >))
        // Beyond the scale, and below 0 Hz, where left and right are exchanged.
        for beat in [100, -40] {
            #expect(try sketch("layers: [{binaural: {carrier: 200, beat: \(beat)}}]").values.allSatisfy { $0 == 100 }, "\(beat)")
        }
        #expect(try sketch("layers: [{isochronic: {carrier: 200, pulseRate: 4}}]").parameter == "pulseRate")
    }

    @Test("without a beat it is the level of the first layer, from -60 to 0 dB")
    func level() throws {
        for (gain, value) in [(0, 100), (-30, 50), (-60, 0), (-90, 0)] {
            let sketch = try sketch("layers: [{noise: {color: pink}, gain: \(gain)}]")
            #expect(sketch.parameter == "gain" && sketch.values == Array(repeating: value, count: PatchSketch.count), "\(gain)")
        }
    }
}
