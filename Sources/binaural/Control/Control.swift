import AudioFiles
import Dispatch
import Engine
import Foundation
import HTTP
import Library
import Logging
import OSCRemote
import Patches
import Pictures
import Playback
import Studio

/// The one owner of the player. OSC, keys, signals and JACK send it what happens; it has the engine, the session and the surfaces
/// follow. Everything here runs on one serial queue.
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

    /// Told after every change and at every tick.
    var surfaces: [any Surface] = []
    var remote: RemoteSurface?
    /// Where `ctl` finds this program.
    var addressFile: AddressFile?
    var waiting: [(mark: UInt64, done: () -> Void)] = []
    /// When what is on its way to the sound was asked for; surfaces are told the exact position once it is there.
    var settlingSince: Date?
    var transportWatch = TransportWatch()
    var transportLead = TransportLead()
    /// What it is still to be asked, and from which moment on that is to hold.
    var transportRequests: [(request: TransportRequest, moment: Moment)] = []
    /// `nil` while the player has nothing to do with JACK's transport.
    var transportResponder: TransportResponder?
    var meter = Meter()
    var button = ButtonInterpreter()
    var midi = MIDIInterpreter()
    /// Where controllers stand, by channel and number.
    var controllerValues: [ControllerName: Int] = [:]
    /// When MIDI came last, on the monotonic clock.
    var lastMIDI = -Double.infinity
    let lifecycle = Lifecycle()
    var soundWatch = SoundWatch()
    var limitWatch = LimitWatch()
    private var memoryPressure: MemoryPressure?
    var freedMemory = FreedMemory()
    /// The last one, as peers are told.
    var notice = ""
    /// Wall-clock time of the moment that now playing was told with.
    var toldAt = 0.0
    var outOfStepSince: Date?
    /// A session manager says which session is open, and when.
    var isManaged = false
    /// Another session of it is being opened.
    var isChanging = false
    /// What the client before is connected to is not for the session that is open by now.
    var ignoresConnections = false
    /// What `--connect` asks for, in every session of a session manager that is opened; `nil` is what each of them remembers.
    var connect: ConnectionChoice?
    private var service: ServiceManager?
    private var lastSignOfLife = 0.0
    private let restored: PlayerState
    private var timer: (any DispatchSourceTimer)?
    private var quitRequest: CheckedContinuation<Void, Never>?
    private(set) var hasQuit = false

    /// - Parameter restored: what the session holds; playing begins as soon as JACK calls.
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

    /// To OSCQuery's clients; after ``start(listeningOn:_:)``.
    func show(on server: WebServer) {
        surfaces.append(QuerySurface(server, control: self))
    }

    /// Restores the session and begins to look after engine, session and surfaces; whoever is told from the start on is told all of it.
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
        // Something on its way to the sound is answered at once, the rest has time.
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
        freedMemory.giveBack(at: ProcessInfo.processInfo.systemUptime)
        schedule()
    }

    private func setDayClock() { player.dayClock = DayClock(moment: performance.moment, seconds: TimeOfDay.now) }

    // MARK: systemd

    /// The program has started; from now on it says that it is alive.
    func report(to service: ServiceManager?) {
        self.service = service
        service?.tell(.ready)
    }

    private func giveSignOfLife() {
        guard let service, let interval = service.watchdogInterval else { return }
        let now = ProcessInfo.processInfo.systemUptime
        guard now - lastSignOfLife >= interval else { return }
        lastSignOfLife = now
        service.tell(.alive)
    }

    // MARK: Quitting

    /// Returns when somebody has asked the program to quit.
    func untilQuit() async {
        if hasQuit { return }
        await withCheckedContinuation { quitRequest = $0 }
    }

    func quit() {
        hasQuit = true
        quitRequest?.resume()
        quitRequest = nil
    }

    /// Fades out, saves, lets JACK and the surfaces go. The session keeps the state that was playing.
    func terminate() async throws(SessionStoreError) {
        service?.tell(.stopping)
        player.endTouches(at: performance.moment)
        let position = position
        let state = player.state
        if state.playback == .playing {
            _ = performance.carryOut(.silence(.short), state)
            let deadline = Date(timeIntervalSinceNow: performance.shortFade + 0.5)
            while performance.status?.isSounding == true, Date() < deadline {
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
