import Patches
import Playback
import Testing

/// The commands that are enabled in each state, and whether their results agree with that.
@Suite struct AvailabilityTests {
    struct Situation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let disabled: Set<RemoteCommandKind>
        let player: @Sendable () -> TestPlayer
    }

    static let situations: [Situation] = [
        Situation(
            testDescription: "the queue is empty",
            disabled: Set(RemoteCommandKind.allCases).subtracting([.stop, .rate, .repeatMode, .shuffleMode, .sleep, .panic])
        ) { TestPlayer([]) },
        Situation(
            testDescription: "the only item has vanished",
            disabled: Set(RemoteCommandKind.allCases).subtracting([
                .stop, .rate, .repeatMode, .shuffleMode, .sleep, .panic, .rating, .like, .dislike,
            ])
        ) { TestPlayer([.missing("gone")]) },
        Situation(
            testDescription: "an endless item is stopped", disabled: [.pause, .next, .nextItem, .normalizedPosition, .undo, .redo, .shake]
        ) {
            TestPlayer([.make("one", duration: nil)])
        },
        Situation(testDescription: "the first of two items is stopped", disabled: [.pause, .undo, .redo, .shake]) {
            TestPlayer([.make("one"), .make("two")])
        },
        Situation(testDescription: "the second of two items is paused", disabled: [.next, .nextItem, .undo, .redo, .shake]) {
            TestPlayer([.make("one"), .make("two")]).after(.selectItem(1), .play, .pause)
        },
        Situation(testDescription: "what comes after the current item has vanished", disabled: [.next, .nextItem, .undo, .redo, .shake]) {
            TestPlayer([.make("one"), .missing("gone")]).after(.play)
        },
        Situation(testDescription: "an item in its first chapter plays", disabled: [.nextItem, .undo, .redo, .shake]) {
            TestPlayer([.make("one", chapters: [0, 30])]).after(.play)
        },
        Situation(testDescription: "an item in its last chapter plays", disabled: [.next, .nextItem, .undo, .redo, .shake]) {
            TestPlayer([.make("one", chapters: [0, 30])]).after(.play, .changePosition(to: 40))
        },
        Situation(testDescription: "the queue is repeated, in the last chapter of its last item", disabled: [.undo, .redo, .shake]) {
            TestPlayer([.make("one", chapters: [0, 30])]).after(.play, .changePosition(to: 40), .changeRepeatMode(to: .all))
        },
        Situation(testDescription: "JACK is away", disabled: [.undo, .redo, .shake]) {
            TestPlayer([.make("one"), .make("two")], hasAudio: false).after(.play)
        },
        Situation(testDescription: "there is an edit", disabled: [.pause, .redo]) {
            TestPlayer([.make("one"), .make("two")]).after(.mute(layer: 0, true))
        },
        Situation(testDescription: "an edit was taken back", disabled: [.pause, .undo, .shake]) {
            TestPlayer([.make("one"), .make("two")]).after(.mute(layer: 0, true), .undo)
        },
        Situation(testDescription: "the transport is followed", disabled: [.rate, .repeatMode, .undo, .redo, .shake]) {
            TestPlayer([.make("one"), .make("two")]).after(.play, .changeTransportMode(to: .follow))
        },
        Situation(testDescription: "the current item plays a sound file", disabled: [.pause, .rate, .undo, .redo, .shake]) {
            TestPlayer([.foreign(.file), .make("two")])
        },
        Situation(testDescription: "the current item passes on JACK's inputs", disabled: [.rate, .undo, .redo, .shake]) {
            TestPlayer([.make("one"), .foreign(.input), .make("three")]).after(.changeRate(to: 3), .play, .nextItem)
        },
    ]

    @Test("however little memory is left, the sound can be softened and ended, and the session saved")
    func withoutMemory() {
        let always: [Command] = [
            .pause, .stop, .panic, .setMasterGain(-60, ramp: nil), .muteMaster(true), .fadeOut(seconds: 1), .seek(.forward, begins: false),
            .application(.saveSession(nil)), .application(.quit),
        ]
        for command in always { #expect(command.isPossibleWithoutMemory(whilePlaying: true), "\(command)") }
        let others: [Command] = [
            .play, .next, .changePosition(to: 0), .seek(.forward, begins: true), .undo, .addItem("a"), .loadPreset("a"),
        ]
        for command in others { #expect(!command.isPossibleWithoutMemory(whilePlaying: true), "\(command)") }
        #expect(Command.toggle.isPossibleWithoutMemory(whilePlaying: true) && !Command.toggle.isPossibleWithoutMemory(whilePlaying: false))
    }

    @Test("exactly the commands that are not possible are disabled", arguments: situations)
    func enabled(situation: Situation) {
        let player = situation.player()
        #expect(Set(RemoteCommandKind.allCases.filter { !player.isEnabled($0) }) == situation.disabled)
    }

    @Test("a disabled command is answered with 405, or 100 if there is nothing to play, and changes nothing", arguments: situations)
    func answers(situation: Situation) {
        for (kind, command) in Self.commands {
            var player = situation.player()
            _ = player.effects()
            let before = player.state
            let result = player.send(command)
            if situation.disabled.contains(kind) {
                #expect([.disabled, .noSuchContent].contains(result.status), "\(kind): \(result)")
                #expect(!result.message.isEmpty)
                #expect(player.state == before, "\(kind) changed something")
                #expect(player.effects().isEmpty, "\(kind) had an effect")
            } else {
                #expect(result.status == .success, "\(kind): \(result)")
            }
        }
    }

    /// One for each kind.
    private static let commands: [(RemoteCommandKind, Command)] = RemoteCommandKind.allCases.map { kind in
        let command: Command =
            switch kind {
            case .play: .play
            case .pause: .pause
            case .toggle: .toggle
            case .stop: .stop
            case .next: .next
            case .previous: .previous
            case .nextItem: .nextItem
            case .previousItem: .previousItem
            case .selectItem: .selectItem(0)
            case .skip: .skip(by: 1)
            case .skipForward: .skipForward(by: 1)
            case .skipBackward: .skipBackward(by: 1)
            case .button: .button(isDown: true)
            case .shake: .shake
            case .seekForward: .seek(.forward, begins: true)
            case .seekBackward: .seek(.backward, begins: true)
            case .position: .changePosition(to: 1)
            case .normalizedPosition: .changeNormalizedPosition(to: 0.1)
            case .rate: .changeRate(to: 2)
            case .repeatMode: .changeRepeatMode(to: .one)
            case .shuffleMode: .changeShuffleMode(to: .items, seed: 1)
            case .rating: .rate(3)
            case .like: .like(true)
            case .dislike: .dislike(true)
            case .bookmark: .bookmark(true)
            case .undo: .undo
            case .redo: .redo
            case .sleep: .sleep(in: 60, fade: 10, .linear)
            case .panic: .panic
            }
        return (kind, command)
    }
}

extension TestPlayer {
    fileprivate func after(_ commands: Command...) -> TestPlayer {
        var player = self
        for command in commands { player.send(command) }
        return player
    }
}
