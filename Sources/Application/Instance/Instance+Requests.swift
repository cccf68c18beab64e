import JACKBackend
import Library
import Playback

extension Instance: PlayerHostDelegate {
    func attend() {
        guard pace.countActivity(at: host.time.seconds) else { return }
        // Inside a bundle a tick would be part of it.
        if host.performance.isGathering { pace.hurry() } else { tick() }
    }

    func hasChanged() {
        // Every tick settles, whether or not something has changed.
        if !pace.isTicking, pace.countActivity(at: host.time.seconds) { pace.hurry() }
    }

    func hasJudged(_ command: Command) {
        freedMemory.countCommand()
        if agenda.cancelStart(by: command) { host.notify(notice: "The start was cancelled.") }
    }

    func adopt(_ mode: TransportMode) { transport.arrange(mode) }

    func send(_ request: TransportRequest, urgently: Bool) { transport.send(request, urgently: urgently) }

    func carryOut(
        _ request: ApplicationRequest, from sender: String?, answer: @escaping @MainActor (CommandResult) -> Void
    ) -> CommandResult? {
        switch request {
        // The session is saved without items that are added now.
        case _ where host.hasQuit && request.addsItem: return FileOpener.endingRefusal
        case .loadSession where sessions.isManaged, .saveSession(.some) where sessions.isManaged: return SessionSwitch.refusal
        case .loadSession(let name): exchange.load(name, answer: answer)
        case .saveSession(let name): keeper.save(as: name, answer: answer)
        case .addItem(let name, let place): return opener.add(named: name, at: place)
        case .addFile(let path, let place): opener.add(path, at: place, answer: answer)
        case .relinkItem(let index, let name): return opener.relink(index, to: name)
        case .openItem(let name): opener.open(named: name, from: sender, answer: answer)
        case .openFile(let path): opener.open(path, from: sender, answer: answer)
        case .savePatch(let patch, let reference, let name, let overwrites):
            saver.save(patch, from: reference, as: name, overwrites: overwrites, answer: answer)
        case .reconnectJACK: backendObserver.ask(answer) { $0.reconnect(answer: $1) }
        case .connectPort(let port, let destination): backendObserver.ask(answer) { $0.connect(port, to: destination, answer: $1) }
        case .disconnectPort(let port, let destination):
            backendObserver.ask(answer) { $0.disconnect(port, from: destination, answer: $1) }
        case .forgetPort(let port): return sessionConnections.forget(port)
        case .button(let isDown): button.press(isDown, from: sender, answer)
        case .shake:
            guard let meaning = host.center[.shake].meaning else { return CommandResult(.success, by: "application") }
            host.perform(meaning, from: sender, answer: answer)
        case .setPreference(let name, let value):
            preferencesKeeper.preferences[name: name] = value
            return CommandResult(.success, by: "application")
        case .quit:
            host.quit()
            return CommandResult(.success, by: "application")
        case .notice(let text):
            host.notify(notice: text)
            return CommandResult(.success, by: "application")
        }
        return nil
    }

    func complete(_ snapshot: inout Snapshot) {
        snapshot.preferences = preferencesKeeper.preferences.values
        snapshot.jack = Snapshot.JACKStatus(
            host.device?.status, condition: backendObserver.condition, engine: host.performance.status)
        snapshot.meter = meter.reading
        snapshot.session = keeper.status(snapshot.player)
    }
}
