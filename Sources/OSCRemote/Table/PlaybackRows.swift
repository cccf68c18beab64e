import OSC
import Playback

/// The addresses of the remote commands, each with whether it is enabled.
enum PlaybackRows {
    static let all: [Row] =
        button("play", .play, .play, "Plays, or resumes if paused.")
        + button("pause", .pause, .pause, "Pauses; the position is kept.")
        + button("toggle", .toggle, .toggle, "Pauses if playing, otherwise plays.")
        + button("stop", .stop, .stop, "Stops; the position goes back to 0.")
        + button("next", .next, .next, "Goes to the next chapter, after the last one to the next item.")
        + button("previous", .previous, .previous, "Goes to the chapter's start, the previous chapter or the previous item.")
        + button("queue/next", .nextItem, .nextItem, "Goes to the next item, never to a chapter.")
        + button("queue/previous", .previousItem, .previousItem, "Goes to the previous item, never to a chapter.")
        + skips
        + [
            Row(
                "position", in: [Input("seconds", .number(Quantity(0...31_536_000, "s")))], out: "f",
                "Position in the item; setting it seeks.",
                isPatternTarget: true, read: { [.float(Float($0.player.elapsed(at: $0.snapshot.moment)))] },
                action: .commands { [.changePosition(to: $0.number(0))] }),
            .enabled("position", .position),
            Row(
                "position/norm", in: [Input("norm", .number(.norm))], out: "f",
                "Position as a fraction of the duration; 0 in endless items.",
                isPatternTarget: true, read: { [.float(Float($0.normalizedPosition))] },
                action: .commands { [.changeNormalizedPosition(to: $0.number(0))] }),
            .enabled("position/norm", .normalizedPosition),
            Row(
                "repeat", in: [Input("mode", .choice(RepeatMode.allCases.map(\.rawValue)))], out: "s",
                "What repeats: off, one or all.",
                group: .commands, isPatternTarget: true, read: { [.string($0.player.repeatMode.rawValue)] },
                action: .commands { [.changeRepeatMode(to: RepeatMode.allCases[$0.integer(0) ?? 0])] }),
            .enabled("repeat", .repeatMode),
            Row(
                "transport/mode", in: [Input("mode", .choice(TransportMode.allCases.map(\.rawValue)))], out: "s",
                "JACK's transport: none (ignore it), follow (follow it) or lead (drive it).",
                group: .commands, isPatternTarget: true, read: { [.string($0.player.transportMode.rawValue)] },
                action: .commands { [.changeTransportMode(to: TransportMode.allCases[$0.integer(0) ?? 0])] }),
        ]
        + button("panic", .panic, .panic, "Fades to silence in 30 ms, stops, drops the schedule; always enabled.")

    private static let skips: [Row] =
        [
            Row(
                "skip/intervals", out: "f…", as: Quantity(0...86_400, "s"),
                "Skip intervals; skip/forward and skip/backward use the first one.",
                group: .commands, isPatternTarget: true
            ) { $0.snapshot.skipIntervals.prefix(16).map { .float(Float($0)) } },
            Row(
                "skip/forward", in: [.press], "Skips by the first interval.",
                action: .commands { [.skipForward(by: $0.reading.skipInterval)] }),
            .enabled("skip/forward", .skipForward),
            Row(
                "skip/backward", in: [.press], "Skips back by the first interval.",
                action: .commands { [.skipBackward(by: $0.reading.skipInterval)] }),
            .enabled("skip/backward", .skipBackward),
            Row(
                "skip/by", in: [Input("seconds", .number(Quantity(-31_536_000...31_536_000, "s")))], "Skips; a negative number goes back.",
                action: .commands { [.skip(by: $0.number(0))] }),
            .enabled("skip/by", .skip),
        ]

    private static func button(_ path: String, _ kind: RemoteCommandKind, _ command: Command, _ summary: String) -> [Row] {
        [Row(path, in: [.press], summary, action: .commands { _ in [command] }), .enabled(path, kind)]
    }
}

extension Row {
    /// Whether a remote command makes sense now.
    static func enabled(_ path: String, _ kind: RemoteCommandKind) -> Row {
        Row("\(path)/enabled", out: "i", as: .norm, "Whether \(path) is possible now.", group: .commands, isPatternTarget: true) {
            [.flag($0.snapshot.enabled[kind] ?? false)]
        }
    }
}

extension Reading {
    /// The default length of a skip in seconds.
    fileprivate var skipInterval: Double { snapshot.skipIntervals.first ?? 15 }

    /// The command assigned to a shake; `nil` if there is none.
    var shakeCommand: Command? { snapshot.preferences.shake.command(skipInterval: skipInterval) }

    fileprivate var normalizedPosition: Double {
        guard let length = player.length, length > 0 else { return 0 }
        return Double(player.position(at: snapshot.moment)) / Double(length)
    }
}
