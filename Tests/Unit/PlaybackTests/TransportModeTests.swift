import Playback
import Testing

/// JACK's transport, followed or led, with its responder at the front of the chain.
@Suite struct TransportModeTests {
    private static let second: Int64 = 48_000

    /// Two items with chapters. In follow the transport rolls, and in lead the first one plays: at 10 s in both.
    private static func player(_ mode: TransportMode, items: [QueueItem] = items) -> (player: TestPlayer, responder: PlaybackResponder) {
        var player = TestPlayer(items)
        let responder = PlaybackResponder()
        player.send(.changeTransportMode(to: mode))
        player.chain.insertAtFront(responder)
        if mode == .follow { player.player.follow(isRolling: true, frame: 0, at: player.now) } else { player.send(.play) }
        player.advance(seconds: 10)
        _ = player.effects()
        return (player, responder)
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
        var (player, responder) = Self.player(.follow)
        let before = player.state.position(at: player.now)
        let result = player.send(row.command)
        #expect(result.status == row.status, "\(result)")
        #expect(result.responder == row.responder, "\(result)")
        #expect(player.effects() == row.effects)
        #expect(player.state.position(at: player.now) == before)
        // Out of the chain and of the mode, the player acts by itself again.
        player.send(.changeTransportMode(to: .none))
        player.chain.remove(responder)
        _ = player.effects()
        #expect(player.send(.stop).responder == "application")
        #expect(player.effects().allSatisfy { if case .transport = $0 { false } else { true } })
        #expect(player.state.playback == .stopped)
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
        Row(command: .changeRate(to: 2), responder: "application", effects: [.sound(.crossfadeInPlace)]),
        Row(command: .changeRepeatMode(to: .all), responder: "queue", effects: [.sound(.upcoming)]),
        Row(command: .like(true), responder: "item", effects: []),
    ]

    private static func begun(_ position: Int64) -> [Effect] { [.sound(.start(position: position))] + transport(.locate(position), .start) }

    @Test("Leading, the player acts, and the transport follows", arguments: led)
    func lead(_ row: Row) {
        var (player, responder) = Self.player(.lead)
        let result = player.send(row.command)
        #expect(result.status == row.status, "\(result)")
        #expect(result.responder == row.responder, "\(result)")
        #expect(player.effects() == row.effects)
        player.send(.changeTransportMode(to: .none))
        player.chain.remove(responder)
        _ = player.effects()
        player.send(.changePosition(to: 1))
        player.send(.stop)
        #expect(player.effects().allSatisfy { if case .transport = $0 { false } else { true } })
    }

    @Test(
        "Every remote command that is not in a table gets the chain's answer without the transport", arguments: [Command.undo, .redo])
    func disabled(_ command: Command) {
        for mode in [TransportMode.follow, .lead] {
            var (player, _) = Self.player(mode)
            #expect(player.send(command).status == .disabled)
        }
    }

    // MARK: Follow

    @Test("A locate while the transport is stopped is a silent seek, exact to the frame; at 0 the state is stopped")
    func locateWhileStopped() {
        var player = TestPlayer(Self.items)
        player.send(.changeTransportMode(to: .follow))
        _ = player.effects()
        player.player.follow(isRolling: false, frame: 123_457, at: player.now)
        #expect(player.state.playback == .paused)
        #expect(player.state.position(at: player.now) == 123_457)
        player.advance(seconds: 9)
        #expect(player.state.position(at: player.now) == 123_457)
        player.player.follow(isRolling: false, frame: 0, at: player.now)
        #expect(player.state.playback == .stopped)
        #expect(player.elapsed == 0)
        #expect(player.effects().isEmpty)
    }

    @Test("Rolling on is not reported; a locate while rolling restarts at the transport's frame")
    func rolling() {
        var (player, _) = Self.player(.follow)
        player.player.follow(isRolling: true, frame: 10 * Self.second, at: player.now)
        #expect(player.effects().isEmpty)
        player.player.follow(isRolling: true, frame: 10 * Self.second + 1, at: player.now)
        #expect(player.effects() == [.sound(.start(position: 10 * Self.second + 1))])
        #expect(player.state.playback == .playing)
        #expect(player.state.position(at: player.now) == 10 * Self.second + 1)
    }

    @Test("When the transport stops, playing stops at its frame, whatever the engine reports later")
    func stopping() {
        var (player, _) = Self.player(.follow)
        player.player.follow(isRolling: false, frame: 9 * Self.second, at: player.now)
        #expect(player.effects() == [.sound(.silence(.short))])
        player.player.landed(position: 10 * Self.second + 77, at: player.now)
        #expect(player.state.playback == .paused)
        #expect(player.elapsed == 9)
    }

    @Test("Past the end the state stays playing, and back inside it sounds again; a transport stopped there is at the end")
    func pastTheEnd() {
        var (player, _) = Self.player(.follow)
        player.advance(seconds: 60)
        player.player.ended(at: player.now)
        player.player.follow(isRolling: true, frame: 70 * Self.second, at: player.now)
        #expect(player.state.playback == .playing)
        #expect(player.elapsed == 60)
        #expect(player.state.currentIndex == 0)
        #expect(player.effects().isEmpty)
        player.player.follow(isRolling: true, frame: 30 * Self.second, at: player.now)
        #expect(player.effects() == [.sound(.start(position: 30 * Self.second))])
        player.player.follow(isRolling: false, frame: 99 * Self.second, at: player.now)
        #expect(player.state.playback == .paused)
        #expect(player.elapsed == 60)
    }

    @Test("If playback goes past the end of an item, the next one starts")
    func leavingPastTheEnd() {
        var (player, responder) = Self.player(.follow)
        player.advance(seconds: 60)
        player.send(.changeTransportMode(to: .none))
        player.chain.remove(responder)
        #expect(player.state.currentIndex == 1)
        #expect(player.state.playback == .playing)
        #expect(player.elapsed == 0)
        #expect(player.effects() == [.sound(.upcoming), .sound(.start(position: 0))])
    }

    @Test("A held seek becomes locates")
    func heldSeek() {
        var (player, _) = Self.player(.follow)
        player.send(.seek(.forward, begins: true))
        player.advance(seconds: 0.5)
        player.player.tick(at: player.now)
        #expect(player.effects() == [.transport(.locate(Int64(12.5 * 48_000)))])
        #expect(player.elapsed == 10.5)
    }

    @Test("After panic and a faded end nothing sounds until the transport has stopped, or somebody plays", arguments: [true, false])
    func standstill(isPanic: Bool) {
        var (player, _) = Self.player(.follow)
        if isPanic {
            player.send(.panic)
        } else {
            player.send(.fadeOut(seconds: 1))
            player.advance(seconds: 2)
            player.player.tick(at: player.now)
        }
        #expect(player.effects().contains(.sound(.silence(isPanic ? .panic : .short))))
        player.player.follow(isRolling: true, frame: 11 * Self.second, at: player.now)
        #expect(player.state.playback == .paused)
        #expect(player.effects().isEmpty)
        player.player.follow(isRolling: false, frame: 0, at: player.now)
        #expect(player.state.playback == .stopped)
        player.player.follow(isRolling: true, frame: 0, at: player.now)
        #expect(player.state.playback == .playing)
        #expect(player.effects() == [.sound(.start(position: 0))])
    }

    @Test("A rate other than 1 refuses follow, and a session with both loses the rate")
    func rate() {
        var player = TestPlayer(Self.items)
        player.send(.changeRate(to: 2))
        let result = player.send(.changeTransportMode(to: .follow))
        #expect(result.status == .disabled)
        #expect(result.message.contains("set rate to 1"))
        #expect(player.send(.changeTransportMode(to: .lead)).status == .success)
        var restored = player.state
        restored.transportMode = .follow
        player.player.restore(restored, position: 0, at: player.now)
        #expect(player.state.rate == 1)
        #expect(player.state.transportMode == .follow)
    }

    @Test("Commands that are not possible while following are disabled, and enabled again afterwards")
    func enabled() {
        var (player, _) = Self.player(.follow, items: [.make("one", chapters: [0, 50])])
        // The last item: there is no chapter to go to.
        for kind in [RemoteCommandKind.rate, .repeatMode, .next] { #expect(!player.isEnabled(kind)) }
        #expect(player.send(.changeRate(to: 2)).message.contains("transport/mode"))
        player.send(.changeTransportMode(to: .none))
        for kind in [RemoteCommandKind.rate, .repeatMode, .next] { #expect(player.isEnabled(kind)) }
    }

    // MARK: JACK is away

    @Test("Without JACK there is no transport to choose: 120; the player acts by itself, and follows again when it is back")
    func away() {
        var (player, _) = Self.player(.follow)
        player.player.audioLost(position: 480_000, at: player.now)
        #expect(player.state.playback == .interrupted)
        for mode in [TransportMode.follow, .lead] { #expect(player.send(.changeTransportMode(to: mode)).status == .deviceNotFound) }
        #expect(player.send(.pause).responder == "application")
        #expect(player.state.playback == .paused)
        player.send(.play)
        _ = player.effects()
        player.player.audioAvailable(sampleRate: 48_000, at: player.now)
        #expect(player.effects().isEmpty)
        #expect(player.state.playback == .interrupted)
        player.player.follow(isRolling: true, frame: 7, at: player.now)
        #expect(player.effects() == [.sound(.start(position: 7))])
        player.player.audioLost(position: 8, at: player.now)
        #expect(player.send(.changeTransportMode(to: .none)).status == .success)
    }

    @Test("Leading, the transport is driven when JACK is back, at the end of an item and at the end of the queue")
    func leadByItself() {
        var (player, _) = Self.player(.lead)
        player.player.audioLost(position: 100, at: player.now)
        player.player.audioAvailable(sampleRate: 48_000, at: player.now)
        #expect(player.effects() == Self.begun(100))
        player.advanceToFollowing()
        #expect(player.effects() == Self.transport(.locate(0)))
        player.player.ended(at: player.now)
        #expect(player.effects() == Self.transport(.stop, .locate(0)))
    }

    @Test("Setting the mode starts or stops the transport at the player's position")
    func leadFromNow() {
        var player = TestPlayer(Self.items)
        player.send(.changePosition(to: 3))
        player.send(.changeTransportMode(to: .lead))
        #expect(player.effects() == [.sound(.upcoming)] + Self.transport(.stop, .locate(3 * Self.second)))
        player.send(.changeTransportMode(to: .none))
        player.send(.play)
        player.advance(seconds: 1)
        _ = player.effects()
        player.send(.changeTransportMode(to: .lead))
        #expect(player.effects() == [.sound(.upcoming)] + Self.transport(.locate(4 * Self.second), .start))
    }
}
