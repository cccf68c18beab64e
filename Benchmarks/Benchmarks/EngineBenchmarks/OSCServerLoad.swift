import Logging
import OSC
import OSCRemote
import Patches
import Playback

/// The remote control with the player behind it and a peer that sends one packet again and again, a millisecond apart. No sockets.
final class OSCServerLoad {
    private let packet: [UInt8]
    private let player = NullReceiver()
    private let server: OSCServer
    private let peer = PeerAddress.udp(Endpoint(host: .loopback, port: 50_000))
    private var now = Instant(seconds: 1000, timeTag: TimeTag(secondsSince1970: 1_700_000_000, nanoseconds: 0))

    init(packet: [UInt8]) {
        self.packet = packet
        server = OSCServer(
            OSCServerConfiguration(identity: .init(name: "binaural", version: "0", port: 7830, bootID: 1)), receiver: player,
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }, send: { _, _ in })
    }

    func receive() {
        now.seconds += 0.001
        now.timeTag = now.timeTag.advanced(bySeconds: 0.001)
        server.receive(packet, from: peer, at: now)
    }

    /// Replaces control for the server, with a patch of 16 layers in the player.
    private final class NullReceiver: CommandReceiver {
        private var player: Player
        private let center = RemoteCommandCenter()
        private let chain = ResponderChain()
        private let nowPlaying = NowPlayingCenter()
        private var moment = Moment(frame: 0)

        init() {
            let layers = (1...16).map { Layer(name: "layer\($0)", kind: .binaural) }
            var state = PlayerState()
            state.items = [QueueItem(reference: "load", patch: Patch(layers: layers))]
            state.currentIndex = 0
            state.hasAudio = true
            player = Player(state)
            center.addTarget(chain)
            nowPlaying.update(from: player.state, at: moment)
        }

        func findPatches(_ words: String, answer: @escaping (FoundPatches?) -> Void) { answer(nil) }

        func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void) {
            moment.frame += 48
            player.sender = sender
            let result = center.perform(command, or: chain, on: &player, at: moment)
            _ = player.takeEffects()
            nowPlaying.update(from: player.state, at: moment)
            answer(result)
        }

        var lead: Double? { nil }

        func simultaneously(at moment: Moment?, _ body: () -> Void) -> Bool {
            body()
            return true
        }

        func snapshot() -> Snapshot {
            var snapshot = Snapshot()
            snapshot.player = player.state
            snapshot.nowPlaying = nowPlaying.nowPlaying
            snapshot.moment = moment
            for kind in RemoteCommandKind.allCases { snapshot.enabled[kind] = center.isEnabled(kind, in: player.state, at: moment) }
            snapshot.skipIntervals = center[.skipForward].preferredIntervals
            return snapshot
        }

        func whenSounding(_ done: @escaping () -> Void) { done() }
    }
}
