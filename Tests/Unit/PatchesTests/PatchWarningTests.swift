import Patches
import Testing

@Suite("Oversights in a patch") struct PatchWarningTests {
    private func patch(duration: Double?, chapters: [Chapter] = [], cues: [Chapter] = []) -> Patch {
        var patch = Patch(duration: duration, layers: [Layer(name: "a", kind: .tone)], chapters: chapters)
        patch.cues = cues
        return patch
    }

    private func move(_ start: Double, over: Double?, _ parameters: Parameter...) -> Chapter {
        Chapter(start: start, over: over, settings: parameters.map { Setting(layer: 0, parameter: $0, value: 1) })
    }

    @Test("A move that ends with the patch or earlier, a place, and any move of an endless patch are not oversights")
    func none() {
        let moves = [move(10, over: 50, .gain), Chapter(start: 20, over: 600), move(59.99, over: nil, .pan)]
        #expect(PatchWarning.all(in: patch(duration: 60, chapters: moves)).isEmpty)
        #expect(PatchWarning.all(in: patch(duration: nil, chapters: [move(10, over: 5000, .gain)])).isEmpty)
        // A patch to the millisecond, as its times are written.
        #expect(PatchWarning.all(in: patch(duration: 60, chapters: [move(0.1, over: 59.9000001, .gain)])).isEmpty)
    }

    @Test("A move beyond the end is an oversight, unless a later one takes it over")
    func moves() {
        #expect(
            PatchWarning.all(in: patch(duration: 60, chapters: [move(10, over: 51, .gain)])) == [
                .moveBeyondEnd(start: 10, end: 61, duration: 60)
            ])
        let taken = patch(duration: 60, chapters: [move(10, over: 100, .gain)], cues: [move(20, over: 10, .gain)])
        #expect(PatchWarning.all(in: taken).isEmpty)
        let half = patch(duration: 60, chapters: [move(10, over: 100, .gain, .pan)], cues: [move(20, over: 10, .gain)])
        #expect(PatchWarning.all(in: half) == [.moveBeyondEnd(start: 10, end: 110, duration: 60)])
    }

    @Test("A layer's name that means another layer in an address is an oversight")
    func names() {
        for name in ["2", "01", "selected"] {
            let found = PatchWarning.all(in: Patch(layers: [Layer(name: name, kind: .tone)]))
            #expect(found == [.nameNotInAddresses(name)])
            #expect(found[0].sentence.contains("`\(name)`"))
        }
        #expect(PatchWarning.all(in: Patch(layers: [Layer(name: "a2", kind: .tone)])).isEmpty)
    }

    @Test("A cue that begins at the end or later is an oversight, and takes over nothing")
    func cues() {
        let late = patch(duration: 60, chapters: [move(10, over: 100, .gain)], cues: [move(60, over: nil, .gain)])
        #expect(PatchWarning.all(in: late) == [.moveBeyondEnd(start: 10, end: 110, duration: 60), .cueBeyondEnd(start: 60, duration: 60)])
    }

    @Test("A loop and a fade-out need a duration")
    func endless() {
        var endless = patch(duration: nil)
        endless.loops = true
        endless.fade = Patch.Fade(in: 5, out: 10)
        #expect(PatchWarning.all(in: endless) == [.loopWithoutDuration, .fadeOutWithoutEnd])
        endless.duration = 60
        #expect(PatchWarning.all(in: endless).isEmpty)
    }
}
