import Playback
import Performance

/// Makes notices about what is heard otherwise than it was written: sound files, sample rate and ceiling.
struct PlayingWatch {
    private var sounds = SoundWatch()
    private var limits = LimitWatch()

    /// The new notices, as sentences for the user.
    mutating func words(for performance: LivePerformance, _ state: PlayerState) -> [String] {
        sounds.words(for: performance.takeSoundNotices(), at: .now) + limits.words(for: performance, state)
    }
}
