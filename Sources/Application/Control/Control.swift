import POSIX
import AudioFiles
import Dispatch
import Engine
import Foundation
import Library
import Logging
import OSCRemote
import Patches
import Pictures
import Playback
import JACKBackend
import Performance
import Terminal

/// The owner of the player. OSC, keys, signals and JACK send it commands and events; it updates the engine, the session and the front ends.
/// Everything here runs on the main queue.
@MainActor final class Control {
    let time: any InstanceClock
    var player = Player()
    let center = RemoteCommandCenter()
    let chain = ResponderChain()
    let performance: LivePerformance
    let backendObserver = BackendObserver()
    let transport: TransportCoordinator
    let keeper: SessionKeeper
    let preferencesKeeper: PreferencesKeeper
    /// Switches between the sessions of a session manager.
    let sessions = SessionSwitch()
    let midi = MIDIReceiver()
    let itemFiles: ItemFiles
    let button = OneButtonControl()
    let logger: Logger

    /// Informed after every change and at every tick.
    let frontEnds = FrontEndList()
    let lifecycle = Lifecycle()
    var publisher = NowPlayingPublisher()
    var waiters = AudibleWaiters()
    var meter = Meter()
    var freedMemory = FreedMemory()
    private var watch = PlayingWatch()
    private(set) var service = ServiceHeartbeat()
    var pace = Pace()
    var agenda = Agenda()

    init(
        keeper: sending SessionKeeper, preferences: sending PreferencesKeeper, kernel: Kernel, ceiling: Double, watching: WatchedPatches,
        time: any InstanceClock = SystemClock(), drawing: @escaping ArtworkDrawing.Drawing = ArtworkProcess.draw, logger: Logger
    ) {
        self.time = time
        performance = LivePerformance(kernel: kernel, ceiling: ceiling, sounds: SoundFileReader.open) { SystemLimits.haveMemory() }
        transport = TransportCoordinator(performance, chain)
        self.keeper = keeper
        preferencesKeeper = preferences
        itemFiles = ItemFiles(watching: watching, artwork: ArtworkCache(folder: keeper.library.places.artworkFolder), drawing: drawing)
        self.logger = logger
    }

    func show(on terminal: TerminalView, address: String) {
        frontEnds.add(TerminalFrontEnd(terminal, address: address, time: time))
    }

    /// Adds a front end; call after ``start(restoring:listeningOn:_:)``.
    func add(_ frontEnd: @MainActor (Control) -> any FrontEnd) { frontEnds.add(frontEnd(self)) }

    /// Restores the session and starts the timers and front ends; observers that were added before get every step.
    ///
    /// - Parameter restored: the session's state; playing begins when JACK calls.
    func start(restoring restored: PlayerState, listeningOn port: sending any PacketPort, _ configuration: OSCServerConfiguration) {
        center.addTarget(chain)
        preferencesKeeper.begin(self, center, performance)
        frontEnds.add(OSCFrontEnd(configuration, port: port, control: self, logger: logger))
        notify(.willRestore)
        setDayClock()
        player.protect(preferencesKeeper.preferences.hearingProtection)
        player.restore(restored, position: keeper.restoredPosition, at: performance.moment)
        carryOutEffects()
        transport.arrange(player.state.transportMode)
        notify(.didRestore)
        midi.reportLostControllers(self)
        pace.start(time) { [weak self] in self?.tick() }
        freedMemory.pressure = MemoryPressure { [weak self] in
            guard let self else { return }
            enter { $0.memoryIsShort() }
        }
    }

    // MARK: Timers

    func tick() {
        guard pace.begin(Pace.wanted(self), at: time.seconds) else { return }
        setDayClock()
        performance.poll(&player)
        for text in watch.words(for: performance, player.state, at: time.seconds) { notify(notice: text) }
        transport.tick(&player, backend)
        midi.tick(self)
        player.tick(at: performance.moment)
        button.tick(self)
        followAgenda()
        settle()
        meter.update(from: performance, player.state)
        keeper.tick(player.state, position: position, control: self)
        preferencesKeeper.tick(self)
        itemFiles.tick(player.state, self)
        frontEnds.tick(snapshot)
        let now = time.seconds
        service.tick(at: now)
        freedMemory.giveBack(at: now)
        pace.end(Pace.wanted(self), due: frontEnds.osc?.nextFeedback, at: time.seconds)
        backendObserver.tick(self)
        // Subscribers soon hear that the server has stalled.
        backend?.rest(pace.interval > Pace.Interval.unwatched && frontEnds.osc?.hasSubscribers != true)
    }

    private func setDayClock() { player.dayClock = DayClock(moment: performance.moment, seconds: time.wallTime.secondsOfDay) }

    /// Frees caches and returns freed memory to the system. The sound is not affected.
    private func memoryIsShort() {
        notify(.memoryPressure)
        FreedMemory.giveBack()
    }

    /// Reports to systemd that the program has started; from now on it sends watchdog notifications.
    func report(to service: ServiceManager?) { self.service = ServiceHeartbeat(beginning: service) }

    /// Puts the session under control of a session manager.
    ///
    /// - Parameter connect: the value of `--connect`, if it was given.
    func obey(_ managed: ManagedSession, connect: ConnectionChoice?) { sessions.obey(managed, connect: connect, self) }

    // MARK: Quitting

    /// Returns when the program was asked to quit.
    func untilQuit() async { await withCheckedContinuation { agenda.quitSignal.resume($0) } }

    func quit(discardingChanges: Bool = false) { agenda.quitSignal.send(discardingChanges: discardingChanges) }

    var hasQuit: Bool { agenda.quitSignal.hasCome }

    /// Fades out, saves, or discards what nobody has asked to save, and closes JACK and the front ends. The session keeps the play state.
    func terminate() async throws(SessionStoreError) {
        service.stop()
        player.endTouches(at: performance.moment)
        let position = position
        let state = player.state
        if state.playback == .playing {
            performance.carryOut(.silence(.short), state)
            let deadline = time.seconds + performance.shortFade + 0.5
            while performance.status?.isSounding == true, time.seconds < deadline {
                performance.poll(&player)
                await time.sleep(seconds: 0.005)
            }
        }
        await backendObserver.settleConnections(self)
        pace.cancel()
        freedMemory.pressure = nil
        notify(.willSave)
        let failure: SessionStoreError?
        do {
            try await keeper.close(state, position: position, control: self)
            failure = nil
        } catch {
            failure = error
        }
        do throws(PreferencesError) { try await preferencesKeeper.close(self) } catch { notify(error) }
        if failure == nil { notify(.didSave) }
        notify(.willTerminate)
        frontEnds.close()
        await backend?.close()
        if let failure { throw failure }
    }
}
