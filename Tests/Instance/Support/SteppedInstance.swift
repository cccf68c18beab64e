import Bus
import Dispatch
import Engine
import Foundation
import JACKBackend
import Library
import Logging
import MPRIS
import OSC
import OSCRemote
import PatchFiles
import Patches
import Performance
import Pictures
import Playback
import Synchronization
import TestSupport

@testable import Application

/// The real instance on a device, a clock and packets that the test drives, with folders of its own. Whatever it does is over when a call
/// returns.
package final class SteppedInstance: @unchecked Sendable {
    // SAFETY: used by one test, which waits for the instance.
    package let clock = TestClock()
    package let device: SteppedDevice
    let instance: Instance
    private let port = MemoryPort()
    private let webSockets: OSCWebSockets
    private let noticeProbe = NoticeProbe()
    /// From the first call over the session bus on.
    private lazy var desktop = onInstance { instance in
        let desktop = DesktopProbe(instance)
        instance.add(desktop)
        return desktop
    }
    package let home: InstanceHome
    /// The lines that it printed at its start.
    package private(set) var lines: [String] = []
    private let watchesFiles: Bool
    private var isOver = false

    /// Starts like `play` with these options, on a server with periods of 256 frames.
    ///
    /// - Parameter managed: The session of a session manager.
    package init(
        _ configuration: PlayConfiguration, in home: InstanceHome, sampleRate: Int = 48_000, managed: ManagedSession? = nil
    ) throws {
        (self.home, watchesFiles) = (home, configuration.watched != .off)
        let setup = try PlaySetup(configuration, managed, places: home.places)
        let opened = try SessionStore.open(file: setup.choice.file, initial: setup.choice.initial)
        let preferencesNotices = setup.preferencesNotice.map { ["\($0)"] } ?? []
        let printed = Mutex(preferencesNotices + setup.osc.notices + opened.notices.map { "\($0)" })
        let print: @Sendable (String) -> Void = { line in printed.withLock { $0.append(line) } }
        let (instance, restored) = try onMain { [clock] in
            try setup.instance(
                of: opened, time: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, print: print
            ) { _, _ throws(PictureError) in
                throw .drawingFailed(message: "nothing is drawn here")
            }
        }
        self.instance = instance
        webSockets = OSCWebSockets { [weak instance] in
            DispatchQueue.main.async { instance?.osc?.webSocketsAreReady() }
        } resume: { _ in
            // Clients here wait for each packet to be handled.
        }
        let remembered = configuration.jack.connect == nil ? opened.session.links : nil
        device = SteppedDevice(clock, clientName: managed?.clientID ?? "binaural", connections: remembered) { [weak instance] event in
            guard let instance else { return }
            DispatchQueue.main.async { instance.receive(event) }
        }
        onMain { [self] in
            // First, since the restored session may cause notices.
            instance.add(noticeProbe)
            instance.start(restoring: restored, listeningOn: port, setup.osc.configuration(client: device.status.clientName, port: 7830))
            instance.osc?.connect(webSockets) { [port] packet, client in port.send(packet, to: .webSocket(client)) }
            setup.plan(restored, isNew: opened.isNew, print, instance)
            instance.use(device)
            UnreadableItems.report(instance.host, instance.keeper)
            if let managed { return instance.sessions.obey(managed, connect: configuration.jack.connect == nil ? nil : setup.connect) }
            guard let remembered = setup.choice.remembered else { return }
            do { try instance.keeper.library.rememberLastSession(remembered) } catch { print("\(error)") }
        }
        lines = printed.withLock { $0 }
        come(sampleRate: sampleRate)
    }

    /// Plays patches, paused.
    ///
    /// - Parameters:
    ///   - items: Names of `patches` and `sessions`, as on the command line.
    ///   - patches: Patches of the library, by name.
    ///   - sessions: Sessions of the library: the names of their patches.
    package convenience init(
        _ items: [String], patches: [String: Patch], sessions: [String: [String]] = [:], kernel: Kernel = .baseline
    ) throws {
        let home = try InstanceHome()
        for (name, patch) in patches { try home.write(patch.yaml, to: "data/patches/\(name).yaml") }
        for (name, items) in sessions {
            try home.write(Session(title: name, items: items.map { Session.Item(patch: $0) }).yaml, to: "data/sessions/\(name).yaml")
        }
        // Tests measure the sound itself.
        try home.write("softStart: 0\n", to: "config/preferences.yaml")
        var configuration = PlayConfiguration(kernel: kernel, osc: .init(version: "1"))
        (configuration.items, configuration.isPaused, configuration.watched) = (items, true, .off)
        try self.init(configuration, in: home)
    }

    deinit {
        // A task that sleeps would keep all of this.
        defer { clock.wakeSleepers() }
        guard !isOver else { return }
        // As if it were killed.
        onInstance {
            $0.pace.cancel()
            $0.host.frontEnds.close()
            $0.keeper.store.close()
        }
    }

    /// Asks it to end, which it does in ``end(discardingChanges:)``.
    ///
    /// - Parameter discardingChanges: as SIGTERM does under a session manager.
    package func quit(discardingChanges: Bool = false) { onInstance { $0.host.quit(discardingChanges: discardingChanges) } }

    /// Ends it, as SIGTERM does: it fades out, saves, and closes everything.
    ///
    /// - Parameter discardingChanges: as SIGTERM does under a session manager.
    package func end(discardingChanges: Bool = false) async throws {
        quit(discardingChanges: discardingChanges)
        let instance = instance
        let hasEnded = Mutex(false)
        async let end: Void = {
            defer { hasEnded.withLock { $0 = true } }
            try await instance.terminate()
        }()
        while !hasEnded.withLock({ $0 }) {
            pass(periods: 1)
            await Task.yield()
        }
        isOver = true
        try await end
    }

    /// Whether it was asked to end, or has ended by itself, such as with `--once`.
    package var hasQuit: Bool { read { $0.host.hasQuit } }

    /// Does something with the instance, and waits for what follows from it.
    func onInstance<Value>(_ body: @MainActor (Instance) -> Value) -> Value {
        defer { settle() }
        return read(body)
    }

    /// Reads something of the instance.
    private func read<Value>(_ body: @MainActor (Instance) -> Value) -> Value { onMain { body(instance) } }

    /// The queues of the instance's disks.
    private lazy var disks = read { instance in
        [instance.keeper.disk, instance.preferencesKeeper.disk, instance.saver.disk, instance.requests.disk]
    }

    /// Waits until nothing is under way between the instance and its disks.
    private func settle() {
        var (wasBusy, isBusy) = (false, false)
        repeat {
            wasBusy = isBusy
            for _ in 0..<3 {
                for disk in disks { disk.sync {} }
                reloader?.seeChanges()
                DispatchQueue.main.sync {}
            }
            // A session is opened in several steps, between which it is on no queue.
            isBusy = read { $0.keeper.loads.isUnderWay || $0.sessions.isUnderWay }
            // Its last step may have left something for a disk.
        } while isBusy || wasBusy
    }

    /// Reads patches that were saved again, once there is something to watch.
    private var reloader: PatchReloader? { watchesFiles ? read { $0.patchReplacer.reloader } : nil }

    /// Returns once it has seen every change of the files that it watches.
    package func seeChanges() { settle() }

    // MARK: Time and the server

    /// A server comes, or takes the place of another one.
    package func come(sampleRate: Int = 48_000, period: Int? = nil) {
        let former = device.status.bufferSize
        device.come(sampleRate: sampleRate, period: period ?? (former > 0 ? former : 256))
        settle()
    }

    /// The device reports something that has not happened.
    package func tell(_ event: BackendEvent) {
        device.tell(event)
        settle()
    }

    package func go() {
        device.go()
        settle()
    }

    /// JACK calls nobody for some seconds. After 0.3 s that counts as a stall; then the server continues where it was, with the same client.
    package func stall(seconds: Double) {
        let unnoticed = min(seconds, 0.3)
        wait(seconds: unnoticed)
        guard seconds >= 0.3 else { return }
        device.stall()
        settle()
        wait(seconds: seconds - unnoticed)
        device.resume()
        settle()
    }

    package func changePeriod(to period: Int) {
        device.changePeriod(to: period)
        settle()
    }

    /// Lets at least so much time pass, in whole periods.
    package func pass(seconds: Double, looks: () -> Bool = { true }) {
        pass(periods: Int((seconds / device.cycle).rounded(.up)), looks: looks)
    }

    /// Lets periods pass, with cycles while there is a server.
    ///
    /// - Parameter looks: Whether the machine has time for the instance after each period; otherwise it is late.
    package func pass(periods: Int, looks: () -> Bool = { true }) {
        for _ in 0..<periods {
            device.step()
            clock.advance(by: device.cycle, isBusy: !looks(), settle: settle)
        }
    }

    /// Lets time pass without cycles.
    package func wait(seconds: Double) { clock.advance(by: seconds, settle: settle) }

    package var now: Instant { Instant(clock) }

    // MARK: Controls

    /// A packet arrives.
    package func receive(_ bytes: [UInt8], from source: PeerAddress) {
        onInstance { [port, webSockets] _ in
            if case .webSocket(let client) = source { _ = webSockets.add(bytes, from: client) } else { port.arrive(bytes, from: source) }
        }
    }

    package func receive(_ bytes: [UInt8], from source: Endpoint) { receive(bytes, from: .udp(source)) }

    package func receive(_ message: OSCMessage, from source: PeerAddress) { receive(message.encoded, from: source) }

    package func receive(_ message: OSCMessage, from source: Endpoint) { receive(message, from: .udp(source)) }

    /// The packets that were sent to a peer since the last call.
    package func packets(to peer: PeerAddress) -> [[UInt8]] { read { [port] _ in port.take(to: peer) } }

    package func packets(to peer: Endpoint) -> [[UInt8]] { packets(to: .udp(peer)) }

    /// A page opens a WebSocket, and was admitted.
    ///
    /// - Parameter name: the name with which its device was paired; `nil` on this machine.
    package func open(_ page: Endpoint, as role: Role, named name: String? = nil) {
        onInstance { [webSockets] _ in webSockets.open(page, as: role, named: name) }
    }

    /// A page closes its WebSocket.
    package func close(_ page: Endpoint) { onInstance { [webSockets] _ in webSockets.close(page) } }

    /// The address space as OSCQuery shows it.
    package var queryTree: QueryTree? { read { $0.osc?.queryTree } }

    /// A command without a sender, such as that of a key.
    package func perform(_ command: Command) { onInstance { $0.host.perform(command) } }

    /// The session manager has sent something.
    func serve(_ manager: MemorySessionManager) {
        onInstance { instance in
            while let request = manager.next() { instance.sessions.serve(request, manager) }
        }
    }

    // MARK: The session bus

    /// Calls a method over the session bus, and returns its answer; empty for an error.
    package func call(_ call: MethodCall) -> [BusValue] { onInstance { [desktop] _ in desktop.answer(call) } }

    /// Opens a file over the session bus, and lets time pass until that is answered.
    ///
    /// - Throws: `BusError` if it was refused.
    package func openFile(_ address: String) throws {
        let call = MethodCall("org.mpris.MediaPlayer2.Player", "OpenUri", [.string(address)], sender: ":1.1")
        let answer = Mutex<Result<[BusValue], BusError>?>(nil)
        onInstance { [desktop] _ in desktop.answer(call) { result in answer.withLock { $0 = result } } }
        let end = clock.seconds + 20
        while answer.withLock({ $0 == nil }), clock.seconds < end { pass(seconds: 0.005) }
        guard let result = answer.withLock({ $0 }) else { throw ProgramFailure("no answer to \(address)") }
        _ = try result.get()
    }

    /// Reports what has changed by itself in the last milliseconds, such as the chapter: changes are reported at most every 20 ms.
    package func reportToDesktop() {
        pass(seconds: 0.02)
        onInstance { [desktop] in desktop.changed($0.host.snapshot) }
    }

    /// The signals on the session bus since the last call, and when they were sent.
    package func signals() -> [(signal: BusSignal, seconds: Double)] { read { [desktop] _ in desktop.takeSignals() } }

    // MARK: What it does

    /// The notices so far.
    package var notices: [String] { read { [noticeProbe] _ in noticeProbe.texts } }
    package var player: PlayerState { read { $0.host.player.state } }
    package var snapshot: Snapshot { read { $0.host.snapshot() } }
    package var performance: LivePerformance { read { $0.host.performance } }
    package var center: RemoteCommandCenter { read { $0.host.center } }
    /// Whether a command waits to be heard before it is answered.
    package var isWaiting: Bool { read { $0.host.hasWaiters } }
}

/// Runs something on the main queue, and waits for it.
private func onMain<Value>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try DispatchQueue.main.sync { try MainActor.assumeIsolated { Handed(value: try body()) } }.value
}

/// A value that the main actor hands to a test, which has waited for it.
private struct Handed<Value>: @unchecked Sendable {
    let value: Value
}

/// The player on the session bus, without a bus.
private final class DesktopProbe: FrontEnd {
    private let server: MediaPlayerServer
    private let time: TestClock
    private let signals: Signals

    private final class Signals {
        var sent: [(signal: BusSignal, seconds: Double)] = []
    }

    init(_ instance: Instance) {
        let (signals, time) = (Signals(), instance.host.time as! TestClock)
        (self.signals, self.time) = (signals, time)
        server = MediaPlayerServer(
            PlayerIdentity(name: "Binaural", mayControl: true, mayQuit: false), receiver: instance.receiver(),
            emit: { signals.sent.append(($0, time.seconds)) })
        server.begin()
    }

    func answer(_ call: MethodCall) -> [BusValue] {
        var answer: Result<[BusValue], BusError>?
        self.answer(call) { answer = $0 }
        return (try? answer?.get()) ?? []
    }

    func answer(_ call: MethodCall, _ reply: @escaping MediaPlayerServer.Reply) { server.answer(call, at: time.seconds, reply) }

    func takeSignals() -> [(signal: BusSignal, seconds: Double)] {
        defer { signals.sent = [] }
        return signals.sent
    }

    func changed(_ snapshot: () -> Snapshot) { server.changed(snapshot(), at: time.seconds) }

    func notice(_ notice: Notice) {}
    func tick(_ snapshot: () -> Snapshot) {}
    func close() {}
}

/// Collects notices.
private final class NoticeProbe: FrontEnd {
    private(set) var texts: [String] = []

    func changed(_ snapshot: () -> Snapshot) {}
    func notice(_ notice: Notice) { texts.append(notice.text) }
    func tick(_ snapshot: () -> Snapshot) {}
    func close() {}
}
