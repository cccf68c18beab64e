/// All remote commands. It knows neither OSC nor JACK: it decides whether a command is enabled, and passes it to its targets.
package final class RemoteCommandCenter {
    private let commands: [RemoteCommandKind: RemoteCommand]

    package init() {
        commands = Dictionary(uniqueKeysWithValues: RemoteCommandKind.allCases.map { ($0, RemoteCommand($0)) })
        adopt(PreferenceValues())
    }

    /// Applies the preferences for skip lengths and for the shake.
    package func adopt(_ preferences: PreferenceValues) {
        for kind in [RemoteCommandKind.skipForward, .skipBackward] { self[kind].preferredIntervals = preferences.skipIntervals }
        self[.shake].meaning = preferences.shake.command(skipInterval: skipInterval)
    }

    /// The default length of a skip in seconds.
    package var skipInterval: Double { self[.skipForward].preferredIntervals.first ?? 15 }

    package subscript(_ kind: RemoteCommandKind) -> RemoteCommand {
        // The dictionary has an entry for every case.
        commands[kind].unsafelyUnwrapped
    }

    /// Makes a chain the target of every command.
    package func addTarget(_ chain: ResponderChain) {
        for command in commands.values {
            command.addTarget { chain.send($0, on: &$1, at: $2) }
        }
    }

    package func isEnabled(_ kind: RemoteCommandKind, in state: PlayerState, at moment: Moment) -> Bool {
        guard self[kind].isEnabled else { return false }
        switch kind {
        case .button: return [.toggle, .nextItem, .previousItem].contains { isEnabled($0, in: state, at: moment) }
        case .shake: return self[.shake].meaning?.kind.map { isEnabled($0, in: state, at: moment) } ?? false
        default: return CommandAvailability(state: state).allows(kind, at: moment)
        }
    }

    /// Checks and performs a remote command.
    ///
    /// - Returns: 100 if the queue is empty, 405 if the command is disabled (no target is asked), else the targets' result. Releases are
    ///   always performed.
    package func perform(_ command: Command, kind: RemoteCommandKind, on player: inout Player, at moment: Moment) -> CommandResult {
        if command.isRelease { return self[kind].perform(command, on: &player, at: moment) }
        if player.state.items.isEmpty, needsContent(kind) {
            return CommandResult(.noSuchContent, "The queue is empty: load a session, or start binaural with patches.")
        }
        guard isEnabled(kind, in: player.state, at: moment) else {
            let hasNothingToPlay = (kind == .play || kind == .toggle) && self[kind].isEnabled
            return CommandResult(hasNothingToPlay ? .noSuchContent : .disabled, reason(against: kind, in: player.state))
        }
        return self[kind].perform(command, on: &player, at: moment)
    }

    private func needsContent(_ kind: RemoteCommandKind) -> Bool {
        kind == .shake ? self[.shake].meaning?.kind?.needsContent ?? false : kind.needsContent
    }

    private func reason(against kind: RemoteCommandKind, in state: PlayerState) -> String {
        guard kind == .shake else { return CommandAvailability(state: state).reasonAgainst(kind) }
        guard let meaning = self[.shake].meaning?.kind else {
            return "A shake has no command: set preferences/shake to a command, such as next."
        }
        return CommandAvailability(state: state).reasonAgainst(meaning)
    }
}

extension RemoteCommandKind {
    var needsContent: Bool {
        switch self {
        case .stop, .repeatMode, .shuffleMode, .rate, .undo, .redo, .sleep, .panic: false
        default: true
        }
    }
}
