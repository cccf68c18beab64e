import Engine
import Foundation
import Library
import Logging
import OSC
import OSCRemote
import PatchFiles
import Patches
import Playback
import JACKBackend
import SessionManager
import Synchronization
import Terminal

/// Creates the parts of a playing program, runs them, and closes them in order.
package struct PlaySetup {
    private let configuration: PlayConfiguration
    private let connect: ConnectionChoice
    private let remote: RemoteOptions
    private let managed: ManagedSession?
    private let library: Library
    private let choice: SessionChoice
    private let preferencesFile: PreferencesFile
    private let preferences: PreferenceValues
    private let preferencesNotice: PreferencesNotice?

    /// Checks everything that can be checked before anything is opened.
    ///
    /// - Parameter managed: the session manager's session, which replaces the configured items and names.
    /// - Throws: usage errors, and faults of the patches.
    package init(_ configuration: PlayConfiguration, _ managed: ManagedSession? = nil) throws {
        var configuration = configuration
        if let managed {
            configuration.jack.clientName = managed.clientID
            configuration.session = managed.file
            configuration.items = []
        }
        self.configuration = configuration
        self.managed = managed
        try managed?.makeFolder()
        library = Library(places: managed?.places ?? .current)
        preferencesFile = PreferencesFile(path: library.places.preferencesFile)
        // A session manager's session starts with a copy of the user's preferences.
        (preferences, preferencesNotice) = preferencesFile.load(beginningAs: Places.current.preferencesFile)
        do {
            connect = try ConnectionChoice(argument: configuration.jack.connect ?? preferences.connect)
        } catch {
            throw ApplicationError(.usage, "\(error)")
        }
        remote = try RemoteOptions(configuration.remote, preferences)
        var choice = try SessionChoice.make(
            configuration.items, file: configuration.session, startSession: preferences.startSession, library: library,
            warn: StandardError.write(lines:))
        if let managed {
            choice.name = managed.displayName
            // Under a session manager, playing never starts by itself.
            choice.starts = false
            choice.initial.state = .stopped
        }
        self.choice = choice
    }

    package func play() async throws {
        let server = PlayingServer(configuration.jack)
        defer { server.stop() }
        let terminal = TerminalView(isQuiet: configuration.isQuiet)
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
        let query = try configuration.query.map(QueryPort.bind)
        func announce() {
            if let announcement = server.announcement { terminal.print(announcement) }
            if let preferencesNotice { terminal.print("\(preferencesNotice)") }
            if let portNotice { terminal.print(portNotice) }
            for notice in opened.notices { terminal.print("\(notice)") }
        }
        let keeper = SessionKeeper(library: library, name: choice.name, opened: opened, queue: choice.queue)
        let restored = restoredState(of: keeper, terminal)
        let control = Control(
            keeper: keeper, preferences: PreferencesKeeper(preferences, file: preferencesFile), kernel: configuration.kernel,
            ceiling: configuration.ceiling, logger: TerminalLog.logger(terminal, isVerbose: configuration.isVerbose))
        let backend: Backend
        do {
            // `--connect` on the command line overrides the session's connections.
            backend = try openBackend(control, configuration.jack.connect == nil ? opened.session.links : nil)
        } catch {
            announce()
            throw error
        }
        // JACK adds a number to a name that is taken.
        let client = backend.status.clientName
        // The sockets are read before the file is written, so that anybody who finds the file gets an answer.
        await control.start(
            restoring: restored, listeningOn: sockets, remote.configuration(client: client, port: endpoint.port))
        let address = AddressFile(client, endpoint)
        traces.note { address.remove() }
        // The file is written before the first line of output, since its readers may use `ctl` at once.
        try address.write()
        announce()
        if let query {
            await control.show(on: query)
            terminal.print("OSCQuery: http://127.0.0.1:\(query.port)/")
        }
        if client != configuration.jack.clientName {
            terminal.print("The JACK client name \(configuration.jack.clientName) is in use: this instance is \(client).")
        }
        if let sleep = configuration.sleep { await control.perform(command(for: sleep)) }
        await control.use(backend)
        await control.answer(under: address)
        await control.show(on: terminal, address: "osc.udp://\(endpoint)/")
        if let managed {
            for notice in opened.notices { managed.link.tell(.text(notice.wordsForPeers, importance: 2)) }
            if let preferencesNotice { managed.link.tell(.text(preferencesNotice.wordsForPeers, importance: 2)) }
            if let portNotice { managed.link.tell(.text(portNotice, importance: 2)) }
            await control.obey(managed, connect: configuration.jack.connect == nil ? nil : connect)
        } else {
            do { try library.rememberLastSession(choice.remembered) } catch { terminal.print("\(error)") }
        }
        await control.report(to: ServiceManager(environment: ProcessInfo.processInfo.environment))

        await listen(to: terminal, signals, control)
        try await control.terminate()
    }

    /// The player's state as saved in the session, with what the command line changes.
    private func restoredState(of keeper: SessionKeeper, _ terminal: TerminalView) -> PlayerState {
        var state = keeper.restoredState()
        if choice.starts { state.playback = .playing }
        if let mode = configuration.transport { state.transportMode = mode }
        if state.transportMode == .follow, state.chosenRate != 1 {
            terminal.print("The rate is now 1 instead of \(state.chosenRate), since JACK's transport is followed.")
        }
        if configuration.isPaused, state.playback == .playing { state.playback = .paused }
        return state
    }

    private func command(for sleep: PlayConfiguration.Sleep) -> Command {
        .sleep(in: sleep.seconds, fade: sleep.fade ?? preferences.sleepFade, sleep.ease ?? preferences.sleepEasing)
    }

    private func openBackend(_ control: Control, _ connections: [PortLink]?) throws -> Backend {
        let jack = self.configuration.jack
        var configuration = Backend.Configuration(
            clientName: jack.clientName, serverName: jack.serverName, connect: connect, connections: connections)
        configuration.layerOutputCount = jack.layerOutputCount
        do {
            return try Backend(configuration: configuration) { event in
                control.executor.queue.async { control.assumeIsolated { $0.receive(event) } }
            }
        } catch {
            throw ApplicationError(.unavailable, "\(error)")
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
