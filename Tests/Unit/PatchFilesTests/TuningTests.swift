import PatchFiles
import Patches
import Testing

@Suite("The tuning of a patch") struct TuningTests {
    private static let text = """
        tuning: 432
        layers:
          - name: a
            tone: {note: A4}
          - name: b
            binaural: {carrier: 440, beat: 10}
        chapters:
          - at: 0:10
            set: {a.note: A3, b.carrier: 220}
        cues:
          - at: 0:20
            set: {b.note: A5}

        """

    private func carriers(_ patch: Patch) -> [Double?] {
        patch.layers.map { $0.values[.carrier] } + (patch.chapters + patch.cues).flatMap(\.settings).map(\.value)
    }

    @Test("Notes are in the patch's tuning, and frequencies in Hz are as they stand")
    func notes() throws {
        let patch = try Patch.parse(Self.text, file: "a")
        #expect(carriers(patch) == [432, 440, 216, 220, 864])
        let usual = try Patch.parse(Self.text.replacing("tuning: 432\n", with: ""), file: "a")
        #expect(carriers(usual) == [440, 440, 220, 220, 880])
    }

    @Test("The session's tuning applies to a patch without one of its own, and can change any number of times")
    func session() throws {
        var patch = try Patch.parse(Self.text.replacing("tuning: 432\n", with: ""), file: "a")
        let written = patch
        patch.tune(toA4: 415)
        #expect(carriers(patch) == [415, 440, 207.5, 220, 830])
        patch.tune(toA4: 900)
        patch.tune(toA4: 440)
        #expect(patch == written)
        var own = try Patch.parse(Self.text, file: "a")
        own.tune(toA4: 415)
        #expect(carriers(own) == [432, 440, 216, 220, 864])
    }

    @Test("A note whose value has been changed since keeps that value")
    func changed() throws {
        var patch = try Patch.parse("layers: [{tone: {note: A4}}]", file: "a")
        patch.layers[0].values[.carrier] = 300
        patch.tune(toA4: 432)
        #expect(patch.layers[0].values[.carrier] == 300)
        #expect(patch.yaml.contains("carrier: 300"))
    }

    @Test("A tuning and its notes are written as they were read, whatever the session's tuning")
    func written() throws {
        #expect(try Patch.parse(Self.text, file: "a").yaml == Self.text)
        var patch = try Patch.parse("layers: [{name: a, tone: {note: C#4}}]", file: "a")
        patch.tune(toA4: 415)
        #expect(patch.yaml == "layers:\n  - name: a\n    tone: {note: C#4}\n")
    }

    @Test("A tuning out of range, or one that leads a note out of the range of carriers, is an error at its place")
    func faults() {
        for (text, line, words) in [
            ("tuning: 100\nlayers: [{tone: {}}]", 1, "tuning"), ("tuning: A4\nlayers: [{tone: {}}]", 1, "number"),
            ("tuning: {a4: 432}\nlayers: [{tone: {}}]", 1, "number"), ("tuning: 900\nlayers:\n  - tone: {note: G9}", 3, "G9"),
            ("pitches: cents\nlayers: [{tone: {}}]", 1, "ratio"),
        ] {
            let faults = #expect(throws: Diagnostics.self) { try Patch.parse(text, file: "a.yaml") }?.all ?? []
            #expect(faults.count == 1, "\(text): \(faults)")
            #expect(faults.first?.place.line == line, "\(text): \(faults)")
            #expect(faults.first.map { "\($0)".contains(words) } == true, "\(faults)")
        }
    }

    @Test("Whether pitches move in Hz or by ratio is read and written")
    func pitches() throws {
        let patch = try Patch.parse("pitches: ratio\nlayers: [{name: a, tone: {}}]", file: "a")
        #expect(patch.pitchLaw == .ratio)
        #expect(patch.yaml.hasPrefix("pitches: ratio\n"))
        #expect(try Patch.parse("layers: [{tone: {}}]", file: "a").pitchLaw == .hertz)
    }
}
