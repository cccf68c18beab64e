import OSC
import Playback

/// The addresses of now playing, in the order of the bundle: first those that a display needs, long texts last.
enum NowPlayingRows {
    static let all: [Row] = [
        now("state", "s", "playing, paused, stopped or interrupted (JACK is away).") { [.string($0.state.rawValue)] },
        now("elapsed", "f", as: .seconds, "Position at the instant of the bundle's time tag; a client adds (now - tag) * rate.") {
            [.float(Float($0.elapsed))]
        },
        now("frame", "h", "The position in frames, exact.") { [.int64($0.frame)] },
        now("rate", "f", "Speed of the timeline; 0 unless playing.") { [.float(Float($0.rate))] },
        now("rate/default", "f", "Speed that play uses.") { [.float(Float($0.defaultRate))] },
        now("duration", "f", as: .seconds, "Length of the item; 0 if endless.") { [.float(Float($0.duration))] },
        now("queue", "ii", fields: [Field("item"), Field("of")], "Index of the current item, from 1, and number of items.") {
            [.count($0.queueIndex), .count($0.queueCount)]
        },
        now(
            "chapter", "iis", fields: [Field("number"), Field("of"), Field("title")],
            "Index of the chapter, from 1, number of chapters, title."
        ) {
            [.count($0.chapterIndex), .count($0.chapterCount), .text($0.chapterTitle)]
        },
        now("id", "s", "The item's identifier in the session.") { [.text($0.id)] },
        now("title", "s", "Title of the item.") { [.text($0.title, limit: Text.titleLimit)] },
        now("rating", "f", as: Quantity(0...5), "Rating of the item.") { [.float(Float($0.rating))] },
        now("liked", "i", as: .norm, "Whether the listener likes the item.") { [.flag($0.isLiked)] },
        now("sleep", "f", as: .seconds, "Time until the sleep timer's silence, at the instant of the time tag; 0 if not set.") {
            [.float(Float($0.timeToSleep))]
        },
        Row(
            "now/start", out: "f", as: Quantity(-1...86_400, "s"),
            "Time until it starts by itself (--at), at the instant of the time tag; -1 if it does not.", group: .now,
            isPatternTarget: true
        ) { [.float(Float($0.timeToStart))] },
        now("artist", "s", "Artist of the item.") { [.text($0.artist)] },
        now("album", "s", "Album of the item.") { [.text($0.album)] },
        now("composer", "s", "Composer of the item.") { [.text($0.composer)] },
        now("genre", "s", "Genre of the item.") { [.text($0.genre)] },
        now("track", "ii", "Track number and number of tracks; always 0 0, since patches have none.") { _ in [.int32(0), .int32(0)] },
        now("disc", "ii", "Disc number and number of discs; always 0 0, since patches have none.") { _ in [.int32(0), .int32(0)] },
        now("artwork", "s", isPath: true, "File of the item's picture; one is drawn if the patch has none.") { [.path($0.artwork)] },
        now("comment", "s", "Comment of the item.") { [.text($0.comment, limit: Text.commentLimit)] },
    ]

    /// Positions for surfaces that cannot extrapolate, sent at the rate of the topic.
    static let clock: [Row] = [
        Row("now/tick", out: "f", as: .seconds, "Position in the item at this moment.", group: .tick, isPatternTarget: true) {
            [.float(Float($0.fresh.elapsed))]
        },
        Row(
            "now/norm", out: "f", as: .norm, "Position as a fraction of the duration; 0 in endless items.", group: .tick,
            isPatternTarget: true
        ) {
            let now = $0.fresh
            return [.float(now.duration > 0 ? Float(now.elapsed / now.duration) : 0)]
        },
        Row("now/text", out: "s", "Position and duration as text, such as 12:34 / 30:00.", group: .tick, isPatternTarget: true) {
            [.string(Text.clock($0.fresh))]
        },
        Row(
            "meter", out: "ffff", as: decibels,
            fields: [
                Field("peak left", decibels), Field("right", decibels), Field("RMS left", decibels), Field("right", decibels),
            ], "Peak left and right, RMS left and right, in dBFS.", group: .meters,
            isPatternTarget: true
        ) {
            let meter = $0.snapshot.meter
            return [meter.peakLeft, meter.peakRight, meter.rmsLeft, meter.rmsRight].map { .float(Float($0)) }
        },
    ]

    private static let decibels = Quantity(-120...0, "dB")

    private static func now(
        _ name: String, _ outputs: String, as quantity: Quantity? = nil, fields: [Field] = [], isPath: Bool = false, _ summary: String,
        _ read: @escaping @Sendable (NowPlaying) -> [OSCArgument]
    ) -> Row {
        Row("now/\(name)", out: outputs, as: quantity, fields: fields, summary, group: .now, isPatternTarget: true, isPath: isPath) {
            read($0.snapshot.nowPlaying)
        }
    }
}

extension Reading {
    /// The now-playing info at the snapshot's moment, not as last published.
    var fresh: NowPlaying { NowPlaying(player, at: snapshot.moment, start: snapshot.start) }

    /// This reading with the now-playing info at the snapshot's moment, for answers that have that time tag, or none.
    var atPresent: Reading {
        var reading = self
        reading.snapshot.nowPlaying = fresh
        return reading
    }

    /// Seconds from the now-playing info's moment to the program's start to play by itself; -1 if it does not.
    fileprivate var timeToStart: Double {
        let nowPlaying = snapshot.nowPlaying
        return nowPlaying.start.map { max(0, $0 - snapshot.clock.seconds(of: nowPlaying.moment)) } ?? -1
    }
}

extension Quantity {
    fileprivate static let seconds = Quantity(0...31_536_000, "s")
}
