import Dispatch
import Foundation
import JACKBackend
import Library
import OSCRemote
import OperatingSystem
import Performance
import Pictures
import Playback
import Terminal

/// A running program: the player with its sound, and everything that serves it. It owns and wires them, ticks, and ends.
@MainActor final class Instance {
    let host: PlayerHost
    let keeper: SessionKeeper
    let preferencesKeeper: PreferencesKeeper
    let sessionConnections: SessionConnections
    let transport: TransportCoordinator
    let backendObserver: BackendObserver
    let exchange: SessionExchange
    /// Switches between the sessions of a session manager.
    let sessions: SessionSwitch
    let artwork: ArtworkDrawing
    let patchReplacer: PatchReplacer
    let saver: PatchSaver
    let search: LibrarySearch
    let requests: FileRequests
    let opener: FileOpener
    let midi: MIDIReceiver
    let button: OneButtonControl
    private(set) var osc: OSCFrontEnd?
    private(set) var terminal: TerminalFrontEnd?

    var pace = Pace()
    var agenda = Agenda() {
        didSet { host.startTime = agenda.startTime }
    }
    private(set) var service = ServiceHeartbeat()
    private(set) var meter = Meter()
    var freedMemory = FreedMemory()
    private var notices = PlayingNotices()

    init(
        _ host: PlayerHost, _ keeper: SessionKeeper, _ preferences: PreferencesKeeper, watching: WatchedPatches,
        drawing: @escaping ArtworkDrawing.Drawing
    ) {
        self.host = host
        self.keeper = keeper
        preferencesKeeper = preferences
        sessionConnections = SessionConnections(keeper, host)
        transport = TransportCoordinator(host)
        backendObserver = BackendObserver(sessionConnections, transport, host)
        exchange = SessionExchange(keeper, host)
        sessions = SessionSwitch(exchange, preferences, backendObserver, host)
        let library = keeper.library
        artwork = ArtworkDrawing(ArtworkCache(folder: library.places.artworkFolder), drawing, host)
        patchReplacer = PatchReplacer(watching, keeper, artwork, host)
        saver = PatchSaver(library, host)
        search = LibrarySearch(library, host)
        requests = FileRequests(library, host)
        opener = FileOpener(exchange, sessions, requests, host)
        midi = MIDIReceiver(host)
        button = OneButtonControl(preferences.preferences, host)
        host.delegate = self
    }

    // MARK: Beginning

    func add(_ frontEnd: any FrontEnd) { host.frontEnds.add(frontEnd) }

    /// Adds a front end that speaks OSC; call after ``start(restoring:listeningOn:_:)``.
    func add(_ frontEnd: @MainActor (PlayerHost, OSCFrontEnd) -> any FrontEnd) {
        if let osc { add(frontEnd(host, osc)) }
    }

    func show(on view: TerminalView, address: String) {
        let terminal = TerminalFrontEnd(view, address: address, time: host.time)
        self.terminal = terminal
        add(terminal)
    }

    /// The player, for a front end that sends it commands.
    func receiver() -> PlayerReceiver { PlayerReceiver(host, search) }

    /// Restores the session and starts the timers and front ends; observers that were added before get every step.
    ///
    /// - Parameter restored: the session's state; playing begins when JACK calls.
    func start(restoring restored: PlayerState, listeningOn port: any PacketPort, _ configuration: OSCServerConfiguration) {
        preferencesKeeper.begin()
        let osc = OSCFrontEnd(configuration, port: port, receiver(), host)
        self.osc = osc
        add(osc)
        host.notify(.willRestore)
        setDayClock()
        host.player.protect(preferencesKeeper.preferences.hearingProtection)
        host.player.restore(restored, position: keeper.restoredPosition, at: host.performance.moment)
        host.carryOutEffects()
        transport.arrange(host.player.state.transportMode)
        host.notify(.didRestore)
        LostControllers.report(host)
        pace.start(host.time) { [weak self] in self?.tick() }
        freedMemory.pressure = MemoryPressure { [weak self] in
            guard let self else { return }
            host.enter { self.memoryIsShort() }
        }
    }

    /// Opens the sound card's end.
    func use(_ device: any AudioDevice) { backendObserver.use(device) }

    func receive(_ event: BackendEvent) {
        switch event {
        case .reopening: sessions.clientIsClosed()
        case .connectionsLearnt where sessions.ignoresConnections: return
        default: break
        }
        backendObserver.receive(event)
    }

    /// Reports to systemd that the program has started; from now on it sends watchdog notifications.
    func report(to service: ServiceManager?) { self.service = ServiceHeartbeat(beginning: service) }

    /// Carries out a key of the terminal; a failure is shown as a notice.
    func press(_ key: Key) {
        attend()
        switch terminal?.act(on: key, host.snapshot(), host.center) {
        case .perform(let command): host.perform(command)
        case .leave: host.quit()
        case .done, nil: break
        }
    }

    /// Saves the session; a failure is reported to the user.
    func save() { host.perform(.application(.saveSession(nil))) }

    // MARK: As time passes

    func tick() {
        let (time, performance) = (host.time, host.performance)
        guard pace.begin(wantedInterval, at: time.seconds) else { return }
        setDayClock()
        performance.poll(&host.player)
        for text in notices.words(for: performance, host.player.state, at: time.seconds) { host.notify(notice: text) }
        transport.tick()
        midi.tick(moving: osc)
        host.player.tick(at: performance.moment)
        button.tick()
        followAgenda()
        host.settle()
        meter.update(from: performance, host.player.state)
        if keeper.isLookDue { sessionConnections.reportForgotten() }
        exchange.tick()
        keeper.tick()
        preferencesKeeper.tick()
        patchReplacer.tick()
        artwork.follow(host.player.state)
        host.frontEnds.tick(host.snapshot)
        let now = time.seconds
        service.tick(at: now)
        freedMemory.giveBack(at: now)
        pace.end(wantedInterval, due: osc?.nextFeedback, at: time.seconds)
        backendObserver.tick()
        // Subscribers soon hear that the server has stalled.
        host.device?.rest(pace.interval > Pace.Interval.unwatched && osc?.hasSubscribers != true)
    }

    private func setDayClock() {
        host.player.dayClock = DayClock(moment: host.performance.moment, seconds: host.time.wallTime.secondsOfDay)
    }

    /// Frees caches and returns freed memory to the system. The sound is not affected.
    private func memoryIsShort() {
        host.notify(.memoryPressure)
        FreedMemory.giveBack()
    }

    // MARK: Ending

    /// Returns when the program was asked to quit.
    func untilQuit() async { await withCheckedContinuation { host.quitSignal.resume($0) } }

    /// Fades out, saves, or discards what nobody has asked to save, and closes JACK and the front ends. The session keeps the play state.
    func terminate() async throws(SessionStoreError) {
        let (time, performance) = (host.time, host.performance)
        service.stop()
        host.player.endTouches(at: performance.moment)
        let position = host.position
        let state = host.player.state
        if state.playback == .playing {
            performance.carryOut(.silence(.short), state)
            let deadline = time.seconds + performance.shortFade + 0.5
            while performance.status?.isSounding == true, time.seconds < deadline {
                performance.poll(&host.player)
                await time.sleep(seconds: 0.005)
            }
        }
        await backendObserver.settleConnections()
        pace.cancel()
        freedMemory.pressure = nil
        host.notify(.willSave)
        let failure: SessionStoreError?
        do {
            try await keeper.close(
                state, position: position, mayDiscard: host.quitSignal.discardsChanges && !sessions.isAskedToSave)
            failure = nil
        } catch {
            failure = error
        }
        do throws(PreferencesError) { try await preferencesKeeper.close() } catch { host.notify(error) }
        if failure == nil { host.notify(.didSave) }
        host.notify(.willTerminate)
        host.frontEnds.close()
        await host.device?.close()
        if let failure { throw failure }
    }
}
