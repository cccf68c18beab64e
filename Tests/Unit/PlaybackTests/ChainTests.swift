import Patches
import Playback
import Testing

/// Every command against every position of the chain.
@Suite struct ChainTests {
    /// One command of each kind, and its responder in a queue of two items with layers and chapters.
    static let commands: [(command: Command, responder: String)] = samples.map { ($0, responder(of: $0)) }

    private static let gain = Setting(layer: 1, parameter: .gain, value: -33)
    private static let beat = Fader.parameter(.beat, layer: 0)

    private static let samples: [Command] = [
        .play, .pause, .toggle, .stop, .next, .previous, .nextItem, .previousItem, .selectItem(1), .skip(by: 1), .skipForward(by: 1),
        .skipBackward(by: 1), .changePosition(to: 5), .changeNormalizedPosition(to: 0.5), .seek(.forward, begins: true),
        .seek(.backward, begins: false), .changeRate(to: 2), .changeRepeatMode(to: .all), .changeShuffleMode(to: .items, seed: 1), .rate(3),
        .like(true), .dislike(true), .bookmark(true), .undo, .redo, .sleep(in: 60, fade: 5, .linear), .panic, .button(isDown: true), .shake,
        .set(gain, ramp: nil),
        .setTogether([gain]), .mute(layer: 0, true), .changeWave(layer: 0, .square), .solo(layer: 1, true), .reset(layer: 0),
        .touch(beat, true), .touch(.masterGain, true), .touchTogether([beat], true), .changeTouchMode(to: .return), .selectLayer(1),
        .setMasterGain(-3, ramp: nil), .muteMaster(true), .fadeOut(seconds: 1), .tune(a4: 432), .changeTransportMode(to: .lead),
        .savePreset("new"), .loadPreset("kept"), .removePreset("kept"), .addItem("rain"), .addFile("/rain.yaml"),
        .openItem("rain"), .openFile("/rain.yaml"), .playItem(1), .removeItem(1), .restoreItem, .moveItem(from: 0, to: 1),
        .resetItem(0), .relinkItem(0, "rain"), .changeCourse(.start(place: 1, 30)), .resetCourse, .savePatch("mine", overwrites: false),
        .mapController(ControllerMapping(controller: 1, address: "play")), .learnController("stop"),
    ]

    private static func responder(of command: Command) -> String {
        switch command {
        case .previous, .skip, .skipForward, .skipBackward, .changePosition, .changeNormalizedPosition, .seek: "patch"
        case .rate, .like, .dislike, .bookmark, .savePreset, .loadPreset, .savePatch, .changeCourse, .resetCourse: "item"
        // The patch is in its last chapter.
        case .next, .nextItem, .previousItem, .selectItem, .changeRepeatMode, .changeShuffleMode, .addItem, .addFile, .openItem, .openFile,
            .playItem, .removeItem, .restoreItem, .moveItem,
            .resetItem, .relinkItem:
            "queue"
        case .set(let setting, _): "layer/\(setting.layer + 1)"
        case .setTogether(let settings): "layer/\(settings[0].layer + 1)"
        case .touch(let fader, _): fader.layer.map { "layer/\($0 + 1)" } ?? "application"
        case .touchTogether(let faders, _): faders[0].layer.map { "layer/\($0 + 1)" } ?? ""
        case .mute(let layer, _), .changeWave(let layer, _), .solo(let layer, _), .reset(let layer): "layer/\(layer + 1)"
        case .play, .pause, .toggle, .stop, .changeRate, .undo, .redo, .sleep, .panic, .button, .shake, .changeTouchMode, .selectLayer,
            .setMasterGain, .muteMaster, .fadeOut, .tune, .changeTransportMode, .removePreset, .mapController, .forgetController,
            .learnController:
            "application"
        // No responder has a say in it.
        case .application: ""
        }
    }

    /// A player with an undo step, a redo step, a preset and a removed item; the second layer is the first responder.
    private func testPlayer() -> TestPlayer {
        var testPlayer = TestPlayer([.make("one", chapters: [0, 20]), .make("two"), .make("gone")])
        for command in [
            Command.removeItem(2), .selectLayer(1), .play, .mute(layer: 0, true), .mute(layer: 1, true), .undo, .savePreset("kept"),
            .changePosition(to: 25),
        ] {
            testPlayer.send(command)
        }
        _ = testPlayer.effects()
        return testPlayer
    }

    /// A responder that handles the given commands and records all that it receives.
    private final class Guest: Responder {
        let name: String
        weak var nextResponder: (any Responder)?
        let takes: Bool
        private(set) var asked: [Command] = []

        init(_ name: String, takes: Bool) { (self.name, self.takes) = (name, takes) }

        func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
            asked.append(command)
            return takes ? success() : nil
        }
    }

    @Test("a command is handled by the responder for its subject, whatever is selected", arguments: commands.indices)
    func handled(index: Int) {
        let (command, responder) = Self.commands[index]
        for selected in 0..<2 {
            var testPlayer = testPlayer()
            testPlayer.send(.selectLayer(selected))
            #expect(testPlayer.send(command) == Self.success(command, by: responder), "\(command)")
        }
    }

    private static func success(_ command: Command, by responder: String) -> CommandResult {
        var result = CommandResult(.success, by: responder)
        if case .playItem(let index) = command { result.place = index }
        return result
    }

    @Test("the responder in front gets it before all others, and nothing else happens", arguments: commands.indices)
    func taken(index: Int) {
        let command = Self.commands[index].command
        var testPlayer = testPlayer()
        let (behind, front) = (Guest("behind", takes: true), Guest("front", takes: true))
        testPlayer.chain.insertAtFront(behind)
        testPlayer.chain.insertAtFront(front)
        let before = testPlayer.state
        #expect(testPlayer.send(command) == CommandResult(.success, by: "front"), "\(command)")
        #expect(testPlayer.state == before, "\(command)")
        #expect(testPlayer.effects().isEmpty, "\(command)")
        #expect(front.asked == [command], "\(command)")
        #expect(behind.asked.isEmpty, "\(command)")
        testPlayer.chain.remove(front)
        #expect(testPlayer.send(command) == CommandResult(.success, by: "behind"), "\(command)")
    }

    @Test("commands that responders in front decline continue as if they were absent, and each is asked once", arguments: commands.indices)
    func left(index: Int) {
        let (command, responder) = Self.commands[index]
        var (testPlayer, plain) = (testPlayer(), testPlayer())
        let guests = ["one", "two"].map { Guest($0, takes: false) }
        for guest in guests { testPlayer.chain.insertAtFront(guest) }
        #expect(testPlayer.send(command) == plain.send(command), "\(command)")
        #expect(testPlayer.effects() == plain.effects(), "\(command)")
        #expect(guests.allSatisfy { $0.asked == [command] }, "\(command)")
        for guest in guests { testPlayer.chain.remove(guest) }
        var fresh = self.testPlayer()
        (fresh.player, testPlayer.player) = (testPlayer.player, fresh.player)
        #expect(testPlayer.send(command) == Self.success(command, by: responder), "\(command)")
        #expect(guests.allSatisfy { $0.asked.count == 1 }, "\(command)")
    }

    @Test("a command of any kind that no responder handles is 110")
    func end() {
        let testPlayer = testPlayer()
        let center = RemoteCommandCenter()
        for (command, _) in Self.commands {
            guard let kind = command.kind else { continue }
            var player = testPlayer.player
            let result = center.perform(command, kind: kind, on: &player, at: testPlayer.now)
            #expect(result.status == .noActionableNowPlayingItem, "\(command)")
            #expect(!result.message.isEmpty, "\(command)")
        }
        let kinds = Set(Self.commands.compactMap { $0.command.kind })
        #expect(kinds.isSuperset(of: Set(RemoteCommandKind.allCases)))
    }
}
