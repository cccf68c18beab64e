import Playback
import Performance

/// Makes notices about differences between the patch and its sound, caused by sound files, the sample rate, the ceiling or a lack of memory.
struct PlayingNotices {
    private var sounds = SoundFileNotices()
    private var limits = LimitNotices()

    /// The new notices, as sentences for the user; `now` is in seconds on the monotonic clock.
    mutating func words(for performance: LivePerformance, _ state: PlayerState, at now: Double) -> [String] {
        sounds.words(for: performance.takeSoundNotices(), at: now) + limits.words(for: performance, state)
            + performance.shortage.takeNotices().map(SystemLimits.sentence)
    }
}
