import Playback

extension PlayerHost {
    /// Performs a command, carries out its effects and updates the front ends.
    ///
    /// - Parameter sender: `nil` is the program itself.
    func perform(_ command: Command, from sender: String?, answer: @escaping @MainActor (CommandResult) -> Void) {
        attend()
        player.sender = sender
        var result: CommandResult? = judge(command, at: performance.moment)
        delegate?.hasJudged(command)
        let effects = if case .application(let request) = command { [Effect.request(request)] } else { player.takeEffects() }
        let isPanic = effects.contains(.sound(.silence(.panic)))
        for effect in effects {
            guard let request = carryOut(effect, urgently: isPanic) else { continue }
            if case .notice(let text) = request {
                notify(notice: text)
            } else {
                result = delegate?.carryOut(request, from: sender, answer: answer)
            }
        }
        settle()
        if let result { answer(result) }
    }

    /// Performs a command of the program itself; a failure is reported to the user.
    func perform(_ command: Command) {
        perform(command, from: nil) { [self] result in
            if result.status != .success { notify(notice: result.message) }
        }
    }

    func carryOutEffects() {
        for effect in player.takeEffects() {
            if case .notice(let text) = carryOut(effect) { notify(notice: text) }
        }
    }

    /// Carries out an effect on the sound or JACK's transport; returns any other for the caller to handle.
    private func carryOut(_ effect: Effect, urgently: Bool = false) -> ApplicationRequest? {
        switch effect {
        case .sound(let change): performance.carryOut(change, player.state)
        case .transport(let request): delegate?.send(request, urgently: urgently)
        case .request(let request): return request
        }
        return nil
    }

    private func judge(_ command: Command, at moment: Moment) -> CommandResult {
        if let refusal = SystemLimits.refusal(of: command, player.state) { return refusal }
        if case .application = command { return CommandResult(.success, by: "application") }
        if let kind = command.kind { return center.perform(command, kind: kind, on: &player, at: moment) }
        return chain.send(command, on: &player, at: moment)
            ?? CommandResult(.noActionableNowPlayingItem, "Nothing handles this command now.")
    }
}
