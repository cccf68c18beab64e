import Engine
import Foundation
import Library
import Logging
import OSC
import OSCRemote
import Patches
import Playback
import Studio
import Synchronization

/// Creates the parts of a playing program, runs them, and closes them in order.
struct PlaySetup {
    private let options: PlayOptions
    private let connect: ConnectionChoice
    private let remote: RemoteOptions
    private let kernel: Kernel
    private let managed: ManagedSession?
    private let library: Library
    private let choice: SessionChoice
    private let preferencesFile: PreferencesFile
    private let preferences: PreferenceValues
    private let preferencesNotice: PreferencesNotice?

    /// Checks everything that can be checked before anything is opened.
    ///
    /// - Throws: usage errors, and faults of the patches.
    init(_ options: PlayOptions, _ managed: ManagedSession? = nil) throws {
        self.options = options
        self.managed = managed
        try managed?.makeFolder()
        library = Library(places: managed?.places ?? .current)
        preferencesFile = PreferencesFile(path: library.places.preferencesFile)
        // A session manager's session starts with a copy of the user's preferences.
        (preferences, preferencesNotice) = preferencesFile.load(beginningAs: Places.current.preferencesFile)
        do {
            connect = try ConnectionChoice(argument: options.connect ?? preferences.connect)
        } catch {
            throw ProgramError(.usage, "\(error)")
        }
        remote = try RemoteOptions(options, preferences)
        kernel = try options.kernel.kernel()
        var choice = try SessionChoice.make(options, startSession: preferences.startSession, library: library)
        if let managed {
            choice.name = managed.displayName
            // Under a session manager, playing never starts by itself.
            choice.starts = false
            choice.initial.state = .stopped
        }
        self.choice = choice
    }

    func play() async throws {
        let server = PlayingServer(options)
        defer { server.stop() }
        let terminal = TerminalView(isQuiet: options.quiet)
        defer { terminal.restore() }
        let traces = Traces()
        defer { traces.remove() }
        // Before the server is started; otherwise a Ctrl-C would leave it running.
        let signals = Signals(terminal: terminal, others: [SIGUSR1]) {
            traces.remove()
            server.stop()
        }
        try server.start { terminal.restore() }
        let opened = try SessionStore.open(file: choice.file, initial: choice.initial)
        if managed != nil { try opened.requireSaving() }
        let (sockets, portNotice) = try remote.bind(isManaged: managed != nil)
        let endpoint = sockets.endpoint
        for file in sockets.files { traces.note { file.remove() } }
        let query = try QueryPort.bind(options.oscQuery, pingInterval: options.oscQueryPing)
        func announce() {
            if let announcement = server.announcement { terminal.print(announcement) }
            if let preferencesNotice { terminal.print("\(preferencesNotice)") }
            if let portNotice { terminal.print(portNotice) }
            for notice in opened.notices { terminal.print("\(notice)") }
        }
        let control = makeControl(opened, terminal)
        let backend: JACKBackend
        do {
            // `--connect` on the command line overrides the session's connections.
            backend = try openBackend(control, options.connect == nil ? opened.session.links : nil)
        } catch {
            announce()
            throw error
        }
        // JACK adds a number to a name that is taken.
        let client = backend.status.clientName
        // The sockets are read before the file is written, so that anybody who finds the file gets an answer.
        await control.start(listeningOn: sockets, remote.configuration(client: client, port: endpoint.port))
        let address = AddressFile(client, endpoint)
        traces.note { address.remove() }
        // The file is written before the first line of output, since its readers may use `ctl` at once.
        try address.write()
        announce()
        if let query {
            await control.show(on: query)
            terminal.print("OSCQuery: http://127.0.0.1:\(query.port)/")
        }
        if client != options.clientName {
            terminal.print("The JACK client name \(options.clientName) is in use: this instance is \(client).")
        }
        if let sleep = options.sleep { await control.perform(sleepCommand(in: sleep.seconds)) }
        await control.use(backend)
        await control.answer(under: address)
        await control.show(on: terminal, address: "osc.udp://\(endpoint)/")
        if let managed {
            for notice in opened.notices { managed.link.tell(.text(notice.wordsForPeers, importance: 2)) }
            if let preferencesNotice { managed.link.tell(.text(preferencesNotice.wordsForPeers, importance: 2)) }
            if let portNotice { managed.link.tell(.text(portNotice, importance: 2)) }
            await control.obey(managed, connect: options.connect == nil ? nil : connect)
        } else {
            do { try library.rememberLastSession(choice.remembered) } catch { terminal.print("\(error)") }
        }
        await control.report(to: ServiceManager(environment: ProcessInfo.processInfo.environment))

        await listen(to: terminal, signals, control)
        try await control.terminate()
    }

    private func makeControl(_ opened: SessionStore.Opened, _ terminal: TerminalView) -> Control {
        let keeper = SessionKeeper(library: library, name: choice.name, opened: opened, queue: choice.queue)
        var state = keeper.restoredState()
        if choice.starts { state.playback = .playing }
        if let mode = options.transport { state.transportMode = mode }
        if state.transportMode == .follow, state.chosenRate != 1 {
            terminal.print("The rate is now 1 instead of \(state.chosenRate), since JACK's transport is followed.")
        }
        if options.paused, state.playback == .playing { state.playback = .paused }
        return Control(
            restoring: state, keeper: keeper, preferences: PreferencesKeeper(preferences, file: preferencesFile), kernel: kernel,
            ceiling: options.ceiling,
            logger: TerminalLog.logger(terminal, isVerbose: options.verbose))
    }

    private func sleepCommand(in seconds: Double) -> Command {
        .sleep(in: seconds, fade: options.sleepFade?.seconds ?? preferences.sleepFade, options.sleepEase ?? preferences.sleepEasing)
    }

    private func openBackend(_ control: Control, _ connections: [PortLink]?) throws -> JACKBackend {
        var configuration = JACKBackend.Configuration(
            clientName: options.clientName, serverName: options.server, connect: connect, connections: connections)
        configuration.layerOutputCount = options.outputs.layerCount
        do {
            return try JACKBackend(configuration: configuration) { event in
                control.executor.queue.async { control.assumeIsolated { $0.receive(event) } }
            }
        } catch {
            throw ProgramError(.unavailable, "\(error)")
        }
    }

    /// Returns when a key, a signal or a remote control asks the program to quit.
    private func listen(to terminal: TerminalView, _ signals: Signals, _ control: Control) async {
        await withTaskGroup { group in
            group.addTask { for await key in terminal.keys { await control.press(key) } }
            group.addTask {
                for await signal in signals.requests {
                    if signal == SIGUSR1 { await control.save() } else { await control.quit() }
                }
            }
            await control.untilQuit()
            group.cancelAll()
        }
    }
}

/// Files that are removed when the program ends, normally or on a second Ctrl-C.
private final class Traces: Sendable {
    private let removals = Mutex<[@Sendable () -> Void]>([])

    func note(_ removal: @escaping @Sendable () -> Void) { removals.withLock { $0.append(removal) } }

    func remove() {
        for removal in removals.withLock({ $0 }) { removal() }
    }
}
