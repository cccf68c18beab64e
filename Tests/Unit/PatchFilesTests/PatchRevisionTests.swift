import Foundation
import PatchFiles
import Patches
import TestSupport
import Testing

private let shipped =
    (try? FileManager.default.contentsOfDirectory(atPath: PackageRoot.file("patches")))?.sorted().map { PackageRoot.file("patches/\($0)") }
    ?? []

@Suite("A patch's text, changed to another version")
struct PatchRevisionTests {
    private static let text = """
        # The evening, quiet version
        title: Evening   # shown on the phone
        duration: 30:00
        layers:
          # Lowest tone
          - name: bed
            binaural: {note: A3, beat: 10}   # A3 as the cello has it
            gain: -24
          - {name: rain, noise: {color: pink}, gain: -34} # never louder
        chapters:
          - {at: 0:00, title: Settle}
          - at: 5:00
            title: Drift
            over: 10:00
            set: {bed.beat: 4, rain.gain: -28}   # both slowly
        cues:
          # The gong
          - {at: 20:00, set: {rain.gain: -120}}
        # The end

        """

    /// The text after changes by hand, as saving makes them.
    private func revised(_ text: String = text, _ edits: [LiveEdit] = [], _ change: (inout Patch) -> Void = { _ in }) throws -> String {
        var patch = try Patch.parse(text, file: "evening.yaml").including(edits)
        change(&patch)
        let revision = try #require(PatchRevision.text(text, file: "evening.yaml", revisedTo: patch))
        #expect(try Patch.parse(revision, file: "evening.yaml").yaml == patch.yaml)
        return revision
    }

    private func edit(_ parameter: Parameter, layer: Int = 0, _ value: Double, at position: Double = 0) -> LiveEdit {
        LiveEdit(setting: Setting(layer: layer, parameter: parameter, value: value), position: position)
    }

    @Test("keeps every comment, and changes only the values that differ")
    func values() throws {
        let revision = try revised(Self.text, [edit(.beat, 6.5), edit(.gain, layer: 1, -30), edit(.gain, layer: 1, -40, at: 1300)])
        let expected = Self.text.replacing("beat: 10}", with: "beat: 6.5}").replacing("gain: -34}", with: "gain: -30}")
            .replacing("{rain.gain: -120}", with: "{rain.gain: -40}")
        #expect(revision == expected)
    }

    @Test("a carrier replaces a note, and a note a carrier")
    func notes() throws {
        #expect(try revised(Self.text, [edit(.carrier, 215)]) == Self.text.replacing("note: A3", with: "carrier: 215"))
        let carrier = Self.text.replacing("note: A3", with: "carrier: 200")
        let revision = try revised(carrier) { patch in
            patch.layers[0].note = Note(name: "A3")
            patch.layers[0].values[.carrier] = 220
        }
        #expect(revision == Self.text)
    }

    @Test("a parameter that had its default is added to its layer")
    func added() throws {
        let revision = try revised(Self.text, [edit(.pan, -0.5), edit(.pan, layer: 1, 0.5)])
        #expect(
            revision
                == Self.text.replacing("    gain: -24\n", with: "    gain: -24\n    pan: -0.5\n")
                .replacing("gain: -34}", with: "gain: -34, pan: 0.5}"))
    }

    @Test("a value that a chapter moves to slowly becomes a cue, in its place among the others")
    func cues() throws {
        let revision = try revised(Self.text, [edit(.beat, 5, at: 600)])
        #expect(
            revision
                == Self.text.replacing("{bed.beat: 4, rain.gain: -28}", with: "{rain.gain: -28}")
                .replacing("  - {at: 20:00", with: "  - {at: 5:00, set: {bed.beat: 5}}\n  - {at: 20:00"))
    }

    @Test("chapters and cues that were moved keep their comments")
    func moved() throws {
        let revision = try revised { patch in
            patch.chapters[1].start = 320
            patch.chapters[1].over = 60.5
            patch.cues[0].start = 1300
            patch.cues[0].over = 5
        }
        #expect(
            revision
                == Self.text.replacing("at: 5:00", with: "at: 5:20").replacing("over: 10:00", with: "over: 1:00.5")
                .replacing("{at: 20:00, set: {rain.gain: -120}}", with: "{at: 21:40, set: {rain.gain: -120}, over: 0:05}"))
    }

    @Test("a live edit in a cue that takes its time keeps the comments of the others")
    func slowCue() throws {
        let text = Self.text.replacing("{at: 20:00, set", with: "{at: 20:00, over: 10, set")
        let revision = try revised(text, [edit(.gain, layer: 1, -40, at: 1300)])
        #expect(
            revision
                == text.replacing("    # The gong\n", with: "    # The gong\n")
                .replacing("  - {at: 20:00, over: 10, set: {rain.gain: -120}}\n", with: "  - {at: 20:00, set: {rain.gain: -40}}\n"))
    }

    @Test("two cues of the same parameters that were moved keep their own comments")
    func movedTwins() throws {
        let text = Self.text.replacing(
            "# The end\n", with: "  - {at: 22:00, set: {rain.gain: -20}}   # back\n# The end\n")
        let revision = try revised(text) { patch in
            patch.cues[0].start = 1100
            patch.cues[1].start = 1200
        }
        #expect(
            revision
                == text.replacing("{at: 20:00, set", with: "{at: 18:20, set").replacing("{at: 22:00, set", with: "{at: 20:00, set"))
    }

    @Test("cues are added where there are none, also at the end of a file without a last line break")
    func firstCue() throws {
        let text = "layers: [{name: a, tone: {}}]\nchapters:\n  - {at: 0:10, over: 1:00, set: {a.gain: -40}}  # slowly"
        let revision = try revised(text, [edit(.gain, -30, at: 20)])
        #expect(
            revision
                == "layers: [{name: a, tone: {}}]\nchapters:\n  - {at: 0:10, over: 1:00}  # slowly\ncues:\n  - {at: 0:10, set: {a.gain: -30}}"
        )
    }

    @Test("title, tuning, waves and paths are set")
    func details() throws {
        let revision = try revised("layers:\n  - {name: a, tone: {note: A4}}\n  - {name: b, file: {path: a.wav}}\n") { patch in
            patch.details.title = "Night: one"
            patch.tuning = 432
            patch.layers[0].wave = .square
            patch.layers[1].path = "/music/a, b.wav"
        }
        #expect(
            revision
                == "layers:\n  - {name: a, tone: {note: A4}, wave: square}\n  - {name: b, file: {path: \"/music/a, b.wav\"}}\n"
                + "title: \"Night: one\"\ntuning: 432\n")
    }

    @Test("quotes, brackets in quotes, several lines and Windows line breaks are understood")
    func styles() throws {
        let text = """
            title: 'It''s {late}' # why
            layers:
              - name: "a"
                tone: {
                  carrier: 200, # ] not the end
                  phase: 10 }

            """.replacing("\n", with: "\r\n")
        let revision = try revised(text, [edit(.carrier, 300), edit(.gain, -12)]) { $0.details.title = "Early" }
        #expect(
            revision
                == text.replacing("'It''s {late}'", with: "Early").replacing("200", with: "300").replacing(
                    "10 }", with: "10 }\n    gain: -12"))
    }

    @Test("a version that the text cannot be changed to is left to the caller, who writes the whole file")
    func impossible() throws {
        var patch = try Patch.parse(Self.text, file: "evening.yaml")
        patch.layers.removeLast()
        patch.chapters.removeLast()
        patch.cues = []
        #expect(PatchRevision.text(Self.text, file: "evening.yaml", revisedTo: patch) == nil)
        #expect(PatchRevision.text("layers: [", file: "evening.yaml", revisedTo: patch) == nil)
    }

    @Test("random edits of every shipped patch are kept with all of its comments", arguments: shipped)
    func random(path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let original = try Patch.parse(text, file: path)
        let comments = text.split(separator: "\n").filter { $0.contains("#") }.compactMap { $0.split(separator: "#", maxSplits: 1).last }
        var random = SplitMix64(seed: 7)
        for _ in 0..<60 {
            let edits = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ -> LiveEdit? in
                let layer = Int.random(in: 0..<original.layers.count, using: &random)
                guard let description = original.layers[layer].parameters.randomElement(using: &random) else { return nil }
                let value = (Double.random(in: description.range, using: &random) * 100).rounded() / 100
                return edit(
                    description.parameter, layer: layer, description.clamped(value),
                    at: Double.random(in: 0..<(original.duration ?? 600), using: &random))
            }
            let muted = Set((0..<original.layers.count).filter { _ in Int.random(in: 0..<8, using: &random) == 0 })
            let patch = original.including(edits, silencing: muted)
            let revision = try #require(PatchRevision.text(text, file: path, revisedTo: patch), "\(edits) \(muted)")
            #expect(try Patch.parse(revision, file: path).yaml == patch.yaml)
            for comment in comments { #expect(revision.contains(comment), "\(comment)") }
        }
    }
}
