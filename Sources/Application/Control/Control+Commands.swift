import Dispatch
import Library
import POSIX
import PatchFiles
import Playback

extension Control {
    /// Performs a command, carries out its effects and updates the front ends.
    ///
    /// - Parameter sender: `nil` is the program itself.
    func perform(_ command: Command, from sender: String?, answer: @escaping @MainActor (CommandResult) -> Void) {
        attend()
        freedMemory.countCommand()
        player.sender = sender
        let moment = performance.moment
        var result = judge(command, at: moment)
        if agenda.cancelStart(by: command) { notify(notice: "The start was cancelled.") }
        let effects = if case .application(let request) = command { [Effect.request(request)] } else { player.takeEffects() }
        var answers = true
        let isPanic = effects.contains(.sound(.silence(.panic)))
        for effect in effects {
            guard let request = carryOut(effect, urgently: isPanic) else { continue }
            switch request {
            case .loadSession where sessions.isManaged, .saveSession(.some) where sessions.isManaged:
                result = CommandResult(
                    .disabled, by: "application", "The session is controlled by the session manager: open another one there.")
            case .loadSession(let name):
                answers = false
                keeper.load(name, into: self) { answer($0) }
            case .saveSession(let name):
                answers = false
                keeper.save(player.state, as: name, position: position, control: self) { answer($0) }
            case .addItem(let name): result = FileOpener(keeper: keeper).add(named: name, self)
            case .addFile(let path):
                answers = false
                FileOpener(keeper: keeper).add(path, self, answer: answer)
            case .openFile(let path):
                answers = false
                FileOpener(keeper: keeper).open(path, from: sender, self, answer: answer)
            case .savePatch(let patch, let reference, let name, let overwrites):
                answers = false
                itemFiles.saver.save(patch, from: reference, as: name, overwrites: overwrites, control: self, answer: answer)
            case .reconnectJACK:
                answers = false
                ask(answer) { $0.reconnect(answer: $1) }
            case .connectPort(let port, let destination):
                answers = false
                ask(answer) { $0.connect(port, to: destination, answer: $1) }
            case .disconnectPort(let port, let destination):
                answers = false
                ask(answer) { $0.disconnect(port, from: destination, answer: $1) }
            case .forgetPort(let port): result = ConnectionReminder(keeper: keeper).forget(port, self)
            case .button(let isDown):
                answers = false
                button.press(isDown, from: sender, self, answer)
            case .shake:
                guard let meaning = center[.shake].meaning else { break }
                answers = false
                perform(meaning, from: sender, answer: answer)
            case .setPreference(let name, let value): preferencesKeeper.preferences[name: name] = value
            case .quit: quit()
            case .notice(let text): notify(notice: text)
            }
        }
        settle()
        if answers { answer(result) }
    }

    /// Carries out an effect on the sound or JACK's transport; returns any other for the caller to handle.
    private func carryOut(_ effect: Effect, urgently: Bool = false) -> ApplicationRequest? {
        switch effect {
        case .sound(let change): performance.carryOut(change, player.state)
        case .transport(let request):
            transport.add(request, urgently: urgently)
            transport.send(self)
        case .request(let request): return request
        }
        return nil
    }

    func carryOutEffects() {
        for effect in player.takeEffects() {
            if case .notice(let text) = carryOut(effect) { notify(notice: text) }
        }
    }

    /// Saves the session; a failure is reported to the user.
    func save() { perform(.application(.saveSession(nil))) }

    func perform(_ command: Command) {
        perform(command, from: nil) { [self] result in
            if result.status != .success { notify(notice: result.message) }
        }
    }

    private func judge(_ command: Command, at moment: Moment) -> CommandResult {
        if let refusal = SystemLimits.refusal(of: command, player.state) { return refusal }
        if case .application = command { return CommandResult(.success, by: "application") }
        if let kind = command.kind { return center.perform(command, kind: kind, on: &player, at: moment) }
        return chain.send(command, on: &player, at: moment)
            ?? CommandResult(.noActionableNowPlayingItem, "Nothing handles this command now.")
    }

    /// Publishes the playing position, once the engine has reported where a start or a silence took effect.
    func settle() {
        carryOutEffects()
        performance.a4 = player.state.tuning.a4
        transport.arrange(player.state.transportMode)
        // A pattern or a bundle can be hundreds of commands, after which the front ends get the state once.
        guard !performance.isGathering else { return }
        // Every tick settles, whether or not something has changed.
        if !pace.isTicking, pace.countActivity(at: time.seconds) { pace.hurry() }
        if !publisher.waits(for: performance, hasAudio: player.state.hasAudio, at: time.seconds) {
            publisher.update(
                from: player.state, at: performance.moment, clock, start: agenda.startTime, period: period, now: time.seconds)
            frontEnds.changed(snapshot)
        }
        finishWaiting()
    }

    /// The length of JACK's period in seconds; `nil` while JACK is away or freewheeling.
    private var period: Double? {
        guard let status = backend?.status, status.bufferSize > 0, !status.isFreewheeling else { return nil }
        return Double(status.bufferSize) / Double(max(1, player.state.sampleRate))
    }

    // MARK: Waiting for the sound

    func whenSounding(_ done: @escaping () -> Void) {
        waiters.add(performance.mark, done)
        finishWaiting()
    }

    private func finishWaiting() {
        let heard = player.state.hasAudio
        for done in waiters.takeReady({ !heard || performance.isInTheSound($0) }) { done() }
    }
}
