import Playback

/// The position that a client shows, which it computes from the last position that it read and the rate.
struct ReportedTimeline {
    private var item: Int?
    private var nowPlaying: NowPlaying
    private var sampleRate: Int
    /// The wall-clock time of the info, in seconds.
    private var time: Double
    /// Whether clients may have read a position that now playing does not have yet, as after a seek while a fade-out ends.
    private var isPreceded: Bool

    /// Seconds that the position may be off by rounding, and by xruns or clocks that drift apart.
    private static let rounding = 0.005
    private static let drift = 0.1
    /// Seconds into a new item up to which it counts as begun at its start.
    private static let start = 0.5

    init(_ snapshot: Snapshot) {
        item = snapshot.player.current?.id
        nowPlaying = snapshot.nowPlaying
        sampleRate = snapshot.player.sampleRate
        time = snapshot.clock.seconds(of: snapshot.nowPlaying.moment)
        let shown = snapshot.player.elapsed(at: snapshot.moment)
        isPreceded = snapshot.player.playback != .playing && abs(shown - snapshot.nowPlaying.elapsed) > Self.rounding
    }

    /// - Returns: the position in microseconds, if clients cannot predict it.
    mutating func update(_ snapshot: Snapshot) -> Int64? {
        let before = self
        self = ReportedTimeline(snapshot)
        guard self.nowPlaying != before.nowPlaying || item != before.item else {
            // The last published info keeps the clock that it was published with.
            time = before.time
            isPreceded = isPreceded || before.isPreceded
            return nil
        }
        return before.isPreceded || jumps(from: before) ? PlayerProperties.position(snapshot) : nil
    }

    private func jumps(from before: ReportedTimeline) -> Bool {
        guard item != nil else { return false }
        guard item == before.item else { return nowPlaying.elapsed > Self.start }
        let rate = before.nowPlaying.rate
        let rounding = Self.rounding * max(1, rate)
        if rate == 0 || sampleRate == before.sampleRate {
            let passed = Double(nowPlaying.moment.frame - before.nowPlaying.moment.frame) / Double(max(1, sampleRate))
            if abs(nowPlaying.elapsed - before.nowPlaying.elapsed - passed * rate) > rounding { return true }
        }
        return rate != 0 && abs(nowPlaying.elapsed - before.nowPlaying.elapsed - (time - before.time) * rate) > Self.drift * max(1, rate)
    }
}
