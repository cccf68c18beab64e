import Playback
import Testing

@Suite struct CommandCenterTests {
    @Test("a target that was added is asked, and is not after its token was given back")
    func targets() {
        var rig = Rig([.make("one")])
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
        var rig = Rig([.make("one")])
        rig.center[.play].isEnabled = false
        #expect(!rig.isEnabled(.play))
        #expect(rig.send(.play).status == .disabled)
    }

    @Test("a command without targets answers 110")
    func nobody() {
        var player = Player(Rig([.make("one")]).state)
        let result = RemoteCommandCenter().perform(.play, kind: .play, on: &player, at: Moment(frame: 0))
        #expect(result.status == .noActionableNowPlayingItem)
    }

    @Test("a responder at the front is asked first, what it leaves goes on, and it can be taken out again")
    func frontResponder() {
        final class Master: Responder {
            let name = "transport"
            var nextResponder: (any Responder)?
            func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
                command == .play ? success() : nil
            }
        }
        var rig = Rig([.make("one")])
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
