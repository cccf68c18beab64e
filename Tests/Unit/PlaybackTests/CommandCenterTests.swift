import Playback
import Testing

@Suite struct CommandCenterTests {
    @Test("a target is called after it was added, and not after its token was removed")
    func targets() {
        var testPlayer = TestPlayer([.make("one")])
        let calls = Counter()
        let token = testPlayer.center[.play].addTarget { _, _, _ in
            calls.value += 1
            return nil
        }
        testPlayer.send(.play)
        testPlayer.center[.play].removeTarget(token)
        testPlayer.send(.play)
        #expect(calls.value == 1)
    }

    @Test("a command that the program disables is refused")
    func disabled() {
        var testPlayer = TestPlayer([.make("one")])
        testPlayer.center[.play].isEnabled = false
        #expect(!testPlayer.isEnabled(.play))
        #expect(testPlayer.send(.play).status == .disabled)
    }

    @Test("targets of button, shake and the three skips can be added and removed, and the chain is called beside them")
    func everyKind() {
        for (kind, command, effect) in [
            (RemoteCommandKind.button, Command.button(isDown: true), Effect.request(.button(isDown: true))),
            (.shake, .shake, .request(.shake)),
            (.skip, .skip(by: 5), nil), (.skipForward, .skipForward(by: 5), nil), (.skipBackward, .skipBackward(by: 5), nil),
        ] {
            var testPlayer = TestPlayer([.make("one"), .make("two")])
            testPlayer.send(.mute(layer: 0, true))
            let asked = Counter()
            let token = testPlayer.center[kind].addTarget { command, _, _ in
                asked.value += 1
                return nil
            }
            let result = testPlayer.send(command)
            #expect(result.status == .success, "\(kind): \(result)")
            #expect(result.responder == (effect == nil ? "patch" : "application"), "\(kind): \(result)")
            if let effect { #expect(testPlayer.effects().contains(effect)) }
            testPlayer.center[kind].removeTarget(token)
            testPlayer.send(command)
            #expect(asked.value == 1)
            testPlayer.center[kind].isEnabled = false
            #expect(!testPlayer.isEnabled(kind))
            #expect(testPlayer.send(command).status == .disabled)
        }
    }

    @Test("each skip is a command of its own: skip/by can be disabled while skip/forward is not")
    func skips() {
        var testPlayer = TestPlayer([.make("one")])
        testPlayer.center[.skip].isEnabled = false
        #expect(testPlayer.send(.skip(by: 5)).status == .disabled)
        #expect(testPlayer.send(.skipForward(by: 5)).status == .success)
        #expect(testPlayer.elapsed == 5)
        #expect(testPlayer.send(.skipBackward(by: 2)).status == .success)
        #expect(testPlayer.elapsed == 3)
    }

    @Test("a responder in front that handles button and shake prevents their effects")
    func front() {
        final class Master: Responder {
            let name = "master"
            var nextResponder: (any Responder)?
            func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
                command == .shake || command == .button(isDown: true) ? success() : nil
            }
        }
        var testPlayer = TestPlayer([.make("one")])
        testPlayer.send(.mute(layer: 0, true))
        let master = Master()
        testPlayer.chain.insertAtFront(master)
        _ = testPlayer.effects()
        #expect([Command.shake, .button(isDown: true)].allSatisfy { testPlayer.send($0).responder == "master" })
        #expect(testPlayer.effects().isEmpty)
        testPlayer.chain.remove(master)
        testPlayer.send(.shake)
        #expect(testPlayer.effects() == [.request(.shake)])
    }

    @Test("a held control can be released even if its command is disabled by now")
    func release() {
        var testPlayer = TestPlayer([.make("one")])
        testPlayer.send(.seek(.forward, begins: true))
        testPlayer.send(.removeItem(0))
        #expect(testPlayer.send(.seek(.forward, begins: true)).status == .noSuchContent)
        #expect(testPlayer.state.heldSeek == nil || testPlayer.send(.seek(.forward, begins: false)).status == .success)
        #expect(testPlayer.state.heldSeek == nil)
        #expect(testPlayer.send(.button(isDown: false)).status == .success)
        #expect(testPlayer.send(.button(isDown: true)).status == .noSuchContent)
    }

    @Test("shake behaves like its command: enabled with it, refused with its reason, without effect if there is none")
    func shake() {
        var testPlayer = TestPlayer([.make("one")])
        #expect(!testPlayer.isEnabled(.shake))
        let refusal = testPlayer.send(.shake)
        #expect(refusal.status == .disabled)
        #expect(refusal.message.contains("undo"))
        testPlayer.center[.shake].meaning = .play
        #expect(testPlayer.isEnabled(.shake))
        #expect(testPlayer.send(.shake).status == .success)
        testPlayer.center[.shake].meaning = nil
        #expect(!testPlayer.isEnabled(.shake))
        #expect(testPlayer.send(.shake).message.contains("preferences/shake"))
    }

    @Test("a command without targets answers 110")
    func nobody() {
        var player = Player(TestPlayer([.make("one")]).state)
        let result = RemoteCommandCenter().perform(.play, kind: .play, on: &player, at: Moment(frame: 0))
        #expect(result.status == .noActionableNowPlayingItem)
    }

    @Test("a responder at the front is called first, passes on what it declines, and can be removed")
    func frontResponder() {
        final class Master: Responder {
            let name = "transport"
            var nextResponder: (any Responder)?
            func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
                command == .play ? success() : nil
            }
        }
        var testPlayer = TestPlayer([.make("one")])
        let master = Master()
        testPlayer.chain.insertAtFront(master)
        #expect(testPlayer.send(.play).responder == "transport")
        #expect(testPlayer.state.playback == .stopped)
        #expect(testPlayer.send(.stop).responder == "application")
        testPlayer.chain.remove(master)
        #expect(testPlayer.send(.play).responder == "application")
        #expect(testPlayer.state.playback == .playing)
    }

    private final class Counter { var value = 0 }
}
