import OSC
import Playback

/// The addresses of the listener's other controls: held seeks, rate, order, ratings, bookmarks, undo, the one-button remote control.
enum ListenerRows {
    static let all: [Row] =
        SeekDirection.allCases.flatMap { direction -> [Row] in
            let (path, kind): (String, RemoteCommandKind) =
                direction == .forward ? ("seek/forward", .seekForward) : ("seek/backward", .seekBackward)
            return [
                Row(
                    path, in: [Input("held", .flag, isOptional: true)],
                    "1 starts seeking, faster the longer it is held; it stops at 0 or after 10 s.",
                    action: .commands { [.seek(direction, begins: $0.values[0] == nil || $0.flag(0))] }),
                .enabled(path, kind),
            ]
        }
        + [
            Row(
                "rate", in: [Input("rate", .number(Quantity(PlayerState.rateRange, "")))], out: "f",
                "Speed of the timeline; pitches and beats are unaffected.",
                group: .commands, isPatternTarget: true, read: { [.float(Float($0.player.rate))] },
                action: .commands { [.changeRate(to: $0.number(0))] }),
            .twin(of: "rate", .exponential(PlayerState.rateRange), .ratio, group: .commands, read: \.rate) { .changeRate(to: $0) },
            .enabled("rate", .rate),
            Row(
                "rate/range", out: "ff", fields: [Field("lowest"), Field("highest")], "Lowest and highest rate.", group: .commands,
                isPatternTarget: true
            ) { _ in
                [.float(Float(PlayerState.rateRange.lowerBound)), .float(Float(PlayerState.rateRange.upperBound))]
            },
            Row(
                "shuffle", in: [Input("mode", .choice(ShuffleMode.allCases.map(\.rawValue)))], out: "s",
                "Playing order: off as listed, items in random order, each once.",
                group: .commands, isPatternTarget: true,
                read: { [.string(($0.player.shuffledOrder == nil ? ShuffleMode.off : .items).rawValue)] },
                action: .commands { request in
                    [.changeShuffleMode(to: ShuffleMode.allCases[request.integer(0) ?? 0], seed: .random(in: 0...UInt64.max))]
                }),
            .enabled("shuffle", .shuffleMode),
            Row(
                "rating", in: [Input("rating", .number(Quantity(0...5, "")))], out: "f", "Rating of the current item.",
                group: .commands, isPatternTarget: true, read: { [.float(Float($0.player.current?.rating ?? 0))] },
                action: .commands { [.rate($0.number(0))] }),
            .twin(of: "rating", .linear(0...5), .ratio, group: .commands, read: { $0.current?.rating ?? 0 }) { .rate($0) },
            .enabled("rating", .rating),
            mark("like", "1: the listener likes the current item.", { .like($0) }) { $0.player.current?.liked == true },
            .enabled("like", .like),
            mark("dislike", "1: the listener does not like the current item; clears like.", { .dislike($0) }) {
                $0.player.current?.liked == false
            },
            .enabled("dislike", .dislike),
            Row(
                "bookmark", in: [Input("marked", .flag)], out: "i", "1 bookmarks the position, 0 removes the bookmark there.",
                group: .commands, read: { [.flag($0.player.current?.bookmark(at: $0.player.elapsed(at: $0.snapshot.moment)) != nil)] },
                action: .commands { [.bookmark($0.flag(0))] }),
            .enabled("bookmark", .bookmark),
            Row(
                "bookmark/list", in: [.press],
                "Answers bookmark/item with index, time for the first 256 of the current item; then bookmark/end.",
                role: .view,
                action: .exchange(
                    .list("bookmark") { reading in
                        (reading.player.current?.bookmarks ?? []).prefix(256).enumerated().map { [.count($0 + 1), .float(Float($1))] }
                    })),
            Row("undo", in: [.press], "Undoes the last change of a layer, chapter or cue, over 50 ms.", action: .commands { _ in [.undo] }),
            .enabled("undo", .undo),
            Row("redo", in: [.press], "Redoes the change that was undone last.", action: .commands { _ in [.redo] }),
            .enabled("redo", .redo),
            Row(
                "undo/depth", out: "ii", fields: [Field("undo"), Field("redo")], "Numbers of steps that can be undone and redone.",
                group: .commands,
                isPatternTarget: true
            ) {
                [.count($0.player.history.undoDepth), .count($0.player.history.redoDepth)]
            },
            Row(
                "button", in: [Input("down", .flag, isOptional: true)],
                "One-button remote: one press toggles, two go to the next item, three to the previous one.",
                action: .commands {
                    $0.values[0] == nil ? [.button(isDown: true), .button(isDown: false)] : [.button(isDown: $0.flag(0))]
                }),
            .enabled("button", .button),
            Row(
                "shake", in: [.press], "Runs the command in preferences/shake, as shaking the phone does.",
                action: .commands { _ in [.shake] }),
            .enabled("shake", .shake),
            Row(
                "accxyz", in: ["x", "y", "z"].map { Input($0, .number(Quantity(-100...100, "g"))) },
                "A phone's acceleration, 10 to 100 times a second; a detected shake runs the command shake.", role: .view,
                action: .exchange(.acceleration)),
        ]

    private static func mark(
        _ path: String, _ summary: String, _ command: @escaping @Sendable (Bool) -> Command,
        read: @escaping @Sendable (Reading) -> Bool
    ) -> Row {
        Row(
            path, in: [Input("marked", .flag)], out: "i", summary, group: .commands, isPatternTarget: true, read: { [.flag(read($0))] },
            action: .commands { [command($0.flag(0))] })
    }
}
