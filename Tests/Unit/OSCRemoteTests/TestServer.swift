import Logging
import OSC
import OSCRemote
import Patches
import Playback
import Synchronization

/// The real player behind the real server, without sockets, sound or clock: packets in, packets out, time when the test says so.
final class TestServer {
    let receiver = TestReceiver()
    let log = LogLines()
    private(set) var now = Instant(seconds: 1000, timeTag: TestServer.start)
    private let wire = Wire()
    let server: OSCServer

    static let bootID: Int64 = 77
    static let start = TimeTag(secondsSince1970: 1_700_000_000, nanoseconds: 0)
    static let local = Endpoint(host: .loopback, port: 50_000)
    static let other = Endpoint(host: .loopback, port: 50_001)
    static let phone = Endpoint("192.168.1.20:51000")!

    final class Wire {
        var sent: [(bytes: [UInt8], to: PeerAddress)] = []
    }

    init(_ configure: (inout OSCServerConfiguration) -> Void = { _ in }) {
        var configuration = OSCServerConfiguration(identity: .init(name: "binaural", version: "9.8.7", port: 7830, bootID: Self.bootID))
        configure(&configuration)
        let wire = wire
        let log = log
        server = OSCServer(
            configuration, receiver: receiver, logger: Logger(label: "test") { _ in log.handler }, send: { wire.sent.append(($0, $1)) })
        receiver.clockSeconds = 1_700_000_000
    }

    // MARK: In

    func send(_ address: String, _ arguments: OSCArgument..., from source: Endpoint = TestServer.local) {
        receive(.message(OSCMessage("/binaural/" + address, arguments)), from: source)
    }

    func receive(_ packet: OSCPacket, from source: Endpoint = TestServer.local) { receive(bytes: packet.encoded, from: source) }

    func receive(bytes: [UInt8], from source: Endpoint = TestServer.local) { receive(bytes: bytes, from: .udp(source)) }

    func receive(bytes: [UInt8], from source: PeerAddress) { server.receive(bytes, from: source, at: now) }

    /// Lets time pass in ticks of 25 ms.
    func advance(seconds: Double) {
        let end = now.seconds + seconds - 1e-9
        while now.seconds < end {
            tick(after: min(0.025, end + 1e-9 - now.seconds))
        }
    }

    /// Lets time pass with ticks only when the server has something to send, but at least 15 ms apart.
    ///
    /// - Returns: the number of ticks.
    func advanceWhenDue(seconds: Double) -> Int {
        let end = now.seconds + seconds - 1e-9
        var count = 0
        while now.seconds < end {
            let due = server.nextFeedback ?? .infinity
            tick(after: min(max(due - now.seconds, 0.015), end + 1e-9 - now.seconds))
            count += 1
        }
        return count
    }

    private func tick(after step: Double) {
        now.seconds += step
        now.timeTag = now.timeTag.advanced(bySeconds: step)
        receiver.advance(seconds: step)
        server.tick(at: now)
    }

    /// Changes the player behind the server's back, as a key or JACK does.
    func change(_ body: (TestReceiver) -> Void) {
        body(receiver)
        server.changed(at: now)
    }

    // MARK: Out

    /// Packets since the last call.
    func packets(to endpoint: Endpoint = TestServer.local) -> [[UInt8]] {
        packets(to: .udp(endpoint))
    }

    func packets(to address: PeerAddress) -> [[UInt8]] {
        let mine = wire.sent.filter { $0.to == address }.map(\.bytes)
        wire.sent.removeAll { $0.to == address }
        return mine
    }

    /// Packets since the last call, to all peers.
    func packetsToAll() -> [[UInt8]] {
        defer { drop() }
        return wire.sent.map(\.bytes)
    }

    /// Messages since the last call, out of their bundles, without signs of life, root stripped.
    func messages(to endpoint: Endpoint = TestServer.local) -> [OSCMessage] { flat(packets(to: endpoint)).filter { $0.address != "alive" } }

    func messages(to address: PeerAddress) -> [OSCMessage] { flat(packets(to: address)).filter { $0.address != "alive" } }

    func alive(to endpoint: Endpoint = TestServer.local) -> [OSCMessage] { flat(packets(to: endpoint)).filter { $0.address == "alive" } }

    func drop() { wire.sent = [] }

    var isQuiet: Bool { wire.sent.isEmpty }

    private func flat(_ packets: [[UInt8]]) -> [OSCMessage] {
        packets.flatMap { bytes in flat((try? OSCPacket(decoding: bytes)) ?? .message(OSCMessage("undecodable"))) }
    }

    private func flat(_ packet: OSCPacket) -> [OSCMessage] {
        switch packet {
        case .message(let message):
            let root = "/binaural/"
            return [
                message.address.hasPrefix(root) ? OSCMessage(String(message.address.dropFirst(root.count)), message.arguments) : message
            ]
        case .bundle(let bundle): return bundle.elements.flatMap(flat)
        }
    }
}

/// The part of control that the server needs, around the real player.
final class TestReceiver: CommandReceiver {
    var player: Player
    let center = RemoteCommandCenter()
    let chain = ResponderChain()
    let nowPlaying = NowPlayingCenter()
    var moment = Moment(frame: 0)
    /// Wall clock at frame 0, in seconds since 1970.
    var clockSeconds = 0.0
    var jack = Snapshot.JACKStatus()
    var meter = Snapshot.Meter()
    var session = Snapshot.SessionStatus()
    var preferences = PreferenceValues() { didSet { center.adopt(preferences) } }
    var button = ButtonInterpreter()
    /// Seconds of the monotonic clock.
    var seconds = 0.0
    var lifecycle = ""
    var notice = ""
    /// The time at which it starts to play by itself, in seconds since 1970.
    var start: Double?
    var performed: [Command] = []
    var momentsOfPerformed: [Moment] = []
    var effects: [Effect] = []
    var waitingForSound: [() -> Void] = []
    /// Whether the answers to changes of session wait in ``answersOfDisk``.
    var diskIsSlow = false
    var answersOfDisk: [() -> Void] = []
    var library = [
        FoundPatches.Patch(name: "drone", title: "Drone", duration: nil, origin: "user's folder"),
        FoundPatches.Patch(name: "rain", title: "Rain on a roof", duration: 600, origin: "came with the program"),
    ]
    /// Whether too many searches are waiting.
    var isSearching = false
    var snapshotCount = 0
    /// Frames that pass with every command outside of a bundle, so that two of them are never simultaneous by chance.
    private var simultaneousDepth = 0
    /// `nil` while JACK is away.
    var lead: Double? = 0

    init() {
        var state = PlayerState()
        state.items = [
            QueueItem(reference: "deep", patch: .deep), QueueItem(reference: "reference-tone", patch: .endless),
            QueueItem(reference: "gone", patch: nil, problem: "there is no patch gone"),
        ]
        state.currentIndex = 0
        state.hasAudio = true
        player = Player(state)
        center.addTarget(chain)
        jack.state = .running
        jack.bufferSize = 256
        session.available = ["welcome", "night"]
        nowPlaying.update(from: player.state, at: moment)
    }

    func advance(seconds: Double) {
        moment.frame += Int64((seconds * 48_000).rounded())
        self.seconds += seconds
        player.tick(at: moment)
        var button = button
        button.advance(to: self.seconds) { perform($0, from: $1 ?? "", answer: $2) }
        self.button = button
        nowPlaying.update(from: player.state, at: moment)
    }

    func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void) {
        if simultaneousDepth == 0 { moment.frame += 1 }
        player.sender = sender
        performed.append(command)
        momentsOfPerformed.append(moment)
        let result =
            if case .application = command {
                CommandResult(.success, by: "application")
            } else if let kind = command.kind {
                center.perform(command, kind: kind, on: &player, at: moment)
            } else {
                chain.send(command, on: &player, at: moment) ?? CommandResult(.noActionableNowPlayingItem, "nobody")
            }
        let asked = if case .application(let request) = command { [Effect.request(request)] } else { player.takeEffects() }
        for case .request(.setPreference(let name, let value)) in asked { preferences[name: name] = value }
        effects += asked
        nowPlaying.update(from: player.state, at: moment)
        for case .request(.button(let isDown)) in asked {
            var button = button
            button.take(isDown: isDown, from: sender, at: seconds, preferences, answer: answer) { perform($0, from: $1 ?? "", answer: $2) }
            self.button = button
            return
        }
        let needsDisk = asked.contains {
            switch $0 {
            case .request(.loadSession), .request(.saveSession(.some)): true
            default: false
            }
        }
        if diskIsSlow, needsDisk { return answersOfDisk.append { answer(result) } }
        if asked.contains(.request(.shake)), let meaning = center[.shake].meaning { return perform(meaning, from: sender, answer: answer) }
        answer(result)
    }

    func simultaneously(at asked: Moment?, _ body: () -> Void) -> Bool {
        let now = moment
        if simultaneousDepth == 0, let asked { moment = max(asked, now) }
        simultaneousDepth += 1
        body()
        simultaneousDepth -= 1
        if simultaneousDepth == 0 { moment = now }
        return asked.map { $0 >= now } ?? true
    }

    func snapshot() -> Snapshot {
        snapshotCount += 1
        var snapshot = Snapshot()
        snapshot.player = player.state
        snapshot.nowPlaying = nowPlaying.nowPlaying
        snapshot.moment = moment
        snapshot.clock.seconds = clockSeconds
        for kind in RemoteCommandKind.allCases { snapshot.enabled[kind] = center.isEnabled(kind, in: player.state, at: moment) }
        snapshot.skipIntervals = center[.skipForward].preferredIntervals
        snapshot.preferences = preferences
        snapshot.jack = jack
        snapshot.meter = meter
        snapshot.session = session
        snapshot.lifecycle = lifecycle
        snapshot.notice = notice
        snapshot.start = start
        return snapshot
    }

    func whenSounding(_ done: @escaping () -> Void) { waitingForSound.append(done) }

    func findPatches(_ words: String, answer: @escaping (FoundPatches?) -> Void) {
        let found = library.filter { $0.name.contains(words) || words.isEmpty }
        answer(isSearching ? nil : FoundPatches(found, count: found.count))
    }
}

extension Patch {
    /// Every kind of layer and three chapters in ten minutes.
    static let deep: Patch = {
        var patch = Patch(
            duration: 600,
            layers: [
                Layer(name: "bed", kind: .binaural, values: [.carrier: 200, .beat: 10, .gain: -20]), Layer(name: "rain", kind: .noise),
                Layer(name: "pulse", kind: .isochronic), Layer(name: "drone", kind: .tone), Layer(name: "mono", kind: .monaural),
                Layer(name: "bowl", kind: .bell), Layer(name: "wind", kind: .spin, color: .pink),
                Layer(name: "sway", kind: .phase), Layer(name: "sides", kind: .bilateral), Layer(name: "box", kind: .harmonicBox),
                Layer(name: "keys", kind: .keys),
            ],
            chapters: [
                Chapter(start: 0, title: "Settle"),
                Chapter(start: 100, title: "Drop", over: 10, settings: [Setting(layer: 0, parameter: .beat, value: 4)]),
                Chapter(start: 300, title: "Stay"),
            ])
        patch.details = Details(title: "Deep")
        patch.details.artist = "Somebody"
        return patch
    }()

    static let endless = Patch(details: Details(title: "A4"), layers: [Layer(name: "tone", kind: .tone, values: [.carrier: 440])])
}

/// The log lines.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var handler: Handler { Handler(lines: self) }

    struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.lines.withLock { $0.append("\(event.message)") } }
    }
}
