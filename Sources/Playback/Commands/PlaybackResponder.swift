/// Handles playing and position at the front of the chain while JACK's transport is followed or led.
///
/// When following, the command goes to the transport instead of the player, which then follows it. When leading, the player handles the
/// command, and the transport is moved along.
package final class PlaybackResponder: Responder {
    package let name = "transport"
    package weak var nextResponder: (any Responder)?

    package init() {}

    package func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        // Without JACK there is no transport.
        guard command.concernsTransport, player.state.hasAudio else { return nil }
        switch player.state.transportMode {
        case .none: return nil
        case .follow: return follow(command, &player, moment)
        case .lead:
            let result = passOn(command, on: &player, at: moment)
            return result?.status == .success ? success() : result
        }
    }

    private func follow(_ command: Command, _ player: inout Player, _ moment: Moment) -> CommandResult {
        let state = player.state
        switch command {
        case .pause: player.pause(at: moment)
        case .toggle where state.playback == .playing: player.pause(at: moment)
        case .play, .toggle: player.play(at: moment)
        case .stop: player.stop(at: moment)
        case .changePosition(let seconds):
            guard seconds.isFinite else { return failure(.badArguments, "A position needs a finite number of seconds.") }
            player.seek(to: state.frames(seconds), at: moment)
        case .changeNormalizedPosition(let norm):
            guard norm.isFinite, let length = state.length else { return failure(.badArguments, "A position needs a number from 0 to 1.") }
            player.seek(to: Int64((Double(length) * min(max(norm, 0), 1)).rounded()), at: moment)
        case .skip, .skipForward, .skipBackward:
            guard let seconds = command.skipDistance, seconds.isFinite else {
                return failure(.badArguments, "A skip needs a finite number of seconds.")
            }
            player.seek(to: state.position(at: moment) + state.frames(seconds), at: moment)
        case .seek(let direction, let begins):
            if begins { player.beginSeek(direction, at: moment) } else { player.releaseSeek() }
        default: break
        }
        return success()
    }
}

extension Command {
    /// Whether the command is about playing or the position in the item.
    fileprivate var concernsTransport: Bool {
        switch self {
        case .play, .pause, .toggle, .stop, .changePosition, .changeNormalizedPosition, .skip, .skipForward, .skipBackward, .seek: true
        default: false
        }
    }
}
