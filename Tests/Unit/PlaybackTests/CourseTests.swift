import Patches
import Testing

@testable import Playback

@Suite("Changes of chapters and cues")
struct CourseTests {
    /// Two chapters and two cues of the layers `bed` and `rain`, in ten minutes.
    private static let patch: Patch = {
        var patch = Patch(
            duration: 600,
            layers: [
                Layer(name: "bed", kind: .binaural, values: [.carrier: 200, .beat: 10, .gain: -20]),
                Layer(name: "rain", kind: .noise, values: [.gain: -30]),
            ])
        patch.chapters = [
            Chapter(start: 0, title: "Settle"),
            Chapter(start: 120, title: "Drift", over: 60, settings: [value(.beat, 6), Setting(layer: 1, parameter: .gain, value: -40)]),
        ]
        patch.cues = [Chapter(start: 300, settings: [value(.gain, -24)]), Chapter(start: 300, over: 10, settings: [value(.carrier, 210)])]
        return patch
    }()

    private static func value(_ parameter: Parameter, _ value: Double, layer: Int = 0) -> Setting {
        Setting(layer: layer, parameter: parameter, value: value)
    }

    private func player() -> TestPlayer {
        var player = TestPlayer([QueueItem(reference: "/one.yaml", patch: Self.patch), .make("two")])
        player.send(.play)
        player.advance(seconds: 10)
        _ = player.effects()
        return player
    }

    private func heard(_ player: TestPlayer, _ parameter: Parameter, layer: Int = 0, at position: Double) -> Double? {
        player.state.patch?.value(of: parameter, layer: layer, at: position, edits: player.state.current?.edits ?? [])
    }

    @Test("move, stretch and set what the patch has, once crossfaded, and undo takes each back")
    func changes() {
        var player = player()
        let changes: [(CourseChange, (Patch) -> Double?, before: Double, after: Double)] = [
            (.start(place: 1, 130), { $0.chapters[1].start }, 120, 130),
            (.over(place: 1, 20), { $0.chapters[1].over }, 60, 20),
            (.over(place: 2, 20), { $0.cues[0].over }, .nan, 20),
            (.value(place: 1, Self.value(.beat, 5)), { $0.chapters[1].settings[0].value }, 6, 5),
            (.value(place: 3, Self.value(.carrier, 190)), { $0.cues[1].settings[0].value }, 210, 190),
            (.value(place: nil, Self.value(.carrier, 180)), { $0.layers[0].value(of: .carrier) }, 200, 180),
            (.start(place: 3, 320), { $0.cues[1].start }, 300, 320),
        ]
        for (change, read, _, after) in changes {
            #expect(player.send(.changeCourse(change)).status == .success, "\(change)")
            #expect(player.effects() == [.sound(.crossfadeInPlace)], "\(change)")
            #expect(player.state.patch.flatMap(read) == after, "\(change)")
            player.advance(seconds: 1)
        }
        #expect(player.elapsed == 10 + Double(changes.count))
        for (change, read, before, _) in changes.reversed() {
            player.send(.undo)
            #expect(player.state.patch.flatMap(read) ?? .nan == before || before.isNaN, "\(change)")
        }
        #expect(player.state.patch == Self.patch)
        for _ in changes { player.send(.redo) }
        for (change, read, _, after) in changes { #expect(player.state.patch.flatMap(read) == after, "\(change)") }
        player.send(.resetCourse)
        #expect(player.state.patch == Self.patch)
        player.send(.undo)
        #expect(player.state.patch?.chapters[1].start == 130)
    }

    @Test("are refused where they would put chapters or cues out of order, or name what is not there")
    func refused() {
        var player = player()
        let refused: [(CourseChange, CommandStatus)] = [
            (.start(place: 1, 0), .badArguments), (.start(place: 1, 600), .badArguments), (.start(place: 0, -1), .badArguments),
            (.start(place: 0, 120), .badArguments), (.start(place: 2, 301), .badArguments), (.start(place: 3, 299), .badArguments),
            (.start(place: 1, .nan), .badArguments), (.start(place: 1, .infinity), .badArguments), (.start(place: 4, 1), .noSuchContent),
            (.start(place: -1, 1), .noSuchContent), (.over(place: 1, 0), .badArguments), (.over(place: 1, .nan), .badArguments),
            (.over(place: .max, 1), .noSuchContent), (.value(place: 0, Self.value(.beat, 1)), .noSuchContent),
            (.value(place: 9, Self.value(.beat, 1)), .noSuchContent), (.value(place: nil, Self.value(.duty, 0.5)), .notSupported),
            (.value(place: nil, Self.value(.beat, 1, layer: 2)), .noSuchContent),
            (.value(place: nil, Self.value(.beat, 1, layer: -1)), .noSuchContent),
            (.value(place: nil, Self.value(.beat, .nan)), .badArguments),
        ]
        for (change, status) in refused {
            let result = player.send(.changeCourse(change))
            #expect(result.status == status, "\(change)")
            #expect(!result.message.isEmpty, "\(change)")
        }
        #expect(player.effects().isEmpty)
        #expect(player.state.patch == Self.patch)
        #expect(!player.isEnabled(.undo))
        var empty = TestPlayer([])
        #expect(empty.send(.changeCourse(.start(place: 0, 1))).status == .noSuchContent)
        #expect(empty.send(.resetCourse).status == .noSuchContent)
    }

    @Test("to a value beyond its range take the end of the range")
    func clamped() {
        var player = player()
        player.send(.changeCourse(.value(place: 1, Self.value(.beat, 1000))))
        #expect(player.state.patch?.chapters[1].settings[0].value == 100)
    }

    @Test("to a value replace the live edit that would hide it, and no other one, in one step")
    func liveEdits() {
        var player = player()
        player.send(.set(Self.value(.beat, 12), ramp: nil))
        player.advance(seconds: 200)
        player.send(.set(Self.value(.beat, 3), ramp: nil))
        player.send(.set(Self.value(.gain, -10), ramp: nil))
        player.send(.changeCourse(.value(place: 1, Self.value(.beat, 5))))
        #expect(heard(player, .beat, at: 60) == 12)
        #expect(heard(player, .beat, at: 250) == 5)
        #expect(player.state.current?.edits.map(\.setting.value).sorted() == [-10, 12])
        player.send(.undo)
        #expect(heard(player, .beat, at: 250) == 3)
    }

    @Test("keep a live edit with the chapter in which it was made when the chapter moves behind it")
    func segments() {
        var player = player()
        player.advance(seconds: 115)
        player.send(.set(Self.value(.beat, 3), ramp: nil))
        player.send(.changeCourse(.start(place: 1, 200)))
        #expect(heard(player, .beat, at: 150) == 10)
        #expect(heard(player, .beat, at: 201) == 3)
        player.send(.changeCourse(.start(place: 1, 100)))
        #expect(heard(player, .beat, at: 99) == 10)
        #expect(heard(player, .beat, at: 101) == 3)
    }

    @Test("keep a live edit with its chapter when a cue that sets the same parameter is passed")
    func passing() {
        var patch = Self.patch
        patch.cues = [Chapter(start: 130, settings: [Self.value(.beat, 8)])]
        var item = QueueItem(reference: "/one.yaml", patch: patch)
        item.edits = [
            LiveEdit(setting: Self.value(.beat, 3), position: 125), LiveEdit(setting: Self.value(.beat, 2), position: 135),
        ]
        var player = TestPlayer([item])
        player.send(.changeCourse(.start(place: 1, 140)))
        #expect(heard(player, .beat, at: 139) == 2)
        #expect(heard(player, .beat, at: 141) == 3)
        player.send(.resetCourse)
        #expect(heard(player, .beat, at: 129) == 3)
        #expect(heard(player, .beat, at: 131) == 2)
    }

    @Test("back to the number of the file are dropped")
    func back() {
        var player = player()
        player.send(.changeCourse(.start(place: 1, 130)))
        player.send(.changeCourse(.value(place: nil, Self.value(.carrier, 180))))
        player.send(.changeCourse(.start(place: 1, 120)))
        player.send(.changeCourse(.value(place: nil, Self.value(.carrier, 200))))
        #expect(player.state.current?.course.isEmpty == true)
        #expect(player.state.patch == Self.patch)
    }

    @Test("to a start take effect though others no longer fit into the file")
    func blocked() {
        var item = QueueItem(reference: "/one.yaml", patch: Self.patch)
        item.course = [.start(.chapter(at: 0)): 500]
        var player = TestPlayer([item])
        player.send(.changeCourse(.start(place: 1, 130)))
        #expect(player.state.patch?.chapters.map(\.start) == [0, 130])
    }

    @Test("apply to another version of the patch where it has the same places, and are dropped where it has not")
    func reread() {
        var player = player()
        player.send(.changeCourse(.value(place: 1, Self.value(.beat, 5))))
        player.send(.changeCourse(.value(place: 3, Self.value(.carrier, 190))))
        var other = Self.patch
        other.chapters.insert(Chapter(start: 60, title: "Added"), at: 1)
        other.cues.removeLast()
        let rereading = player.player.replacePatch(ofItem: 0, with: other, restored: nil, at: player.now)
        #expect(rereading?.course == CourseFate(kept: 1, dropped: 1))
        #expect(player.state.patch?.chapters.map(\.title) == ["Settle", "Added", "Drift"])
        #expect(player.state.patch?.chapters[2].settings[0].value == 5)
        #expect(player.state.current?.course.count == 1)
        #expect(player.player.replacePatch(ofItem: 0, with: other, restored: nil, at: player.now) == nil)
    }

    @Test("are gone once the file has them")
    func saved() {
        var player = player()
        player.send(.changeCourse(.start(place: 1, 130)))
        player.send(.changeCourse(.value(place: nil, Self.value(.carrier, 180))))
        guard let changed = player.state.patch else { return }
        let rereading = player.player.replacePatch(ofItem: 0, with: changed, restored: nil, at: player.now)
        #expect(rereading?.course == CourseFate(contained: 2))
        #expect(player.state.current?.course.isEmpty == true)
        #expect(player.state.patch == changed)
    }

    @Test("are counted by their fates: of those in one file, one may be kept, one dropped, and one in the file by now")
    func fates() {
        var player = player()
        player.send(.changeCourse(.value(place: 1, Self.value(.beat, 5))))
        player.send(.changeCourse(.value(place: nil, Self.value(.carrier, 180))))
        player.send(.changeCourse(.over(place: 2, 20)))
        var other = Self.patch
        other.layers[0].values[.carrier] = 180
        other.cues.removeAll()
        let rereading = player.player.replacePatch(ofItem: 0, with: other, restored: nil, at: player.now)
        #expect(rereading?.course == CourseFate(kept: 1, dropped: 1, contained: 1))
        #expect(player.state.current?.course.count == 1)
    }

    @Test("are gone once the file has them together with live edits")
    func savedWithEdits() {
        var player = player()
        player.send(.set(Self.value(.gain, -18), ramp: nil))
        player.send(.changeCourse(.start(place: 1, 130)))
        player.send(.changeCourse(.value(place: 1, Self.value(.beat, 5))))
        guard let saved = player.state.patchAsHeard(at: player.now) else { return }
        _ = player.player.replacePatch(ofItem: 0, with: saved, restored: nil, at: player.now)
        #expect(player.state.current?.course.isEmpty == true)
        #expect(player.state.patch == saved)
    }

    @Test("whose starts no longer fit between other chapters have no effect until they do")
    func outOfOrder() {
        var item = QueueItem(reference: "/one.yaml", patch: Self.patch)
        item.course = [.start(.chapter(at: 120)): 500, .start(.cue(at: 300, number: 1)): 200, .over(.chapter(at: 120)): 5]
        #expect(item.patch?.chapters[1].start == 500)
        #expect(item.patch?.cues.map(\.start) == [300, 300])
        var other = Self.patch
        other.chapters.append(Chapter(start: 400))
        item.patch = other
        #expect(item.patch?.chapters.map(\.start) == [0, 120, 400])
        #expect(item.patch?.chapters[1].over == 5)
    }

    @Test("are in the patch that is saved, and follow another tuning only where they are notes")
    func asHeard() {
        var patch = Self.patch
        patch.layers[0].note = Note(rawValue: 57)
        patch.layers[0].values[.carrier] = 220
        var item = QueueItem(reference: "/one.yaml", patch: patch)
        item.course = [.value(.cue(at: 300, number: 1), layer: "bed", parameter: "carrier"): 190]
        var player = TestPlayer([item])
        player.send(.tune(a4: 432))
        #expect(player.state.patch?.layers[0].value(of: .carrier) == 216)
        #expect(player.state.patch?.cues[1].settings[0].value == 190)
        player.send(.changeCourse(.value(place: nil, Self.value(.carrier, 180))))
        player.send(.tune(a4: 440))
        #expect(player.state.patch?.layers[0].value(of: .carrier) == 180)
        #expect(player.state.patchAsHeard(at: player.now)?.cues[1].settings[0].value == 190)
        player.send(.resetItem(0))
        #expect(player.state.patch?.layers[0].value(of: .carrier) == 220)
    }

    @Test("count as edits, of which a session holds no more than it can save")
    func limit() {
        var patch = Self.patch
        patch.chapters = (0..<(QueueItem.editLimit / 2 + 1)).map { Chapter(start: Double($0) / 10) }
        patch.duration = 1000
        var item = QueueItem(reference: "/one.yaml", patch: patch)
        for index in 0..<(QueueItem.editLimit / 2) {
            item.course[.over(.chapter(at: Double(index) / 10))] = 1
        }
        item.edits = (0..<(QueueItem.editLimit / 2)).map { LiveEdit(setting: Self.value(.beat, 1), position: Double($0)) }
        var player = TestPlayer([item])
        #expect(player.send(.changeCourse(.over(place: patch.chapters.count - 1, 1))).status == .queueFull)
        #expect(player.send(.changeCourse(.over(place: 0, 2))).status == .success)
    }

    @Test("of another item than the current one are undone, and a notice says which")
    func otherItem() {
        var player = player()
        player.send(.changeCourse(.start(place: 1, 130)))
        player.send(.selectItem(1))
        _ = player.effects()
        player.send(.undo)
        #expect(player.state.items[0].patch == Self.patch)
        #expect(player.effects().contains(.sound(.upcoming)))
    }
}
