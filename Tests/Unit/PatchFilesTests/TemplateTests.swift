import PatchFiles
import Patches
import Testing

@Suite("The template of a new patch")
struct TemplateTests {
    @Test("is the patch that it was made from, with comments")
    func starting() throws {
        let text = Patch.starting.template(file: "evening.yaml", documentation: "/usr/share/doc/files.md")
        #expect(try Patch.parse(text, file: "template") == .starting)
        #expect(text.hasPrefix("# A patch for binaural."))
        #expect(text.contains("#   binaural play evening.yaml\n"))
        #expect(text.contains("# /usr/share/doc/files.md describes everything"))
        #expect(text.contains("  # binaural: carrier 1 to 20000 Hz (200),"))
    }

    @Test("of any kind of layer, with any text, reads back equal")
    func any() throws {
        var patch = Patch(layers: LayerKind.allCases.map { Layer(name: $0.rawValue, kind: $0) })
        for index in patch.layers.indices where patch.layers[index].kind == .file { patch.layers[index].path = "- name: x.flac" }
        patch.details.title = "layers:\n  - name: x"
        patch.details.comment = "# no comment"
        patch.cues = [Chapter(start: 3, settings: [Setting(layer: 0, parameter: .gain, value: -20)])]
        #expect(try Patch.parse(patch.template(file: "x.yaml", documentation: "files.md"), file: "template") == patch)
    }

    @Test("a key that is commented out is valid without its comment sign")
    func uncommented() throws {
        let patch = Patch(layers: [Layer(name: "a", kind: .tone)])
        let lines = patch.template(file: "x.yaml", documentation: "files.md").split(separator: "\n").map(String.init)
        let isSuggestion = { (line: String) in
            ["# duration:", "# fade:", "# title:", "# chapters:", "#   - "].contains { line.hasPrefix($0) }
        }
        let text = lines.map { line in
            guard isSuggestion(line) else { return line }
            return String(line.dropFirst(2))
        }
        let read = try Patch.parse(text.joined(separator: "\n"), file: "template")
        #expect(read.duration == 1800)
        #expect(read.fade != nil)
        #expect(read.chapters.count == 1)
    }
}
