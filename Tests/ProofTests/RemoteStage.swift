import Engine
import Logging
import OSC
import OSCRemote
import Patches
import Playback
import Studio

/// The player, the engine and the remote server as the control actor ties them together, with cycles that the test runs by hand.
final class RemoteStage: CommandReceiver {
    var player = Player()
    let center = RemoteCommandCenter()
    let chain = ResponderChain()
    let nowPlaying = NowPlayingCenter()
    let performance = Performance(kernel: .baseline, ceiling: -6)
    private var handle: RenderHandle?
    private var preferences = PreferenceValues()
    private var waiting: [(mark: UInt64, done: () -> Void)] = []
    private var settling = 0
    private let wire = Wire()
    private var server: RemoteServer!
    private var sampleRate = 48_000
    private(set) var now = Instant(seconds: 1000, timeTag: TimeTag(secondsSince1970: 1_700_000_000, nanoseconds: 0))
    private var seconds = 1_700_000_000.0
    private var cycles = 0

    private static let period = 256

    private final class Wire {
        var sent: [PeerAddress: [[UInt8]]] = [:]
    }

    init(_ items: [QueueItem]) {
        var state = PlayerState()
        state.items = items
        state.currentIndex = 0
        player = Player(state)
        center.addTarget(chain)
        let wire = wire
        let identity = RemoteConfiguration.Identity(name: "binaural", version: "1", port: 7830, bootID: 5)
        server = RemoteServer(
            RemoteConfiguration(identity: identity), receiver: self, logger: Logger(label: "test") { _ in LogLines().handler },
            send: { wire.sent[$1, default: []].append($0) })
        audioComes(sampleRate: 48_000)
    }

    // MARK: What happens

    func receive(_ message: Message, from source: Endpoint) {
        server.receive(message.encoded, from: .udp(source), at: now)
    }

    func key(_ command: Command) {
        player.sender = nil
        _ = judge(command)
        settle()
    }

    func audioComes(sampleRate: Int) {
        self.sampleRate = sampleRate
        if player.state.hasAudio { player.audioLost(position: performance.position, at: performance.moment) }
        handle = performance.prepare(sampleRate: sampleRate, state: player.state)
        player.audioAvailable(sampleRate: sampleRate, at: performance.moment)
        settle()
    }

    func audioGoes() {
        guard player.state.hasAudio else { return }
        player.audioLost(position: performance.position, at: performance.moment)
        performance.suspend()
        handle = nil
        settle()
    }

    /// Lets periods pass: rendered ones while there is audio.
    func pass(periods: Int) {
        var (left, right) = ([Float](repeating: 0, count: Self.period), [Float](repeating: 0, count: Self.period))
        for _ in 0..<periods {
            if let handle {
                handle.render(left: &left, right: &right, frames: Self.period, hostTime: 0)
                performance.poll(&player)
            }
            let step = Double(Self.period) / Double(sampleRate)
            seconds += step
            now.seconds += step
            now.timeTag = now.timeTag.advanced(bySeconds: step)
            player.tick(at: performance.moment)
            settle()
            cycles += 1
            if cycles.isMultiple(of: 4) { server.tick(at: now) }
        }
    }

    func packets(to peer: Endpoint) -> [[UInt8]] { wire.sent.removeValue(forKey: .udp(peer)) ?? [] }

    var isWaiting: Bool { !waiting.isEmpty }

    // MARK: As the control actor does it

    private func judge(_ command: Command) -> CommandResult {
        let moment = performance.moment
        let result =
            if let kind = command.kind {
                center.perform(command, kind: kind, on: &player, at: moment)
            } else {
                chain.send(command, on: &player, at: moment) ?? CommandResult(.noActionableNowPlayingItem, "nobody")
            }
        carryOut()
        return result
    }

    private func carryOut() {
        for effect in player.takeEffects() where !performance.carryOut(effect, player.state) {
            if case .setPreference(let name, let value) = effect { preferences[name: name] = value }
        }
    }

    private func settle() {
        carryOut()
        settling = performance.isSettling && player.state.hasAudio ? settling + 1 : 0
        // About 100 ms, after which is told what is known.
        if settling == 0 || settling > 20 { nowPlaying.update(from: player.state, at: performance.moment) }
        server?.changed(at: now)
        let ready = waiting.filter { !player.state.hasAudio || performance.isInTheSound($0.mark) }
        waiting.removeAll { !player.state.hasAudio || performance.isInTheSound($0.mark) }
        for entry in ready { entry.done() }
    }

    func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void) {
        player.sender = sender
        let result = judge(command)
        settle()
        answer(result)
    }

    func simultaneously(at moment: Moment?, _ body: () -> Void) -> Bool { performance.simultaneously(at: moment, body) }

    var lead: Double? { performance.lead }

    func whenSounding(_ done: @escaping () -> Void) {
        waiting.append((performance.mark, done))
        settle()
    }

    func snapshot() -> Snapshot {
        var snapshot = Snapshot()
        snapshot.player = player.state
        snapshot.moment = performance.moment
        snapshot.clock.moment = performance.moment
        snapshot.clock.seconds = seconds
        snapshot.clock.sampleRate = player.state.sampleRate
        snapshot.nowPlaying = nowPlaying.nowPlaying
        for kind in RemoteCommandKind.allCases { snapshot.enabled[kind] = center.isEnabled(kind, in: player.state, at: snapshot.moment) }
        snapshot.skipIntervals = center[.skipForward].preferredIntervals
        snapshot.preferences = preferences
        snapshot.jack.state = player.state.hasAudio ? .running : .away
        return snapshot
    }
}
