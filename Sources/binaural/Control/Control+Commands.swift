import Foundation
import Library
import Patches
import Playback

extension Control {
    /// Performs a command, carries out its effects and updates the surfaces.
    ///
    /// - Parameter sender: `nil` is the program itself.
    func perform(_ command: Command, from sender: String?, answer: @escaping (CommandResult) -> Void) {
        freedMemory.noteCommand()
        player.sender = sender
        let moment = performance.moment
        var result = judge(command, at: moment)
        let effects = player.takeEffects()
        var answers = true
        let isPanic = effects.contains(.silence(.panic))
        for effect in effects where !carryOut(effect, urgently: isPanic) {
            switch effect {
            case .loadSession where isManaged, .saveSession(.some) where isManaged:
                result = CommandResult(
                    .disabled, by: "application", "The session is controlled by the session manager: open another one there.")
            case .loadSession(let name):
                answers = false
                keeper.load(name, into: self) { answer($0) }
            case .saveSession(let name):
                answers = false
                keeper.save(player.state, as: name, position: position, control: self) { answer($0) }
            case .addItem(let name): result = add(name)
            case .reconnectJACK:
                answers = false
                ask(answer) { $0.reconnect(answer: $1) }
            case .connectPort(let port, let destination):
                answers = false
                ask(answer) { $0.connect(port, to: destination, answer: $1) }
            case .disconnectPort(let port, let destination):
                answers = false
                ask(answer) { $0.disconnect(port, from: destination, answer: $1) }
            case .button(let isDown):
                answers = false
                press(isDown, from: sender, answer)
            case .shake:
                guard let meaning = center[.shake].meaning else { break }
                answers = false
                perform(meaning, from: sender, answer: answer)
            case .setPreference(let name, let value): preferencesKeeper.preferences[name: name] = value
            case .quit: quit()
            case .notice(let text): tell(notice: text)
            default: break
            }
        }
        settle()
        if answers { answer(result) }
    }

    /// Carries out an effect on the sound or JACK's transport; returns false for other effects.
    private func carryOut(_ effect: Effect, urgently: Bool = false) -> Bool {
        if performance.carryOut(effect, player.state) { return true }
        guard case .transport(let request) = effect else { return false }
        ask(request, urgently: urgently)
        return true
    }

    /// Appends a patch of the library to the queue.
    private func add(_ name: String) -> CommandResult {
        do throws(LibraryError) {
            let entry = try keeper.library.find(.patches, plainName: name)
            player.add(QueueItem(reference: name, patch: try keeper.library.loadPatch(entry)))
            return CommandResult(.success, by: chain.queue.name)
        } catch {
            let isUnknown = if case .notFound = error { true } else { false }
            return CommandResult(isUnknown ? .noSuchContent : .commandFailed, by: chain.queue.name, error.wordsForPeers)
        }
    }

    func carryOutEffects() {
        for effect in player.takeEffects() { _ = carryOut(effect) }
    }

    /// Saves the session; a failure is reported to the user.
    func save() { perform(.saveSession(nil)) }

    func perform(_ command: Command) {
        perform(command, from: nil) { [self] result in
            if result.status != .success { tell(notice: result.message) }
        }
    }

    private func judge(_ command: Command, at moment: Moment) -> CommandResult {
        if let kind = command.kind { return center.perform(command, kind: kind, on: &player, at: moment) }
        return chain.send(command, on: &player, at: moment)
            ?? CommandResult(.noActionableNowPlayingItem, "Nothing handles this command now.")
    }

    /// Publishes the playing position, once the engine has reported where a start or a silence took effect. If it does not report within
    /// 100 ms (a long period, a stalled server), the present knowledge is published.
    func settle() {
        carryOutEffects()
        performance.a4 = player.state.a4
        arrangeTransport()
        if performance.isSettling, player.state.hasAudio {
            let since = settlingSince ?? Date(timeIntervalSinceNow: performance.headStart)
            settlingSince = since
            if Date().timeIntervalSince(since) < 0.1 { return finishWaiting() }
        } else {
            settlingSince = nil
        }
        let moment = performance.moment
        if nowPlayingCenter.update(from: player.state, at: moment) {
            toldAt = clock.seconds(of: nowPlayingCenter.nowPlaying.moment)
        } else if isOutOfStep(for: 0.5) {
            nowPlayingCenter.tell(player.state, at: moment)
            toldAt = clock.seconds(of: moment)
        }
        for surface in surfaces { surface.changed(snapshot()) }
        finishWaiting()
    }

    /// Whether an extrapolated position has been off by more than a period for this many seconds, because an xrun dropped frames or the
    /// clocks drifted apart. A single late cycle does not count.
    private func isOutOfStep(for seconds: Double) -> Bool {
        let told = nowPlayingCenter.nowPlaying
        guard told.rate != 0, let status = backend?.status, status.bufferSize > 0, !status.isFreewheeling else {
            outOfStepSince = nil
            return false
        }
        let period = Double(status.bufferSize) / Double(max(1, player.state.sampleRate))
        guard abs(clock.seconds(of: told.moment) - toldAt) > max(period, 0.003) else {
            outOfStepSince = nil
            return false
        }
        let since = outOfStepSince ?? Date()
        outOfStepSince = since
        return Date().timeIntervalSince(since) >= seconds
    }

    // MARK: Waiting for the sound

    func whenSounding(_ done: @escaping () -> Void) {
        waiting.append((performance.mark, done))
        finishWaiting()
    }

    private func finishWaiting() {
        let heard = player.state.hasAudio
        let ready = waiting.filter { !heard || performance.isInTheSound($0.mark) }
        waiting.removeAll { !heard || performance.isInTheSound($0.mark) }
        for entry in ready { entry.done() }
    }
}
