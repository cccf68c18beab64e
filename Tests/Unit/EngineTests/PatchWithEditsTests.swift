import Engine
import PatchFiles
import Patches
import Testing

@Suite("A patch with its live edits written into it")
struct PatchWithEditsTests {
    @Test("has the values of the plan with the edits, bit for bit, whatever the patch, the edits and the mutes", arguments: 0..<60)
    func sameSound(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed + 1))
        let patch = Patch.random(using: &generator)
        let edits = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
            LiveEdit(setting: patch.randomSetting(using: &generator), position: .random(in: 0...1.2, using: &generator))
        }
        let live = PlanCompiler.compile(patch, edits: edits, sampleRate: 48_000)
        let saved = PlanCompiler.compile(patch.including(edits), sampleRate: 48_000)
        #expect(render(saved, count: 60_000) == render(live, count: 60_000))
    }

    @Test("sounds the same with silent layers, as long as nothing has to be played softer")
    func silent() {
        for seed in 1...20 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var patch = Patch.random(using: &generator)
            for index in patch.layers.indices { patch.layers[index].values[.gain] = -60 }
            patch.chapters = patch.chapters.map { chapter in
                var chapter = chapter
                for index in chapter.settings.indices where chapter.settings[index].parameter == .gain {
                    chapter.settings[index].value = -60
                }
                return chapter
            }
            let muted = Set(patch.layers.indices.filter { _ in Bool.random(using: &generator) })
            let live = PlanCompiler.compile(patch, muted: muted, sampleRate: 48_000)
            let saved = PlanCompiler.compile(patch.including([], silencing: muted), sampleRate: 48_000)
            #expect(render(saved, count: 60_000) == render(live, count: 60_000), "seed \(seed)")
        }
    }

    @Test("an edit in a chapter with a time of its own becomes a cue, and the other values of the chapter keep their time")
    func cue() throws {
        var patch = Patch.single(.binaural, duration: 60)
        let settings = [Setting(layer: 0, parameter: .beat, value: 4), Setting(layer: 0, parameter: .gain, value: -30)]
        patch.chapters = [Chapter(start: 0, title: "A"), Chapter(start: 20, title: "B", over: 10, settings: settings)]
        let edit = LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: 6), position: 25)
        let saved = patch.including([edit])
        #expect(saved.chapters.map(\.title) == ["A", "B"])
        #expect(saved.chapters[1].settings == [settings[1]])
        #expect(saved.cues == [Chapter(start: 20, settings: [edit.setting])])
        #expect(try Patch.parse(saved.yaml, file: "saved") == saved)
    }

    @Test("an edit of a beat that followed the tempo replaces the note length")
    func note() {
        var patch = Patch.single(.binaural)
        patch.layers[0].notes[.beat] = NoteLength("1/4")
        let saved = patch.including([LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: 6), position: 0)])
        #expect(saved.layers[0].notes.isEmpty)
        #expect(saved.layers[0].values[.beat] == 6)
    }

    @Test("edits of layers and parameters that do not exist are left out")
    func unknown() {
        let patch = Patch.single(.noise)
        let edits = [(7, Parameter.gain), (0, .carrier), (-1, .gain)].map { layer, parameter in
            LiveEdit(setting: Setting(layer: layer, parameter: parameter, value: 1), position: 0)
        }
        #expect(patch.including(edits) == patch)
        #expect(patch.including([], silencing: [3, -1]) == patch)
    }
}
