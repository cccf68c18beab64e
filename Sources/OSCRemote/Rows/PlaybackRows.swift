import OSC
import Patches
import Playback

/// The addresses of playback, position and the sleep timer.
enum PlaybackRows {
    static let all: [Row] =
        Row.button("play", .play, .play, "Plays, or resumes if paused.")
        + Row.button("pause", .pause, .pause, "Pauses; the position is kept.")
        + Row.button("toggle", .toggle, .toggle, "Pauses if playing, otherwise plays.")
        + Row.button("stop", .stop, .stop, "Stops; the position goes back to 0.")
        + Row.button("next", .next, .next, "Goes to the next chapter, after the last one to the next item.")
        + Row.button("previous", .previous, .previous, "Goes to the chapter's start, the previous chapter or the previous item.")
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
                "chapter/select", in: [Input("chapter", .entry)],
                "Seeks to the start of a chapter of the item, by its number from 1 or its title.",
                action: .commands { request throws(Refusal) in [.changePosition(to: try request.chapterStart())] }),
            Row(
                "repeat", in: [Input("mode", .choice(RepeatMode.allCases.map(\.rawValue)))], out: "s",
                "What repeats: off, one or all.",
                group: .commands, isPatternTarget: true, read: { [.string($0.player.repeatMode.rawValue)] },
                action: .commands { [.changeRepeatMode(to: RepeatMode.allCases[$0.integer(0) ?? 0])] }),
            .enabled("repeat", .repeatMode),
        ]
        + sleep
        + Row.button("panic", .panic, .panic, "Fades to silence in 30 ms, stops, drops waiting bundles; always enabled.")

    private static let sleepCurve = NormCurve.time(60...SleepTimer.longest)
    private static let sleep: [Row] = [
        Row(
            "sleep",
            in: [
                Input("seconds", .number(Quantity(0...SleepTimer.longest, "s"))),
                Input("fade", .number(Quantity(0...3600, "s")), isOptional: true), .easing,
            ], out: "ffs",
            fields: [Field("in", Quantity(0...SleepTimer.longest, "s")), Field("fade", Quantity(0...3600, "s")), Field("easing")],
            "Sleep timer: time until silence, fade time and easing; 0 cancels it.", isPatternTarget: true,
            read: { reading in
                let (sleep, defaults) = (reading.player.sleep, reading.snapshot.preferences)
                return [
                    .float(Float(reading.player.timeToSleep(at: reading.snapshot.moment))),
                    .float(Float(sleep?.fade ?? defaults.sleepFade)),
                    .string((sleep?.easing ?? defaults.sleepEasing).rawValue),
                ]
            },
            action: .commands { request in
                let defaults = request.reading.snapshot.preferences
                return [
                    .sleep(
                        in: request.number(0), fade: request.values[1] == nil ? defaults.sleepFade : request.number(1),
                        request.integer(2).map { Easing.allCases[$0] } ?? defaults.sleepEasing)
                ]
            }),
        Row(
            "sleep/norm", in: [Input("norm", .number(.norm))], out: "f", sleepCurve.summary(unit: .seconds), isPatternTarget: true,
            read: { [.float(Float(sleepCurve.norm(of: $0.player.timeToSleep(at: $0.snapshot.moment))))] },
            action: .commands { request in
                let defaults = request.reading.snapshot.preferences
                return [.sleep(in: sleepCurve.value(atNorm: request.number(0)), fade: defaults.sleepFade, defaults.sleepEasing)]
            }),
        .enabled("sleep", .sleep),
    ]

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
                "skip/by", in: [Input("seconds", .number(Quantity(-31_536_000...31_536_000, "s")))],
                "Skips by this many seconds; a negative number goes back.",
                action: .commands { [.skip(by: $0.number(0))] }),
            .enabled("skip/by", .skip),
        ]
}

extension Row {
    /// A command without arguments, and whether it is enabled.
    static func button(_ path: String, _ kind: RemoteCommandKind, _ command: Command, _ summary: String) -> [Row] {
        [Row(path, in: [.press], summary, action: .commands { _ in [command] }), .enabled(path, kind)]
    }

    /// Whether a remote command makes sense now.
    static func enabled(_ path: String, _ kind: RemoteCommandKind) -> Row {
        Row("\(path)/enabled", out: "i", as: .norm, "Whether \(path) is possible now.", group: .commands, isPatternTarget: true) {
            [.flag($0.snapshot.enabled[kind] ?? false)]
        }
    }
}

extension OSCRequest {
    /// The start in seconds of the chapter that the first argument names. Of several with that title, it is the next one, or else the first.
    fileprivate func chapterStart() throws(Refusal) -> Double {
        let chapters = reading.player.patch?.chapters ?? []
        guard !chapters.isEmpty else { throw Refusal(.noSuchContent, "The current item has no chapters.") }
        if let number = integer(0) {
            guard chapters.indices.contains(number - 1) else {
                throw Refusal(.noSuchContent, "There is no chapter \(number): the current item has \(chapters.count).")
            }
            return chapters[number - 1].start
        }
        let title = (text(0) ?? "").lowercased()
        let named = chapters.indices.filter { chapters[$0].title.lowercased() == title }
        let present = reading.player.chapterIndex(at: reading.snapshot.moment) ?? -1
        guard let index = named.first(where: { $0 > present }) ?? named.first else {
            throw Refusal(.noSuchContent, "The current item has no chapter of this title: chapter/list lists them.")
        }
        return chapters[index].start
    }
}

extension Reading {
    /// The default length of a skip in seconds.
    fileprivate var skipInterval: Double { snapshot.skipIntervals.first ?? 15 }

    /// The command assigned to a shake; `nil` if a shake does nothing.
    var shakeCommand: Command? { snapshot.preferences.shake.command(skipInterval: skipInterval) }

    fileprivate var normalizedPosition: Double {
        guard let length = player.length, length > 0 else { return 0 }
        return Double(player.position(at: snapshot.moment)) / Double(length)
    }
}
