import Foundation
import Library
import Patches
import Playback
import Studio

/// Switches between the sessions of a session manager.
extension Control {
    /// Replaces the open session by another one, with its preferences and under its JACK name. If that one cannot be opened, the open
    /// session and its sound are unaffected.
    func change(to managed: ManagedSession) {
        guard !isChanging else {
            return managed.link.refuse(
                ProgramError(.unavailable, "Another session is being opened. Try again when it is open."))
        }
        isChanging = true
        managed.link.tell(.progress(0))
        Task {
            do {
                try await open(managed)
            } catch {
                isChanging = false
                managed.link.refuse(error)
            }
        }
    }

    private func open(_ managed: ManagedSession) async throws {
        try await requireJACK()
        try managed.makeFolder()
        // Everything that can fail comes before any change.
        let opened = try keeper.prepare(managed.file)
        guard opened != nil || backend?.status.clientName != managed.clientID else { return hasChanged(to: managed) }
        await settleConnections()
        do {
            do throws(ProgramError) { try await requireJACK() } catch {
                opened?.store.close()
                throw error
            }
            if let opened { try keeper.leave(for: opened, self) }
        } catch {
            // A damaged file was renamed, so its notice would not come again.
            for notice in opened?.notices ?? [] { tell(notice) }
            throw error
        }
        managed.link.tell(.progress(0.3))
        // From here on the control actor is not released, so that no command comes in between and is lost.
        ignoresConnections = true
        fadeOut()
        // The other session starts playing with its own client.
        audioLost()
        if let opened { begin(managed, opened) }
        managed.link.tell(.progress(0.6))
        let links = connect == nil ? keeper.connections?.map { PortLink(port: $0.port, other: $0.other) } : nil
        let choice = connect ?? preferencesKeeper.preferences.connectionChoice
        ask({ self.hasReopened($0, for: managed) }) {
            $0.reopen(as: managed.clientID, connections: links, connect: choice, answer: $1)
        }
    }

    /// Waits up to two seconds for a stalled server, which may only be busy.
    private func requireJACK() async throws(ProgramError) {
        let end = Date(timeIntervalSinceNow: 2)
        while backend?.status.condition == .stalled, Date() < end { try? await Task.sleep(for: .milliseconds(10)) }
        guard !hasQuit else { throw ProgramError(.unavailable, "The program is ending.") }
        let condition = backend?.status.condition ?? .away
        guard condition != .running else { return }
        throw ProgramError(
            .unavailable,
            "JACK \(condition == .stalled ? "has stalled" : "is away"), but another session needs a new JACK client. "
                + "Try again when the server is back.")
    }

    /// Fades out and waits until everything is silent and nothing is pending: the client is about to be closed, which would cut the sound
    /// off, and later reports must not reach the other session.
    private func fadeOut() {
        guard let status = performance.status, status.isSounding || performance.isSettling, backend?.status.condition == .running else {
            return
        }
        _ = performance.carryOut(.silence(.short), player.state)
        // The fade begins a cycle or two later, or after a bundle that was sent ahead; the server may go meanwhile.
        let cycles = 4 * Double(status.cycleFrames) / Double(player.state.sampleRate)
        let end = ProcessInfo.processInfo.systemUptime + max(performance.headStart, 0) + performance.shortFade + cycles + 0.1
        repeat {
            usleep(1000)
            performance.poll(&player)
        } while (performance.status?.isSounding == true || performance.isSettling) && ProcessInfo.processInfo.systemUptime < end
    }

    private func begin(_ managed: ManagedSession, _ opened: SessionStore.Opened) {
        // The previous session's connections are not taken over.
        keeper.connections = nil
        keeper.take(opened, name: managed.displayName, self)
        preferencesKeeper.exchange(
            for: PreferencesFile(path: managed.places.preferencesFile), beginningAs: Places.current.preferencesFile, self)
        settle()
    }

    private func hasReopened(_ result: CommandResult, for managed: ManagedSession) {
        guard result.status == .success else {
            isChanging = false
            return managed.link.refuse(
                ProgramError(
                    .unavailable, "The session is open, but JACK is not: \(result.message) It will play when the server is back."))
        }
        hasChanged(to: managed)
    }

    private func hasChanged(to managed: ManagedSession) {
        isChanging = false
        isOpen(managed)
    }
}

extension Preferences {
    /// The `connect` preference, used for a session without connections; an invalid pattern was reported when it was read.
    fileprivate var connectionChoice: ConnectionChoice { (try? ConnectionChoice(argument: self.connect)) ?? .automatic }
}
