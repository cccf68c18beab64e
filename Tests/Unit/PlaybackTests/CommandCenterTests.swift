import Playback
import Testing

@Suite struct CommandCenterTests {
    @Test("a target is called after it was added, and not after its token was removed")
    func targets() {
        var rig = TestPlayer([.make("one")])
        let calls = Counter()
        let token = rig.center[.play].addTarget { _, _, _ in
            calls.value += 1
            return nil
        }
        rig.send(.play)
        rig.center[.play].removeTarget(token)
        rig.send(.play)
        #expect(calls.value == 1)
    }

    @Test("a command that the program disables is refused")
    func disabled() {
        var rig = TestPlayer([.make("one")])
        rig.center[.play].isEnabled = false
        #expect(!rig.isEnabled(.play))
        #expect(rig.send(.play).status == .disabled)
    }

    @Test("targets of button, shake and the three skips can be added and removed, and the chain is called beside them")
    func everyKind() {
        for (kind, command, effect) in [
            (RemoteCommandKind.button, Command.button(isDown: true), Effect.request(.button(isDown: true))),
            (.shake, .shake, .request(.shake)),
            (.skip, .skip(by: 5), nil), (.skipForward, .skipForward(by: 5), nil), (.skipBackward, .skipBackward(by: 5), nil),
        ] {
            var rig = TestPlayer([.make("one"), .make("two")])
            rig.send(.mute(layer: 0, true))
            let asked = Counter()
            let token = rig.center[kind].addTarget { command, _, _ in
                asked.value += 1
                return nil
            }
            let result = rig.send(command)
            #expect(result.status == .success, "\(kind): \(result)")
            #expect(result.responder == (effect == nil ? "patch" : "application"), "\(kind): \(result)")
            if let effect { #expect(rig.effects().contains(effect)) }
            rig.center[kind].removeTarget(token)
            rig.send(command)
            #expect(asked.value == 1)
            rig.center[kind].isEnabled = false
            #expect(!rig.isEnabled(kind))
            #expect(rig.send(command).status == .disabled)
        }
    }

    @Test("each skip is a command of its own: skip/by can be disabled while skip/forward is not")
    func skips() {
        var rig = TestPlayer([.make("one")])
        rig.center[.skip].isEnabled = false
        #expect(rig.send(.skip(by: 5)).status == .disabled)
        #expect(rig.send(.skipForward(by: 5)).status == .success)
        #expect(rig.elapsed == 5)
        #expect(rig.send(.skipBackward(by: 2)).status == .success)
        #expect(rig.elapsed == 3)
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
        var rig = TestPlayer([.make("one")])
        rig.send(.mute(layer: 0, true))
        let master = Master()
        rig.chain.insertAtFront(master)
        _ = rig.effects()
        #expect([Command.shake, .button(isDown: true)].allSatisfy { rig.send($0).responder == "master" })
        #expect(rig.effects().isEmpty)
        rig.chain.remove(master)
        rig.send(.shake)
        #expect(rig.effects() == [.request(.shake)])
    }

    @Test("a held control can be released even if its command is disabled by now")
    func release() {
        var rig = TestPlayer([.make("one")])
        rig.send(.seek(.forward, begins: true))
        rig.send(.removeItem(0))
        #expect(rig.send(.seek(.forward, begins: true)).status == .noSuchContent)
        #expect(rig.state.heldSeek == nil || rig.send(.seek(.forward, begins: false)).status == .success)
        #expect(rig.state.heldSeek == nil)
        #expect(rig.send(.button(isDown: false)).status == .success)
        #expect(rig.send(.button(isDown: true)).status == .noSuchContent)
    }

    @Test("shake behaves like its command: enabled with it, refused with its reason, without effect if there is none")
    func shake() {
        var rig = TestPlayer([.make("one")])
        #expect(!rig.isEnabled(.shake))
        let refusal = rig.send(.shake)
        #expect(refusal.status == .disabled)
        #expect(refusal.message.contains("undo"))
        rig.center[.shake].meaning = .play
        #expect(rig.isEnabled(.shake))
        #expect(rig.send(.shake).status == .success)
        rig.center[.shake].meaning = nil
        #expect(!rig.isEnabled(.shake))
        #expect(rig.send(.shake).message.contains("preferences/shake"))
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
        var rig = TestPlayer([.make("one")])
        let master = Master()
        rig.chain.insertAtFront(master)
        #expect(rig.send(.play).responder == "transport")
        #expect(rig.state.playback == .stopped)
        #expect(rig.send(.stop).responder == "application")
        rig.chain.remove(master)
        #expect(rig.send(.play).responder == "application")
        #expect(rig.state.playback == .playing)
    }

    private final class Counter { var value = 0 }
}
