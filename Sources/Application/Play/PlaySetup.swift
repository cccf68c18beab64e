import AudioFiles
import Performance
import Engine
import Foundation
import HTTP
import Library
import Logging
import OSC
import OSCRemote
import OperatingSystem
import PatchFiles
import Patches
import Playback
import JACKBackend
import Synchronization
import Terminal
import WebPanel

/// Creates the parts of a playing program, runs them, and closes them in order.
package struct PlaySetup {
    private let configuration: PlayConfiguration
    let connect: ConnectionChoice
    let osc: OSCSettings
    private let managed: ManagedSession?
    private let library: Library
    let choice: SessionChoice
    private let preferencesFile: PreferencesFile
    private let preferences: PreferenceValues
    let preferencesNotice: PreferencesNotice?

    /// Checks everything that can be checked before anything is opened.
    ///
    /// - Parameters:
    ///   - managed: the session manager's session, which replaces the configured items and names.
    ///   - own: The user's folders.
    /// - Throws: usage errors, and faults of the patches.
    package init(_ configuration: PlayConfiguration, _ managed: ManagedSession? = nil, places own: Places = .current) throws {
        var configuration = configuration
        if let managed {
            configuration.jack.clientName = managed.clientID
            configuration.session = nil
            configuration.items = []
        }
        self.configuration = configuration
        self.managed = managed
        try managed?.makeFolder()
        library = Library(places: managed?.places ?? own, dialect: configuration.dialect)
        preferencesFile = PreferencesFile(path: library.places.preferencesFile)
        // A session manager's session starts with a copy of the user's preferences.
        (preferences, preferencesNotice) = preferencesFile.load(beginningAs: own.preferencesFile)
        do {
            connect = try ConnectionChoice(argument: configuration.jack.connect ?? preferences.connect)
        } catch {
            throw ApplicationError(.usage, "\(error)")
        }
        let transport = configuration.transport ?? TransportMode(rawValue: preferences.transport.rawValue)
        try Self.requireOwnStart(configuration, transport)
        osc = try OSCSettings(configuration.osc, preferences)
        let place = try managed.map { .file($0.file) } ?? SessionPlace(option: configuration.session, library)
        var choice = try SessionChoice.make(
            configuration.items, place: place, startSession: preferences.startSession, library: library,
            warn: StandardError.write(lines:))
        if let managed {
            choice.name = managed.displayName
            // Under a session manager, playing never starts by itself.
            choice.starts = false
            choice.initial.state = .stopped
        } else if configuration.isSecond, configuration.session == nil {
            choice = choice.besideOthers(in: library)
        }
        self.choice = choice
    }

    /// Plays until it is asked to quit.
    ///
    /// - Parameter answers: called once others find the instance and get answers.
    @MainActor package func play(answers: @Sendable () -> Void = {}) async throws {
        let server = PlayingServer(configuration.jack)
        defer { server.stop() }
        let terminal = TerminalView(isQuiet: configuration.isQuiet)
        defer { terminal.restore() }
        let traces = Traces()
        defer { traces.remove() }
        // Before the server is started; otherwise a Ctrl-C would leave it running.
        let signals = try Signals(terminal: terminal, others: [SIGUSR1], isStarting: true) {
            server.stop()
            traces.remove()
        }
        // A start that a signal is ending reports no error.
        defer { signals.hasStarted() }
        try server.start { terminal.restore() }
        let opened: SessionStore.Opened
        do throws(SessionStoreError) {
            opened = try SessionStore.open(file: choice.file, initial: choice.initial) { lock in traces.record { lock.release() } }
        } catch {
            if case .inUse(let file, let pid) = error, let refusal = osc.refusal(ofSession: file, usedBy: pid) { throw refusal }
            throw error
        }
        if managed != nil { try opened.requireSaving() }
        let (sockets, portNotice) = try osc.bind(mayChoosePort: managed != nil || configuration.isSecond)
        let endpoint = sockets.endpoint
        for file in sockets.files { traces.record { file.remove() } }
        let webThread = WebThread()
        let query = try configuration.query.map { try $0.bind(on: webThread) }
        let (panel, panelNotice) = try PanelPort.open(configuration.web, preferences, on: webThread)
        let offers = offers(of: sockets, query)
        func announce() {
            if let announcement = server.announcement { terminal.print(announcement) }
            if let preferencesNotice { terminal.print("\(preferencesNotice)") }
            for notice in osc.notices { terminal.print(notice) }
            if let portNotice { terminal.print(portNotice) }
            if let panelNotice { terminal.print(panelNotice) }
            for notice in opened.notices { terminal.print("\(notice)") }
        }
        let (instance, restored) = try instance(
            of: opened, logger: TerminalLog.logger(terminal, isVerbose: configuration.isVerbose), print: { terminal.print($0) })
        let backend: Backend
        do {
            // `--connect` on the command line overrides the session's connections.
            backend = try openBackend(instance, configuration.jack.connect == nil ? opened.session.links : nil)
        } catch {
            announce()
            throw error
        }
        // Until here nothing has been played, and nothing can have changed that would have to be saved.
        signals.hasStarted()
        // JACK adds a number to a name that is taken.
        let client = backend.status.clientName
        // The sockets are read before the file is written, so that anybody who finds the file gets an answer.
        instance.start(
            restoring: restored, listeningOn: sockets, osc.configuration(client: client, port: endpoint.port))
        let address = AddressFile(client, endpoint)
        traces.record { address.remove() }
        // The file is written before the first line of output, since its readers may use `ctl` at once.
        let addressNotice = address.write()
        answers()
        announce()
        if let addressNotice { terminal.print(addressNotice) }
        if let query {
            instance.add { OSCQueryFrontEnd(query, $1, $0) }
            terminal.print("OSCQuery: http://127.0.0.1:\(query.port)/")
            for url in configuration.query?.urls(port: query.port) ?? [] {
                terminal.print("OSCQuery for other machines, read only: \(url)")
            }
        }
        if let panel { show(panel, on: terminal, instance, backend, traces) }
        if client != configuration.jack.clientName {
            terminal.print("The JACK client name \(configuration.jack.clientName) is in use: this instance is \(client).")
        }
        plan(restored, isNew: opened.isNew, { terminal.print($0) }, instance)
        instance.use(backend)
        // The events of the opening are handled before the terminal shows a line, and before anything that may wait for a disk.
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        instance.backendObserver.addressFile = address
        instance.show(on: terminal, address: "osc.udp://\(endpoint)/")
        // Only now does the terminal get notices in full.
        UnreadableItems.report(instance.host, instance.keeper)
        if !offers.isEmpty {
            instance.add(ZeroconfFrontEnd(offers, client: client, machine: MachineName.text, instance.host))
        }
        DesktopPresence(
            client: client, role: configuration.osc.localRole,
            hasMediaControls: (configuration.mediaControls ?? preferences.mpris) == .auto, isPlanned: configuration.start != nil
        ).begin(instance)
        if let managed {
            for notice in opened.notices { managed.link.notify(.text(notice.wordsForPeers, importance: 2)) }
            if let preferencesNotice { managed.link.notify(.text(preferencesNotice.wordsForPeers, importance: 2)) }
            if let portNotice { managed.link.notify(.text(portNotice, importance: 2)) }
            instance.sessions.obey(managed, connect: configuration.jack.connect == nil ? nil : connect)
        } else if let remembered = choice.remembered {
            do { try library.rememberLastSession(remembered) } catch { terminal.print("\(error)") }
        }
        instance.report(to: ServiceManager(environment: ProcessInfo.processInfo.environment))

        await listen(to: terminal, signals, instance)
        try await instance.terminate()
    }

    /// The instance with its session, before it starts, and the player's state to start with.
    ///
    /// - Throws: as ``restoredState(of:_:)`` does.
    @MainActor func instance(
        of opened: SessionStore.Opened, time: any InstanceClock = SystemClock(), logger: Logger, print: @Sendable (String) -> Void,
        drawing: @escaping ArtworkDrawing.Drawing = ArtworkProcess.draw
    ) throws(ApplicationError) -> (instance: Instance, restored: PlayerState) {
        let performance = LivePerformance(
            kernel: configuration.kernel, ceiling: configuration.ceiling, sounds: SoundFileReader.open
        ) { SystemLimits.haveMemory() }
        let host = PlayerHost(performance, time: time, logger: logger)
        let keeper = SessionKeeper(host, library: library, name: choice.name, opened: opened, queue: choice.queue)
        let restored = try restoredState(of: keeper, print)
        let instance = Instance(
            host, keeper, PreferencesKeeper(preferences, file: preferencesFile, host), watching: configuration.watched, drawing: drawing)
        return (instance, restored)
    }

    /// Reports what an earlier run has left, and plans the own steps of the instance: a start at a time, a sleep timer, an end with the queue.
    ///
    /// - Parameter isNew: Whether the session was never saved.
    @MainActor func plan(_ restored: PlayerState, isNew: Bool, _ print: @Sendable (String) -> Void, _ instance: Instance) {
        var hearing = Preferences(preferences).hearingProtection
        if let rise = configuration.start?.rise { hearing = hearing.replaced(byRiseOver: rise) }
        let former = FormerState(session: choice.name, state: restored, hearing: hearing)
        if !isNew, restored.playback == .playing || configuration.start != nil { print(former.level) }
        if let changes = former.changes { print(changes) }
        let now = Date(timeIntervalSince1970: instance.host.time.wallTime.secondsSince1970)
        let alarm = configuration.start.map {
            Agenda.Alarm(date: $0.time.date(after: now), rise: $0.rise, then: configuration.sleep.map(command))
        }
        if let alarm {
            print(announcement(of: alarm, at: now, isSilent: restored.isMasterMuted || restored.masterGain <= Parameter.off))
        } else if let sleep = configuration.sleep {
            instance.host.perform(command(for: sleep))
        }
        instance.plan(alarm, endsWithQueue: configuration.endsWithQueue)
    }

    @MainActor private func show(_ panel: PanelPort, on terminal: TerminalView, _ instance: Instance, _ backend: Backend, _ traces: Traces)
    {
        let access = AccessFile(folder: Places.current.stateHome)
        let panelConfiguration = PanelHandler.Configuration(
            access: access, localRole: configuration.osc.localRole, trustsThisMachine: panel.trustsThisMachine,
            version: configuration.osc.version)
        instance.add { PanelFrontEnd(panel.server, panelConfiguration, backend, $1, library, $0) }
        terminal.print("Panel: http://127.0.0.1:\(panel.server.port)/")
        if let port = panel.server.proxyPort { terminal.print("Panel for a proxy on this computer: http://127.0.0.1:\(port)/") }
        if !panel.trustsThisMachine {
            terminal.print(
                "Programs on this computer have to be paired, too, since a proxy at the same port would let everybody in: "
                    + "give it a port of its own with --web-proxy.")
        }
        traces.record { try? access.setURLs([]) }
        instance.add(PanelLinks({ panel.urls }, access, on: terminal, time: instance.host.time))
    }

    /// The player's state as saved in the session, with what the command line changes.
    ///
    /// - Throws: `ApplicationError` if it is to play at a time, or to the end of the queue, and has nothing to play.
    @MainActor private func restoredState(of keeper: SessionKeeper, _ print: @Sendable (String) -> Void) throws(ApplicationError)
        -> PlayerState
    {
        var state = keeper.restoredState(
            keeper.session.queue(keeper.library, relativeTo: keeper.folder, read: choice.patches), upTo: preferences.maximumLevel)
        if choice.starts || configuration.endsWithQueue { state.playback = .playing }
        if configuration.endsWithQueue || configuration.start != nil {
            if state.patch == nil { state.currentIndex = state.firstIndex }
            guard state.patch != nil else {
                throw ApplicationError(.badFile, "The session '\(choice.name)' has nothing to play: name a patch or another session.")
            }
        }
        if configuration.endsWithQueue {
            state.repeatMode = .off
            warnOfShortQueue(state, print)
            let endless = state.items.first { $0.patch.map { $0.duration == nil || $0.loops } ?? false }
            if let endless, configuration.sleep == nil {
                print("'\(endless.title)' never ends by itself: with --once, end it with --sleep, 'next' or 'stop'.")
            }
        }
        if let mode = configuration.transport ?? TransportMode(rawValue: preferences.transport.rawValue) { state.transportMode = mode }
        try Self.requireOwnStart(configuration, state.transportMode)
        if state.transportMode == .follow, state.chosenRate != 1 {
            print("The rate is now 1 instead of \(state.chosenRate), since JACK's transport is followed.")
        }
        let waits = configuration.isPaused || configuration.start != nil
        if waits, state.playback == .playing { state.playback = state.patch?.clock == nil ? .paused : .stopped }
        return state
    }

    /// Warns if the queue is over before the level has risen.
    private func warnOfShortQueue(_ state: PlayerState, _ print: @Sendable (String) -> Void) {
        guard let rise = configuration.start?.rise else { return }
        let durations = state.items.compactMap(\.patch).map { $0.loops ? .infinity : $0.duration ?? .infinity }
        let total = durations.reduce(0, +) / state.chosenRate
        guard total < rise else { return }
        print(
            "The level rises over \(DurationText.string(from: rise)), but the queue ends after \(DurationText.string(from: total.rounded())): "
                + "choose a shorter --rise.")
    }

    /// Refuses a start at a time if JACK's transport starts and stops the player.
    ///
    /// - Parameter transport: `nil` if the session decides it.
    private static func requireOwnStart(_ configuration: PlayConfiguration, _ transport: TransportMode?) throws(ApplicationError) {
        guard configuration.start != nil, transport == .follow else { return }
        let place = configuration.transport == nil ? " The mode 'follow' was set by the preference transport or the session." : ""
        throw ApplicationError(.usage, PlayConfiguration.Start.transportRefusal + place)
    }

    /// The services to announce in the network; empty for none.
    private func offers(of sockets: OSCServerSockets, _ query: WebServer?) -> [NetworkOffer] {
        guard (configuration.zeroconf ?? preferences.zeroconf) == .auto else { return [] }
        let text = ["txtvers=1", "app=binaural", "version=\(configuration.osc.version)"]
        var offers = [
            NetworkOffer(type: "_osc._udp", port: sockets.endpoint.port, hosts: sockets.sockets.map(\.localEndpoint.host), text: text)
        ]
        if let query, let options = configuration.query {
            offers.append(
                NetworkOffer(type: "_oscjson._tcp", port: query.port, hosts: options.listen.compactMap(IPAddress.init), text: text))
        }
        return offers.filter(\.isReachable)
    }

    private func command(for sleep: PlayConfiguration.Sleep) -> Command {
        .sleep(in: sleep.seconds, fade: sleep.fade ?? preferences.sleepFade, sleep.ease ?? preferences.sleepEasing)
    }

    private func announcement(of alarm: Agenda.Alarm, at now: Date, isSilent: Bool) -> String {
        let wait = DurationText.string(from: alarm.date.timeIntervalSince(now).rounded())
        let (day, rise) = (Calendar.current.isDate(alarm.date, inSameDayAs: now) ? "" : "tomorrow ", DurationText.string(from: alarm.rise))
        let time = TimeOfDayText.string(atTime: alarm.date.timeIntervalSince1970)
        let silence = isSilent ? " Nothing will be heard: the master is muted or at its lowest level." : ""
        return "Starts \(day)at \(time), in \(wait), and rises over \(rise).\(silence)"
    }

    private func openBackend(_ instance: Instance, _ connections: [PortLink]?) throws -> Backend {
        let jack = self.configuration.jack
        var configuration = Backend.Configuration(
            clientName: jack.clientName, serverName: jack.serverName, connect: connect, connections: connections)
        configuration.layerOutputCount = (jack.outputs ?? preferences.outputs).layerCount
        do throws(Backend.Failure) {
            return try Backend(configuration: configuration) { event in
                DispatchQueue.main.async { instance.receive(event) }
            }
        } catch {
            throw ApplicationError(.unavailable, "\(error)" + (error.isServerMissing ? " The option --start-server does that." : ""))
        }
    }

    /// Returns when a key, a signal or a remote control asks the program to quit.
    @MainActor private func listen(to terminal: TerminalView, _ signals: Signals, _ instance: Instance) async {
        await withTaskGroup { group in
            group.addTask { for await key in terminal.keys { await instance.press(key) } }
            group.addTask {
                for await signal in signals.requests {
                    switch signal {
                    case SIGUSR1: await instance.save()
                    // A session manager has the session saved first if its user wants that.
                    case SIGTERM: await instance.host.quit(discardingChanges: managed != nil)
                    default: await instance.host.quit()
                    }
                }
            }
            await instance.untilQuit()
            group.cancelAll()
        }
    }
}

/// Files that are removed when the program ends, normally or at once.
private final class Traces: Sendable {
    private struct State {
        var removals: [@Sendable () -> Void] = []
        var isOver = false
    }

    private let state = Mutex(State())

    func record(_ removal: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.removals.append(removal)
            return state.isOver
        }
        // The program is ending on another thread.
        if isOver { removal() }
    }

    func remove() {
        let removals = state.withLock { state in
            state.isOver = true
            return state.removals
        }
        for removal in removals { removal() }
    }
}
