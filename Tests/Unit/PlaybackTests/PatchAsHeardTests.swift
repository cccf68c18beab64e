import Patches
import Playback
import Testing

@Suite("Saving what plays as a patch")
struct PatchAsHeardTests {
    private static func set(_ parameter: Parameter, _ value: Double, _ ramp: Ramp? = nil) -> Command {
        .set(Setting(layer: 0, parameter: parameter, value: value), ramp: ramp)
    }

    @Test("has edits, held controls, waves, and ramps with the value that they lead to; muted layers and those not soloed are off")
    func heard() throws {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        for command in [
            Self.set(.carrier, 300), Self.set(.beat, 4, Ramp(seconds: 60)), .touch(.parameter(.width, layer: 0), true),
            Self.set(.width, 0.5), .changeWave(layer: 0, .triangle), .mute(layer: 1, true),
        ] {
            player.send(command)
        }
        player.advance(seconds: 1)
        let patch = try #require(player.state.patchAsHeard(at: player.now))
        #expect(patch.layers[0].values == [.carrier: 300, .beat: 4, .width: 0.5])
        #expect(patch.layers[0].wave == .triangle)
        #expect(patch.layers[1].values[.gain] == Parameter.off)
        player.send(.mute(layer: 1, false))
        player.send(.solo(layer: 1, true))
        #expect(player.state.patchAsHeard(at: player.now)?.layers.map { $0.value(of: .gain) } == [Parameter.off, -26])
    }

    @Test("has the session's tuning if its notes follow it, so that they sound the same anywhere")
    func tuning() throws {
        var layer = Layer(name: "a", kind: .binaural)
        layer.note = Note(rawValue: 69)
        for (notes, tuning) in [([layer], 432.0), ([Layer(name: "a", kind: .binaural)], nil)] as [([Layer], Double?)] {
            var player = TestPlayer([QueueItem(reference: "one", patch: Patch(layers: notes))])
            player.send(.tune(a4: 432))
            let patch = try #require(player.state.patchAsHeard(at: player.now))
            #expect(patch.tuning == tuning)
            #expect(patch.layers == player.state.patch?.layers)
        }
    }

    @Test("leaves out a title that is only the name of the file")
    func title() {
        for reference in ["mine", "/x/mine.yaml", "./mine.sbg"] {
            var item = QueueItem.make("mine")
            item.reference = reference
            item.patch?.details.title = "mine"
            #expect(TestPlayer([item]).state.patchAsHeard(at: Moment(frame: 0))?.details.title.isEmpty == true)
            item.patch?.details.title = "Mine"
            #expect(TestPlayer([item]).state.patchAsHeard(at: Moment(frame: 0))?.details.title == "Mine")
        }
    }

    @Test("is refused without an item, or without its patch")
    func nothing() {
        for items in [[], [QueueItem.missing("one")]] {
            var player = TestPlayer(items)
            #expect(player.send(.savePatch("mine", overwrites: false)).status == .noSuchContent)
        }
    }
}
