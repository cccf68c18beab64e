import OperatingSystem
import Foundation
import Library
import Patches
import Playback
import JACKBackend
import Performance

/// Switches between the sessions of a session manager.
@MainActor final class SessionSwitch {
    private let exchange: SessionExchange
    private let preferencesKeeper: PreferencesKeeper
    private let backendObserver: BackendObserver
    private let host: PlayerHost
    private var state = SwitchState.unmanaged
    /// The manager's requests to save that have not begun yet.
    private var waitingSaves = 0
    /// The user's own folders.
    private var own = Places.current

    /// The result of a request to open or name a session while a session manager controls which one is open.
    static let refusal = CommandResult(
        .disabled, by: "application", "The session is controlled by the session manager: open another one there.")

    init(_ exchange: SessionExchange, _ preferences: PreferencesKeeper, _ observer: BackendObserver, _ host: PlayerHost) {
        (self.exchange, preferencesKeeper, backendObserver, self.host) = (exchange, preferences, observer, host)
    }

    private var keeper: SessionKeeper { exchange.keeper }

    /// Whether the manager has asked to save the session, which then must not be discarded.
    var isAskedToSave: Bool { waitingSaves > 0 }

    /// Whether the manager waits for a session to be opened or saved.
    var isUnderWay: Bool { state.isUnderWay || isAskedToSave }

    /// Whether a session manager controls which session is open.
    var isManaged: Bool { state.isManaged }

    /// Whether the backend's connections are ignored, since they belong to the previous session's client.
    var ignoresConnections: Bool { state.hasForeignConnections }

    /// Called when the backend has closed the previous session's client.
    func clientIsClosed() { state.clientIsClosed() }

    /// Puts the session under control of a session manager.
    ///
    /// - Parameter connect: the value of `--connect`, if it was given.
    func obey(_ managed: ManagedSession, connect: ConnectionChoice?) {
        // Requests to open another session that came meanwhile are refused.
        state = .managed(.preparing, connect: connect)
        own = managed.own
        host.frontEnds.add(SessionManagerFrontEnd(managed.link, self, host))
        while let request = managed.link.next() { serve(request, managed.link) }
        hasChanged(to: managed)
    }

    func serve(_ request: SessionManagerRequest, _ link: any SessionManagerPort) {
        switch request {
        case .save:
            link.notify(.progress(0))
            waitingSaves += 1
            Task { await save(link) }
        case .open(let folder, let displayName, let clientID):
            do throws(ApplicationError) {
                change(to: try ManagedSession(link: link, folder: folder, displayName: displayName, clientID: clientID, own: own))
            } catch {
                link.refuse(error)
            }
        case .welcome, .refusal, .sessionIsLoaded: break
        }
    }

    /// Saves the session with its latest connections: the manager may end the program as soon as it has the answer, and then nothing more is
    /// saved.
    private func save(_ link: any SessionManagerPort) async {
        await backendObserver.settleConnections()
        // The request still counts: the session is saved when it is closed.
        guard !host.hasQuit else { return link.notify(.saveFailed(.notNow, "The program is ending.")) }
        waitingSaves -= 1
        keeper.save(as: nil) { result in
            guard result.status == .success else { return link.notify(.saveFailed(.general, result.message)) }
            link.notify(.progress(1))
            link.notify(.saved("Saved."))
        }
    }

    // MARK: Another session

    /// Replaces the open session by another one, with its preferences and under its JACK name. If that one cannot be opened, the open
    /// session and its sound are unaffected.
    private func change(to managed: ManagedSession) {
        guard state.begin() else {
            return managed.link.refuse(
                ApplicationError(.unavailable, "Another session is being opened. Try again when it is open."))
        }
        guard SystemLimits.haveMemory() else {
            state.end()
            return managed.link.refuse(ApplicationError(.unavailable, SystemLimits.tooLittleMemory))
        }
        managed.link.notify(.progress(0))
        Task {
            do {
                try await open(managed)
            } catch {
                state.end()
                managed.link.refuse(error)
            }
        }
    }

    private func open(_ managed: ManagedSession) async throws {
        try await requireJACK()
        try managed.makeFolder()
        // Everything that can fail comes before any change.
        let prepared = try await exchange.prepare(managed.file)
        guard prepared != nil || host.device?.status.clientName != managed.clientID else { return hasChanged(to: managed) }
        let preferences = PreferencesFile(path: managed.places.preferencesFile)
        let values =
            prepared == nil ? nil : await preferencesKeeper.read(preferences, beginningAs: own.preferencesFile)
        await backendObserver.settleConnections()
        do {
            do throws(ApplicationError) { try await requireJACK() } catch {
                prepared?.opened.store.close()
                throw error
            }
            if let prepared { try await exchange.leave(for: prepared.opened) }
        } catch {
            // A damaged file was renamed, so its notice would not come again.
            for notice in prepared?.opened.notices ?? [] { host.notify(notice) }
            throw error
        }
        managed.link.notify(.progress(0.3))
        // From here on the main actor is not released, so that no command comes in between and is lost.
        state.leaveClient()
        fadeOut()
        // The other session starts playing with its own client.
        backendObserver.audioLost()
        if let prepared {
            begin(managed, prepared)
            if let values { preferencesKeeper.exchange(for: preferences, values) }
            host.settle()
        }
        managed.link.notify(.progress(0.6))
        let links = state.connect == nil ? keeper.connections.saved?.map { PortLink(port: $0.port, other: $0.other) } : nil
        let choice = state.connect ?? preferencesKeeper.preferences.connectionChoice
        backendObserver.ask({ self.hasReopened($0, for: managed) }) {
            $0.reopen(as: managed.clientID, connections: links, connect: choice, answer: $1)
        }
    }

    /// Waits up to two seconds for a stalled server, which may only be busy.
    private func requireJACK() async throws(ApplicationError) {
        let end = host.time.seconds + 2
        while host.device?.status.condition == .stalled, host.time.seconds < end { await host.time.sleep(seconds: 0.01) }
        guard !host.hasQuit else { throw ApplicationError(.unavailable, "The program is ending.") }
        let condition = host.device?.status.condition ?? .away
        guard condition != .running else { return }
        throw ApplicationError(
            .unavailable,
            "JACK \(condition == .stalled ? "has stalled" : "is away"), but another session needs a new JACK client. "
                + "Try again when the server is back.")
    }

    /// Fades out and waits until everything is silent and nothing is pending: the client is about to be closed, which would cut the sound
    /// off, and later reports must not reach the other session.
    private func fadeOut() {
        let performance = host.performance
        guard let status = performance.status, status.isSounding || performance.isSettling, host.device?.status.condition == .running
        else {
            return
        }
        performance.carryOut(.silence(.short), host.player.state)
        // The fade begins a cycle or two later, or after a bundle that was sent ahead; the server may go meanwhile.
        let cycles = 4 * Double(status.cycleFrames) / Double(host.player.state.sampleRate)
        let end = host.time.seconds + max(performance.headStart, 0) + performance.shortFade + cycles + 0.1
        repeat {
            usleep(1000)
            performance.poll(&host.player)
        } while (performance.status?.isSounding == true || performance.isSettling) && host.time.seconds < end
    }

    private func begin(_ managed: ManagedSession, _ prepared: PreparedSession) {
        // The previous session's connections are not taken over.
        keeper.connections.replace(with: nil)
        keeper.take(prepared, name: managed.displayName)
    }

    private func hasReopened(_ result: CommandResult, for managed: ManagedSession) {
        guard result.status == .success else {
            state.end()
            return managed.link.refuse(
                ApplicationError(
                    .unavailable, "The session is open, but JACK is not: \(result.message) It will play when the server is back."))
        }
        hasChanged(to: managed)
    }

    private func hasChanged(to managed: ManagedSession) {
        state.end()
        if let name = host.device?.status.clientName { managed.notify(clientName: name) }
        managed.link.notify(.progress(1))
        managed.link.notify(.opened("Opened."))
    }
}

extension Preferences {
    /// The `connect` preference, used for a session without connections; an invalid pattern was reported when it was read.
    fileprivate var connectionChoice: ConnectionChoice { (try? ConnectionChoice(argument: self.connect)) ?? .automatic }
}
