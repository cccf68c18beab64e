/// The commands that a remote can show as buttons. Each can be disabled, and has targets.
package enum RemoteCommandKind: String, CaseIterable, Sendable {
    case play, pause, toggle, stop, next, previous
    case nextItem, previousItem, selectItem
    case skipForward, skipBackward, skip
    case seekForward, seekBackward
    case position, normalizedPosition, rate, repeatMode, shuffleMode
    case rating, like, dislike, bookmark
    case undo, redo
    case sleep, panic
    case button, shake
}

extension Command {
    /// The command's kind; `nil` for commands to a layer, the master, a session or the application.
    package var kind: RemoteCommandKind? {
        switch self {
        case .play: .play
        case .pause: .pause
        case .toggle: .toggle
        case .stop: .stop
        case .next: .next
        case .previous: .previous
        case .nextItem: .nextItem
        case .previousItem: .previousItem
        case .selectItem: .selectItem
        case .skip: .skip
        case .skipForward: .skipForward
        case .skipBackward: .skipBackward
        case .changePosition: .position
        case .changeNormalizedPosition: .normalizedPosition
        case .seek(let direction, _): direction == .forward ? .seekForward : .seekBackward
        case .changeRate: .rate
        case .changeRepeatMode: .repeatMode
        case .changeShuffleMode: .shuffleMode
        case .rate: .rating
        case .like: .like
        case .dislike: .dislike
        case .bookmark: .bookmark
        case .undo: .undo
        case .redo: .redo
        case .sleep: .sleep
        case .panic: .panic
        case .button: .button
        case .shake: .shake
        case .touch, .touchTogether, .changeTouchMode: nil
        case .set, .setTogether, .mute, .changeWave, .solo, .reset, .changeCourse, .resetCourse, .selectLayer, .setMasterGain, .muteMaster,
            .fadeOut, .tune:
            nil
        case .savePreset, .loadPreset, .removePreset, .addItem, .addFile, .openItem, .openFile, .playItem, .savePatch: nil
        case .removeItem, .restoreItem, .moveItem, .resetItem, .relinkItem, .changeTransportMode, .application: nil
        case .mapController, .forgetController, .learnController: nil
        }
    }
}

/// One command of the command centre: its targets, and whether it is enabled.
package final class RemoteCommand {
    package let kind: RemoteCommandKind
    /// Whether the program enables the command; ``RemoteCommandCenter/isEnabled(_:in:)`` also checks the player's state.
    package var isEnabled = true
    /// Lengths of `skip` in seconds, of which buttons use the first; empty for other commands.
    package var preferredIntervals: [Double] = []
    /// The command that `shake` performs; `nil` for none and for other commands.
    package var meaning: Command?

    private var targets: [(token: Token, handler: Handler)] = []
    private var nextToken = 0

    /// Handles a command, or returns `nil` to leave it to the other targets.
    package typealias Handler = (Command, inout Player, Moment) -> CommandResult?

    /// Identifies a target for ``removeTarget(_:)``.
    package struct Token: Equatable, Sendable {
        fileprivate let number: Int
    }

    init(_ kind: RemoteCommandKind) { self.kind = kind }

    /// Adds a target after the existing ones; every target is asked.
    @discardableResult
    package func addTarget(_ handler: @escaping Handler) -> Token {
        let token = Token(number: nextToken)
        nextToken += 1
        targets.append((token, handler))
        return token
    }

    /// Removes a target; an unknown token is ignored.
    package func removeTarget(_ token: Token) {
        targets.removeAll { $0.token == token }
    }

    /// Asks every target. The result is the first success, else the first failure, else 110.
    func perform(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult {
        var answer: CommandResult?
        for target in targets {
            guard let result = target.handler(command, &player, moment) else { continue }
            if answer == nil || (answer?.status != .success && result.status == .success) { answer = result }
        }
        return answer ?? .unhandled(kind)
    }
}

extension CommandResult {
    static func unhandled(_ kind: RemoteCommandKind) -> CommandResult {
        CommandResult(.noActionableNowPlayingItem, "Nothing handles \(kind.rawValue) now: select an item of the queue first.")
    }
}
