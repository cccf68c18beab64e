import Playback
import Testing

/// JACK's transport, followed or led, with its responder at the front of the chain.
@Suite struct TransportModeTests {
    private static let second: Int64 = 48_000

    /// Two items with chapters. In follow the transport rolls, and in lead the first one plays: at 10 s in both.
    private static func rig(_ mode: TransportMode, items: [QueueItem] = items) -> (rig: TestPlayer, responder: PlaybackResponder) {
        var rig = TestPlayer(items)
        let responder = PlaybackResponder()
        rig.send(.changeTransportMode(to: mode))
        rig.chain.insertAtFront(responder)
        if mode == .follow { rig.player.follow(isRolling: true, frame: 0, at: rig.now) } else { rig.send(.play) }
        rig.advance(seconds: 10)
        _ = rig.effects()
        return (rig, responder)
    }

    private static let items: [QueueItem] = [.make("one", chapters: [0, 5, 50]), .make("two")]

    struct Row: Sendable {
        let command: Command
        let responder: String
        let effects: [Effect]
        var status = CommandStatus.success
    }

    private static func transport(_ requests: TransportRequest...) -> [Effect] { requests.map { .transport($0) } }

    static let followed: [Row] = [
        Row(command: .play, responder: "transport", effects: transport(.start)),
        Row(command: .pause, responder: "transport", effects: transport(.stop)),
        Row(command: .toggle, responder: "transport", effects: transport(.stop)),
        Row(command: .stop, responder: "transport", effects: transport(.stop, .locate(0))),
        Row(command: .changePosition(to: 20), responder: "transport", effects: transport(.locate(20 * second))),
        Row(command: .changePosition(to: 1e9), responder: "transport", effects: transport(.locate(60 * second))),
        Row(command: .changePosition(to: .nan), responder: "transport", effects: [], status: .badArguments),
        Row(command: .changeNormalizedPosition(to: 0.5), responder: "transport", effects: transport(.locate(30 * second))),
        Row(command: .skip(by: 15), responder: "transport", effects: transport(.locate(25 * second))),
        Row(command: .skip(by: -15), responder: "transport", effects: transport(.locate(0))),
        Row(command: .skip(by: .infinity), responder: "transport", effects: [], status: .badArguments),
        Row(command: .seek(.forward, begins: true), responder: "transport", effects: []),
        Row(command: .seek(.backward, begins: false), responder: "transport", effects: []),
        // Past the chapters, at the transport's frame.
        Row(command: .next, responder: "queue", effects: [.sound(.start(position: 10 * second))]),
        Row(command: .nextItem, responder: "queue", effects: [.sound(.start(position: 10 * second))]),
        Row(command: .selectItem(1), responder: "queue", effects: [.sound(.start(position: 10 * second))]),
        Row(command: .previous, responder: "queue", effects: transport(.locate(0))),
        Row(command: .panic, responder: "application", effects: transport(.stop, .locate(0)) + [.sound(.silence(.panic))]),
        Row(command: .changeRate(to: 2), responder: "", effects: [], status: .disabled),
        Row(command: .changeRepeatMode(to: .all), responder: "", effects: [], status: .disabled),
        Row(command: .like(true), responder: "item", effects: []),
        Row(command: .changeShuffleMode(to: .items, seed: 1), responder: "queue", effects: [.sound(.upcoming)]),
        Row(command: .removeItem(0), responder: "queue", effects: [.sound(.upcoming), .sound(.start(position: 10 * second))]),
    ]

    @Test(
        "Following, the transport gets commands about playing and the position, and the rest of the chain the others", arguments: followed)
    func follow(_ row: Row) {
        var (rig, responder) = Self.rig(.follow)
        let before = rig.state.position(at: rig.now)
        let result = rig.send(row.command)
        #expect(result.status == row.status, "\(result)")
        #expect(result.responder == row.responder, "\(result)")
        #expect(rig.effects() == row.effects)
        #expect(rig.state.position(at: rig.now) == before)
        // Out of the chain and of the mode, the player acts by itself again.
        rig.send(.changeTransportMode(to: .none))
        rig.chain.remove(responder)
        _ = rig.effects()
        #expect(rig.send(.stop).responder == "application")
        #expect(rig.effects().allSatisfy { if case .transport = $0 { false } else { true } })
        #expect(rig.state.playback == .stopped)
    }

    static let led: [Row] = [
        Row(command: .play, responder: "transport", effects: []),
        Row(command: .pause, responder: "transport", effects: [.sound(.silence(.short))] + transport(.stop, .locate(10 * second))),
        Row(command: .toggle, responder: "transport", effects: [.sound(.silence(.short))] + transport(.stop, .locate(10 * second))),
        Row(command: .stop, responder: "transport", effects: [.sound(.silence(.short))] + transport(.stop, .locate(0))),
        Row(command: .changePosition(to: 20), responder: "transport", effects: begun(20 * second)),
        Row(command: .changePosition(to: .nan), responder: "patch", effects: [], status: .badArguments),
        Row(command: .changeNormalizedPosition(to: 0.5), responder: "transport", effects: begun(30 * second)),
        Row(command: .skip(by: 15), responder: "transport", effects: begun(25 * second)),
        Row(command: .skip(by: 55), responder: "transport", effects: begun(0)),
        Row(command: .seek(.forward, begins: true), responder: "transport", effects: []),
        Row(command: .next, responder: "patch", effects: begun(50 * second)),
        Row(command: .nextItem, responder: "queue", effects: begun(0)),
        Row(command: .panic, responder: "application", effects: [.sound(.silence(.panic))] + transport(.stop, .locate(0))),
        Row(command: .changeRate(to: 2), responder: "application", effects: [.sound(.glide)]),
        Row(command: .changeRepeatMode(to: .all), responder: "queue", effects: [.sound(.upcoming)]),
        Row(command: .like(true), responder: "item", effects: []),
    ]

    private static func begun(_ position: Int64) -> [Effect] { [.sound(.start(position: position))] + transport(.locate(position), .start) }

    @Test("Leading, the player acts, and the transport follows", arguments: led)
    func lead(_ row: Row) {
        var (rig, responder) = Self.rig(.lead)
        let result = rig.send(row.command)
        #expect(result.status == row.status, "\(result)")
        #expect(result.responder == row.responder, "\(result)")
        #expect(rig.effects() == row.effects)
        rig.send(.changeTransportMode(to: .none))
        rig.chain.remove(responder)
        _ = rig.effects()
        rig.send(.changePosition(to: 1))
        rig.send(.stop)
        #expect(rig.effects().allSatisfy { if case .transport = $0 { false } else { true } })
    }

    @Test(
        "Every remote command that is not in a table gets the chain's answer without the transport", arguments: [Command.undo, .redo])
    func disabled(_ command: Command) {
        for mode in [TransportMode.follow, .lead] {
            var (rig, _) = Self.rig(mode)
            #expect(rig.send(command).status == .disabled)
        }
    }

    // MARK: Follow

    @Test("A locate while the transport is stopped is a silent seek, exact to the frame; at 0 the state is stopped")
    func locateWhileStopped() {
        var rig = TestPlayer(Self.items)
        rig.send(.changeTransportMode(to: .follow))
        _ = rig.effects()
        rig.player.follow(isRolling: false, frame: 123_457, at: rig.now)
        #expect(rig.state.playback == .paused)
        #expect(rig.state.position(at: rig.now) == 123_457)
        rig.advance(seconds: 9)
        #expect(rig.state.position(at: rig.now) == 123_457)
        rig.player.follow(isRolling: false, frame: 0, at: rig.now)
        #expect(rig.state.playback == .stopped)
        #expect(rig.elapsed == 0)
        #expect(rig.effects().isEmpty)
    }

    @Test("Rolling on is not reported; a locate while rolling restarts at the transport's frame")
    func rolling() {
        var (rig, _) = Self.rig(.follow)
        rig.player.follow(isRolling: true, frame: 10 * Self.second, at: rig.now)
        #expect(rig.effects().isEmpty)
        rig.player.follow(isRolling: true, frame: 10 * Self.second + 1, at: rig.now)
        #expect(rig.effects() == [.sound(.start(position: 10 * Self.second + 1))])
        #expect(rig.state.playback == .playing)
        #expect(rig.state.position(at: rig.now) == 10 * Self.second + 1)
    }

    @Test("When the transport stops, playing stops at its frame, whatever the engine reports later")
    func stopping() {
        var (rig, _) = Self.rig(.follow)
        rig.player.follow(isRolling: false, frame: 9 * Self.second, at: rig.now)
        #expect(rig.effects() == [.sound(.silence(.short))])
        rig.player.landed(position: 10 * Self.second + 77, at: rig.now)
        #expect(rig.state.playback == .paused)
        #expect(rig.elapsed == 9)
    }

    @Test("Past the end the state stays playing, and back inside it sounds again; a transport stopped there is at the end")
    func pastTheEnd() {
        var (rig, _) = Self.rig(.follow)
        rig.advance(seconds: 60)
        rig.player.ended(at: rig.now)
        rig.player.follow(isRolling: true, frame: 70 * Self.second, at: rig.now)
        #expect(rig.state.playback == .playing)
        #expect(rig.elapsed == 60)
        #expect(rig.state.currentIndex == 0)
        #expect(rig.effects().isEmpty)
        rig.player.follow(isRolling: true, frame: 30 * Self.second, at: rig.now)
        #expect(rig.effects() == [.sound(.start(position: 30 * Self.second))])
        rig.player.follow(isRolling: false, frame: 99 * Self.second, at: rig.now)
        #expect(rig.state.playback == .paused)
        #expect(rig.elapsed == 60)
    }

    @Test("If playback goes past the end of an item, the next one starts")
    func leavingPastTheEnd() {
        var (rig, responder) = Self.rig(.follow)
        rig.advance(seconds: 60)
        rig.send(.changeTransportMode(to: .none))
        rig.chain.remove(responder)
        #expect(rig.state.currentIndex == 1)
        #expect(rig.state.playback == .playing)
        #expect(rig.elapsed == 0)
        #expect(rig.effects() == [.sound(.upcoming), .sound(.start(position: 0))])
    }

    @Test("A held seek becomes locates")
    func heldSeek() {
        var (rig, _) = Self.rig(.follow)
        rig.send(.seek(.forward, begins: true))
        rig.advance(seconds: 0.5)
        rig.player.tick(at: rig.now)
        #expect(rig.effects() == [.transport(.locate(Int64(12.5 * 48_000)))])
        #expect(rig.elapsed == 10.5)
    }

    @Test("After panic and a faded end nothing sounds until the transport has stopped, or somebody plays", arguments: [true, false])
    func standstill(isPanic: Bool) {
        var (rig, _) = Self.rig(.follow)
        if isPanic {
            rig.send(.panic)
        } else {
            rig.send(.fadeOut(seconds: 1))
            rig.advance(seconds: 2)
            rig.player.tick(at: rig.now)
        }
        #expect(rig.effects().contains(.sound(.silence(isPanic ? .panic : .short))))
        rig.player.follow(isRolling: true, frame: 11 * Self.second, at: rig.now)
        #expect(rig.state.playback == .paused)
        #expect(rig.effects().isEmpty)
        rig.player.follow(isRolling: false, frame: 0, at: rig.now)
        #expect(rig.state.playback == .stopped)
        rig.player.follow(isRolling: true, frame: 0, at: rig.now)
        #expect(rig.state.playback == .playing)
        #expect(rig.effects() == [.sound(.start(position: 0))])
    }

    @Test("A rate other than 1 refuses follow, and a session with both loses the rate")
    func rate() {
        var rig = TestPlayer(Self.items)
        rig.send(.changeRate(to: 2))
        let result = rig.send(.changeTransportMode(to: .follow))
        #expect(result.status == .disabled)
        #expect(result.message.contains("set rate to 1"))
        #expect(rig.send(.changeTransportMode(to: .lead)).status == .success)
        var restored = rig.state
        restored.transportMode = .follow
        rig.player.restore(restored, position: 0, at: rig.now)
        #expect(rig.state.rate == 1)
        #expect(rig.state.transportMode == .follow)
    }

    @Test("Commands that are not possible while following are disabled, and enabled again afterwards")
    func enabled() {
        var (rig, _) = Self.rig(.follow, items: [.make("one", chapters: [0, 50])])
        // The last item: there is no chapter to go to.
        for kind in [RemoteCommandKind.rate, .repeatMode, .next] { #expect(!rig.isEnabled(kind)) }
        #expect(rig.send(.changeRate(to: 2)).message.contains("transport/mode"))
        rig.send(.changeTransportMode(to: .none))
        for kind in [RemoteCommandKind.rate, .repeatMode, .next] { #expect(rig.isEnabled(kind)) }
    }

    // MARK: JACK is away

    @Test("Without JACK there is no transport to choose: 120; the player acts by itself, and follows again when it is back")
    func away() {
        var (rig, _) = Self.rig(.follow)
        rig.player.audioLost(position: 480_000, at: rig.now)
        #expect(rig.state.playback == .interrupted)
        for mode in [TransportMode.follow, .lead] { #expect(rig.send(.changeTransportMode(to: mode)).status == .deviceNotFound) }
        #expect(rig.send(.pause).responder == "application")
        #expect(rig.state.playback == .paused)
        rig.send(.play)
        _ = rig.effects()
        rig.player.audioAvailable(sampleRate: 48_000, at: rig.now)
        #expect(rig.effects().isEmpty)
        #expect(rig.state.playback == .interrupted)
        rig.player.follow(isRolling: true, frame: 7, at: rig.now)
        #expect(rig.effects() == [.sound(.start(position: 7))])
        rig.player.audioLost(position: 8, at: rig.now)
        #expect(rig.send(.changeTransportMode(to: .none)).status == .success)
    }

    @Test("Leading, the transport is driven when JACK is back, at the end of an item and at the end of the queue")
    func leadByItself() {
        var (rig, _) = Self.rig(.lead)
        rig.player.audioLost(position: 100, at: rig.now)
        rig.player.audioAvailable(sampleRate: 48_000, at: rig.now)
        #expect(rig.effects() == Self.begun(100))
        rig.advanceToFollowing()
        #expect(rig.effects() == Self.transport(.locate(0)))
        rig.player.ended(at: rig.now)
        #expect(rig.effects() == Self.transport(.stop, .locate(0)))
    }

    @Test("Setting the mode starts or stops the transport at the player's position")
    func leadFromNow() {
        var rig = TestPlayer(Self.items)
        rig.send(.changePosition(to: 3))
        rig.send(.changeTransportMode(to: .lead))
        #expect(rig.effects() == [.sound(.upcoming)] + Self.transport(.stop, .locate(3 * Self.second)))
        rig.send(.changeTransportMode(to: .none))
        rig.send(.play)
        rig.advance(seconds: 1)
        _ = rig.effects()
        rig.send(.changeTransportMode(to: .lead))
        #expect(rig.effects() == [.sound(.upcoming)] + Self.transport(.locate(4 * Self.second), .start))
    }
}
