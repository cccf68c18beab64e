/// All remote commands. Knows neither OSC nor JACK: it answers whether a command is enabled, and hands it to its targets.
package final class RemoteCommandCenter {
    private let commands: [RemoteCommandKind: RemoteCommand]

    package init() {
        commands = Dictionary(uniqueKeysWithValues: RemoteCommandKind.allCases.map { ($0, RemoteCommand($0)) })
        for kind in [RemoteCommandKind.skipForward, .skipBackward] { self[kind].preferredIntervals = PreferenceValues().skipIntervals }
    }

    package subscript(_ kind: RemoteCommandKind) -> RemoteCommand {
        // The dictionary is made from all cases.
        commands[kind].unsafelyUnwrapped
    }

    /// Makes a chain the target of every command.
    package func addTarget(_ chain: ResponderChain) {
        for command in commands.values {
            command.addTarget { chain.send($0, on: &$1, at: $2) }
        }
    }

    package func isEnabled(_ kind: RemoteCommandKind, in state: PlayerState, at moment: Moment) -> Bool {
        self[kind].isEnabled && state.allows(kind, at: moment)
    }

    /// Judges and performs a remote command.
    ///
    /// - Returns: 100 on an empty queue, 405 while disabled (no target is asked), else what the targets say.
    package func perform(_ command: Command, kind: RemoteCommandKind, on player: inout Player, at moment: Moment) -> CommandResult {
        if player.state.items.isEmpty, kind.needsContent {
            return CommandResult(.noSuchContent, "The queue is empty: load a session, or start binaural with patches.")
        }
        guard isEnabled(kind, in: player.state, at: moment) else {
            let hasNothingToPlay = (kind == .play || kind == .toggle) && self[kind].isEnabled
            return CommandResult(hasNothingToPlay ? .noSuchContent : .disabled, player.state.reasonAgainst(kind))
        }
        return self[kind].perform(command, on: &player, at: moment)
    }
}

extension RemoteCommandKind {
    var needsContent: Bool {
        switch self {
        case .stop, .repeatMode, .shuffleMode, .rate, .undo, .redo, .panic: false
        default: true
        }
    }
}
