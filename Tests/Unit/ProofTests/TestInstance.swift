import Bus
import Engine
import Library
import Logging
import MPRIS
import OSC
import OSCRemote
import PatchFiles
import Patches
import Playback
import Performance

@testable import Application

/// The player, the engine and the remote server as the control actor ties them together, with cycles that the test runs by hand.
final class TestInstance: CommandReceiver {
    var player = Player()
    let center = RemoteCommandCenter()
    let chain = ResponderChain()
    let nowPlaying = NowPlayingCenter()
    let performance: LivePerformance
    private var handle: RenderHandle?
    private var preferences = PreferenceValues() {
        didSet {
            center.adopt(preferences)
            (performance.shortFade, performance.crossfade) = (preferences.shortFade, preferences.crossfade)
            performance.prepareNext(player.state)
        }
    }
    private var button = ButtonInterpreter()
    private var waiting: [(mark: UInt64, done: () -> Void)] = []
    /// The time at which a start or a silence became pending.
    private var settlingSince: Double?
    /// JACK's transport, which follows requests in the next cycle.
    private var transport = (isRolling: false, frame: Int64(0))
    /// Quarter notes a minute of the timebase master, which may be any number.
    var tempo = 0.0
    private var limitWatch = LimitWatch()
    private var transportResponder: PlaybackResponder?
    private var sessions = 0
    private var saved: [(name: String, yaml: String)] = []
    /// The mistakes in files that were saved and read again.
    private(set) var faults: Set<String> = []
    /// The sessions of the library.
    static let sessionNames = ["x", "night-2"]
    private let wire = Wire()
    private var server: OSCServer!
    /// The player on the session bus, without a bus.
    private(set) var desktop: MediaPlayerServer!
    private var sampleRate = 48_000
    private(set) var now = Instant(seconds: 1000, timeTag: TimeTag(secondsSince1970: 1_700_000_000, nanoseconds: 0))
    private var seconds = 1_700_000_000.0
    private var nextTick = 1000.02
    /// Patches that can be added to the queue, by reference; sessions contain them, too.
    var library: [QueueItem] = []
    /// The largest output magnitude, infinity if it was not finite; and the same since the last reset.
    private(set) var loudest: Float = 0
    private(set) var peak: Float = 0
    /// The output, if it is recorded, and the frames from which it belongs to each server.
    var keepsSound = false
    private(set) var sound: (left: [Float], right: [Float]) = ([], [])
    private(set) var stretches: [(start: Int, sampleRate: Int)] = []

    /// Frames of JACK's period.
    private(set) var period = 256

    /// The transport in one cycle.
    private struct Sighting {
        let isRolling: Bool
        let frame: Int64
        let moment: Moment
        let position: MusicalPosition
    }

    private final class Wire {
        var sent: [PeerAddress: [[UInt8]]] = [:]
        var signals: [(signal: BusSignal, seconds: Double)] = []
    }

    init(_ items: [QueueItem], kernel: Kernel = .baseline) {
        performance = LivePerformance(kernel: kernel, ceiling: -6)
        var state = PlayerState()
        state.items = items
        state.currentIndex = 0
        player = Player(state)
        center.addTarget(chain)
        let wire = wire
        let identity = InstanceIdentity(name: "binaural", version: "1", port: 7830, bootID: 5)
        server = OSCServer(
            OSCServerConfiguration(identity: identity), receiver: self, logger: Logger(label: "test") { _ in LogLines().handler },
            send: { wire.sent[$1, default: []].append($0) })
        desktop = MediaPlayerServer(
            PlayerIdentity(name: "Binaural", mayControl: true, mayQuit: false), receiver: self,
            emit: { [unowned self] in wire.signals.append(($0, now.seconds)) })
        desktop.begin()
        audioComes(sampleRate: 48_000)
    }

    // MARK: Events

    func receive(_ message: OSCMessage, from source: Endpoint) { receive(message.encoded, from: source) }

    func receive(_ bytes: [UInt8], from source: Endpoint) { server.receive(bytes, from: .udp(source), at: now) }

    func key(_ command: Command) {
        judge(command, from: nil) { _ in }
        settle()
    }

    func audioComes(sampleRate: Int, period: Int? = nil) {
        self.sampleRate = sampleRate
        self.period = period ?? self.period
        if player.state.hasAudio { player.audioLost(position: performance.position, at: performance.moment) }
        stretches.append((sound.left.count, sampleRate))
        handle = performance.prepare(sampleRate: sampleRate, state: player.state).handle
        player.audioAvailable(sampleRate: sampleRate, at: performance.moment)
        settle()
    }

    func audioGoes() {
        guard player.state.hasAudio else { return }
        player.audioLost(position: performance.position, at: performance.moment)
        performance.suspend()
        handle = nil
        // Another server comes back.
        transport = (false, 0)
        settle()
    }

    /// JACK calls nobody for a time, as a stalled server; if it is long enough, the audio is lost and comes back.
    func stall(seconds: Double) {
        let isLost = seconds >= 0.25
        let handle = handle
        self.handle = nil
        pass(seconds: min(seconds, 0.25))
        if isLost {
            audioGoes()
            pass(seconds: seconds - 0.25)
            // The server continues where it was, with the same client.
            audioComes(sampleRate: sampleRate)
        } else {
            self.handle = handle
        }
    }

    /// JACK changes its period while it runs.
    func changePeriod(to period: Int) { self.period = period }

    /// Lets at least so much time pass, in whole periods.
    func pass(seconds: Double, looks: () -> Bool = { true }) {
        pass(periods: Int((seconds * Double(sampleRate) / Double(period)).rounded(.up)), looks: looks)
    }

    /// Lets periods pass: rendered ones while there is audio.
    ///
    /// - Parameter looks: Whether control polls the engine after each period; in reality it polls less often.
    func pass(periods: Int, looks: () -> Bool = { true }) {
        var (left, right) = ([Float](repeating: 0, count: period), [Float](repeating: 0, count: period))
        for _ in 0..<periods {
            var sighting: Sighting?
            if let handle {
                sighting = Sighting(
                    isRolling: transport.isRolling, frame: transport.frame, moment: performance.now,
                    position: MusicalPosition(
                        engineFrame: performance.status?.engineFrame ?? 0,
                        wholeNotes: Double(transport.frame) / Double(sampleRate) * tempo / 240, tempo: tempo))
                handle.render(left: &left, right: &right, frames: period, hostTime: 0)
                record(left, right)
                if transport.isRolling { transport.frame += Int64(period) }
            }
            let step = Double(period) / Double(sampleRate)
            seconds += step
            now.seconds += step
            now.timeTag = now.timeTag.advanced(bySeconds: step)
            if looks() { look(sighting) }
        }
    }

    /// One poll of control, as every few milliseconds.
    private func look(_ sighting: Sighting?) {
        if let sighting {
            performance.poll(&player)
            if player.state.transportMode == .follow {
                player.follow(isRolling: sighting.isRolling, frame: sighting.frame, at: sighting.moment)
            }
            player.follow(tempo: tempo)
            if sighting.isRolling { performance.keepTime(with: sighting.position, player.state) }
        }
        _ = limitWatch.words(for: performance, player.state)
        player.tick(at: performance.moment)
        var button = button
        button.advance(to: now.seconds) { perform($0, from: $1 ?? "", answer: $2) }
        self.button = button
        settle()
        if now.seconds >= nextTick {
            nextTick = now.seconds + 0.02
            server.tick(at: now)
            desktop.changed(snapshot(), at: now.seconds)
        }
    }

    private func record(_ left: [Float], _ right: [Float]) {
        for sample in left + right { peak = max(peak, sample.isFinite ? abs(sample) : .infinity) }
        loudest = max(loudest, peak)
        guard keepsSound else { return }
        sound.left += left
        sound.right += right
    }

    func forgetPeak() { peak = 0 }

    func packets(to peer: Endpoint) -> [[UInt8]] { wire.sent.removeValue(forKey: .udp(peer)) ?? [] }

    /// Calls a method over the session bus, and returns its answer; empty for an error.
    func call(_ call: MethodCall) -> [BusValue] {
        var answer: Result<[BusValue], BusError>?
        desktop.answer(call, at: now.seconds) { answer = $0 }
        return (try? answer?.get()) ?? []
    }

    /// Reports what has changed by itself in the last milliseconds, such as the chapter: changes are reported at most every 20 ms.
    func reportToDesktop() { desktop.changed(snapshot(), at: now.seconds + 0.02) }

    /// The signals on the session bus since the last call, and when they were sent.
    func signals() -> [(signal: BusSignal, seconds: Double)] {
        defer { wire.signals = [] }
        return wire.signals
    }

    var isWaiting: Bool { !waiting.isEmpty }

    // MARK: As the control actor does it

    private func judge(_ command: Command, from sender: String?, answer: @escaping (CommandResult) -> Void) {
        player.sender = sender
        let moment = performance.moment
        let result =
            if let kind = command.kind {
                center.perform(command, kind: kind, on: &player, at: moment)
            } else {
                chain.send(command, on: &player, at: moment) ?? CommandResult(.noActionableNowPlayingItem, "nobody")
            }
        for effect in player.takeEffects() {
            guard let request = carryOut(effect) else { continue }
            switch request {
            case .setPreference(let name, let value): preferences[name: name] = value
            case .button(let isDown):
                var button = button
                button.take(isDown: isDown, from: sender, at: now.seconds, preferences, answer: answer) {
                    perform($0, from: $1 ?? "", answer: $2)
                }
                self.button = button
                return
            case .shake:
                guard let meaning = center[.shake].meaning else { break }
                return judge(meaning, from: sender, answer: answer)
            case .addItem(let name):
                if let item = library.first(where: { $0.reference == name }) { player.add(item.again) }
            case .loadSession(let name): if !openSaved(name) { openSession() }
            case .saveSession(let name): save(as: name ?? "")
            case .savePatch(let patch, _, _, _):
                do { _ = try Patch.parse(patch.yaml, file: "patch") } catch { faults.insert("\(error)") }
            default: break
            }
        }
        answer(result)
    }

    /// Saves the session as the text of its file; the eight newest names are kept.
    private func save(as name: String) {
        var session = Session()
        session.update(from: player.state, ids: [])
        saved.removeAll { $0.name == name }
        saved = saved.suffix(7) + [(name, session.yaml)]
    }

    /// Opens a session that was saved.
    ///
    /// - Returns: Whether there is one of that name with anything to play.
    private func openSaved(_ name: String) -> Bool {
        guard let text = saved.first(where: { $0.name == name })?.yaml else { return false }
        let session: Session
        do {
            session = try Session.parse(text, file: "session")
        } catch {
            faults.insert("\(error)")
            return false
        }
        let queue = session.items.map { item in
            item.queueItem(
                library.first { $0.reference == item.patch }?.patch.map { .success($0) } ?? .failure(.noFile(path: item.patch)))
        }
        guard queue.contains(where: { $0.patch != nil }) else { return false }
        player.restore(session.playerState(queue), position: 0.5, at: performance.moment)
        return true
    }

    /// Opens another session: the library, starting with another item each time, playing or not like the one before.
    private func openSession() {
        guard !library.isEmpty else { return }
        sessions += 1
        var state = PlayerState()
        let first = sessions % library.count
        state.items = (library[first...] + library[..<first]).map(\.again)
        state.currentIndex = sessions % state.items.count
        state.playback = player.state.playback
        player.restore(state, position: Double(sessions % 3) / 4, at: performance.moment)
    }

    private func carryOut() {
        for effect in player.takeEffects() { _ = carryOut(effect) }
    }

    private func carryOut(_ effect: Effect) -> ApplicationRequest? {
        switch effect {
        case .sound(let change): performance.carryOut(change, player.state)
        case .transport(let request): move(request)
        case .request(let request): return request
        }
        return nil
    }

    private func move(_ request: TransportRequest) {
        switch request {
        case .start: transport.isRolling = true
        case .stop: transport.isRolling = false
        case .locate(let frame): transport.frame = frame
        }
    }

    /// Keeps the transport's responder at the front of the chain while the player follows or leads the transport.
    private func arrangeTransport() {
        guard (player.state.transportMode == .none) != (transportResponder == nil) else { return }
        if let responder = transportResponder {
            chain.remove(responder)
            transportResponder = nil
        } else {
            let responder = PlaybackResponder()
            chain.insertAtFront(responder)
            transportResponder = responder
        }
    }

    private func settle() {
        carryOut()
        arrangeTransport()
        settlingSince = performance.isSettling && player.state.hasAudio ? settlingSince ?? now.seconds : nil
        // After 100 ms the current state is sent all the same.
        if settlingSince.map({ now.seconds - $0 > 0.1 }) ?? true { nowPlaying.update(from: player.state, at: performance.moment) }
        server?.changed(at: now)
        let ready = waiting.filter { !player.state.hasAudio || performance.isInTheSound($0.mark) }
        waiting.removeAll { !player.state.hasAudio || performance.isInTheSound($0.mark) }
        for entry in ready { entry.done() }
    }

    func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void) {
        judge(command, from: sender, answer: answer)
        settle()
    }

    func simultaneously(at moment: Moment?, _ body: () -> Void) -> Bool { performance.simultaneously(at: moment, body) }

    var lead: Double? { performance.lead }

    func whenSounding(_ done: @escaping () -> Void) {
        waiting.append((performance.mark, done))
        settle()
    }

    func findPatches(_ words: String, answer: @escaping (FoundPatches?) -> Void) { answer(nil) }

    func snapshot() -> Snapshot {
        var snapshot = Snapshot()
        snapshot.player = player.state
        snapshot.moment = performance.now
        // As in the program, the frame that is rendered at `seconds`, even while a bundle's effects are ahead of it.
        snapshot.clock.moment = performance.moment(of: performance.status?.engineFrame ?? 0)
        snapshot.clock.seconds = seconds
        snapshot.clock.sampleRate = player.state.sampleRate
        snapshot.nowPlaying = nowPlaying.nowPlaying
        for kind in RemoteCommandKind.allCases { snapshot.enabled[kind] = center.isEnabled(kind, in: player.state, at: snapshot.moment) }
        snapshot.skipIntervals = center[.skipForward].preferredIntervals
        snapshot.preferences = preferences
        snapshot.jack.state = player.state.hasAudio ? .running : .away
        snapshot.session.available = Self.sessionNames
        return snapshot
    }
}

extension QueueItem {
    /// The same patch in another place of the queue.
    var again: QueueItem { QueueItem(reference: reference, patch: patch, problem: problem) }
}
