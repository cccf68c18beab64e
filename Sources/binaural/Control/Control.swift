import AudioFiles
import Dispatch
import Engine
import Foundation
import HTTP
import Library
import Logging
import OSCRemote
import POSIX
import Patches
import Pictures
import Playback
import Studio

/// The owner of the player. OSC, keys, signals and JACK send it commands and events; it updates the engine, the session and the surfaces.
/// Everything here runs on one serial queue.
actor Control {
    let executor = QueueExecutor(label: "binaural.control")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var player: Player
    let center = RemoteCommandCenter()
    let chain = ResponderChain()
    let nowPlayingCenter = NowPlayingCenter()
    let performance: Performance
    var backend: JACKBackend?
    var earlyEvents: [BackendEvent] = []
    let keeper: SessionKeeper
    let preferencesKeeper: PreferencesKeeper
    let logger: Logger
    private let illustrator: Illustrator

    /// Informed after every change and at every tick.
    var surfaces: [any Surface] = []
    var remote: RemoteSurface?
    /// The file by which `ctl` finds this program.
    var addressFile: AddressFile?
    var waiting: [(mark: UInt64, done: () -> Void)] = []
    /// When the pending start or silence was requested, on the monotonic clock; surfaces get the exact position once it is reported.
    var settlingSince: Double?
    var transportWatch = TransportWatch()
    var transportLead = TransportLead()
    /// Requests not yet sent to the transport, with the moment at which each takes effect.
    var transportRequests: [(request: TransportRequest, moment: Moment)] = []
    /// `nil` while JACK's transport is ignored.
    var transportResponder: TransportResponder?
    var meter = Meter()
    var button = ButtonInterpreter()
    var midi = MIDIInterpreter()
    /// The latest values of controllers.
    var controllerValues: [ControllerName: Int] = [:]
    /// When MIDI last arrived, on the monotonic clock.
    var lastMIDI = -Double.infinity
    let lifecycle = Lifecycle()
    var soundWatch = SoundWatch()
    var limitWatch = LimitWatch()
    private var memoryPressure: MemoryPressure?
    var freedMemory = FreedMemory()
    /// The last notice, as shown to remote clients.
    var notice = ""
    /// The wall-clock time of the published now-playing info's moment.
    var toldAt = 0.0
    /// Since when the published position has been off, on the monotonic clock.
    var outOfStepSince: Double?
    /// Whether a session manager controls which session is open.
    var isManaged = false
    /// Whether another session is being opened.
    var isChanging = false
    /// Whether the backend's connections are ignored, since they belong to the previous session's client.
    var ignoresConnections = false
    /// The value of `--connect`, which applies to every session that a session manager opens; `nil` if it was not given.
    var connect: ConnectionChoice?
    private var service: ServiceManager?
    private var lastSignOfLife = 0.0
    private let restored: PlayerState
    private var timer: (any DispatchSourceTimer)?
    private var quitRequest: CheckedContinuation<Void, Never>?
    private(set) var hasQuit = false

    /// - Parameter restored: the session's state; playing begins when JACK calls.
    init(
        restoring restored: PlayerState, keeper: sending SessionKeeper, preferences: sending PreferencesKeeper, kernel: Kernel,
        ceiling: Double, logger: Logger
    ) {
        player = Player()
        performance = Performance(kernel: kernel, ceiling: ceiling, sounds: SoundFileReader.open)
        self.keeper = keeper
        preferencesKeeper = preferences
        self.logger = logger
        illustrator = Illustrator(ArtworkCache(folder: keeper.library.places.artworkFolder))
        self.restored = restored
    }

    func show(on terminal: TerminalView, address: String) {
        surfaces.append(TerminalSurface(terminal, address: address))
    }

    /// Starts serving OSCQuery clients; call after ``start(listeningOn:_:)``.
    func show(on server: WebServer) {
        surfaces.append(QuerySurface(server, control: self))
    }

    /// Restores the session and starts the timers and surfaces; observers that were added before get every step.
    func start(listeningOn sockets: sending RemoteSockets, _ configuration: RemoteConfiguration) {
        center.addTarget(chain)
        preferencesKeeper.begin(self, center, performance)
        let remote = RemoteSurface(configuration, sockets: sockets, control: self, logger: logger)
        self.remote = remote
        surfaces.append(remote)
        tell(.willRestore)
        setDayClock()
        player.restore(restored, position: keeper.restoredPosition, at: performance.moment)
        carryOutEffects()
        arrangeTransport()
        tell(.didRestore)
        tellLostControllers()
        let timer = DispatchSource.makeTimerSource(queue: executor.queue)
        timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.tick() } }
        self.timer = timer
        schedule()
        timer.activate()
        memoryPressure = MemoryPressure { [weak self] in
            guard let self else { return }
            executor.queue.async { self.assumeIsolated { $0.memoryIsShort() } }
        }
    }

    // MARK: The course of time

    private func schedule() {
        // A pending start or silence is checked often, so that it is reported at once.
        let wait = performance.isSettling || !waiting.isEmpty ? 2 : player.state.transportMode == .none && !hearsMIDI ? 15 : 5
        timer?.schedule(deadline: .now() + .milliseconds(wait), leeway: .milliseconds(1))
    }

    private func tick() {
        setDayClock()
        performance.poll(&player)
        for text in soundWatch.words(for: performance.takeSoundNotices(), at: .now) { tell(notice: text) }
        for text in limitWatch.words(for: performance, player.state) { tell(notice: text) }
        followTransport()
        leadTransport()
        followTempo()
        takeMIDI()
        player.tick(at: performance.moment)
        advanceButton()
        settle()
        meter.update(from: performance, player.state)
        keeper.tick(player.state, position: position, control: self)
        preferencesKeeper.tick(self)
        illustrator.follow(player.state, self)
        for surface in surfaces { surface.tick(snapshot()) }
        giveSignOfLife()
        freedMemory.giveBack(at: MonotonicClock.seconds)
        schedule()
    }

    private func setDayClock() { player.dayClock = DayClock(moment: performance.moment, seconds: TimeOfDay.now) }

    // MARK: systemd

    /// Reports that the program has started; from now on it sends watchdog notifications.
    func report(to service: ServiceManager?) {
        self.service = service
        service?.tell(.ready)
    }

    private func giveSignOfLife() {
        guard let service, let interval = service.watchdogInterval else { return }
        let now = MonotonicClock.seconds
        guard now - lastSignOfLife >= interval else { return }
        lastSignOfLife = now
        service.tell(.alive)
    }

    // MARK: Quitting

    /// Returns when the program was asked to quit.
    func untilQuit() async {
        if hasQuit { return }
        await withCheckedContinuation { quitRequest = $0 }
    }

    func quit() {
        hasQuit = true
        quitRequest?.resume()
        quitRequest = nil
    }

    /// Fades out, saves, and closes JACK and the surfaces. The session keeps the play state.
    func terminate() async throws(SessionStoreError) {
        service?.tell(.stopping)
        player.endTouches(at: performance.moment)
        let position = position
        let state = player.state
        if state.playback == .playing {
            _ = performance.carryOut(.silence(.short), state)
            let deadline = MonotonicClock.seconds + performance.shortFade + 0.5
            while performance.status?.isSounding == true, MonotonicClock.seconds < deadline {
                performance.poll(&player)
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
        await settleConnections()
        timer?.cancel()
        memoryPressure = nil
        tell(.willSave)
        let failure: SessionStoreError?
        do {
            try await keeper.close(state, position: position, control: self)
            failure = nil
        } catch {
            failure = error
        }
        do throws(PreferencesError) { try await preferencesKeeper.close(self) } catch { tell(error) }
        if failure == nil { tell(.didSave) }
        tell(.willTerminate)
        for surface in surfaces { surface.close() }
        await backend?.close()
        if let failure { throw failure }
    }
}
