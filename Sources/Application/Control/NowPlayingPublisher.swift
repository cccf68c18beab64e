import POSIX
import Foundation
import Playback
import Performance

/// Decides when now playing is published: not before it is known where a start or a silence takes effect, and again when the clocks have
/// drifted apart. Belongs to the control actor.
struct NowPlayingPublisher {
    private let center = NowPlayingCenter()
    /// When the pending start or silence was requested, in seconds on the monotonic clock; surfaces get the exact position once it is
    /// reported.
    private var settlingSince: Double?
    /// The wall-clock time of the published info's moment.
    private var publishedAt = 0.0
    private var outOfStepSince: Double?

    /// Seconds after which the present knowledge is published (a long period, a stalled server).
    private static let settlingLimit = 0.1
    /// Seconds that an extrapolated position may be off.
    private static let outOfStepLimit = 0.5

    var nowPlaying: NowPlaying { center.nowPlaying }

    /// Whether publishing has to wait for the engine's report of a start or a silence.
    mutating func waits(for performance: LivePerformance, hasAudio: Bool) -> Bool {
        guard performance.isSettling, hasAudio else {
            settlingSince = nil
            return false
        }
        let now = MonotonicClock.seconds
        let since = settlingSince ?? now + performance.headStart
        settlingSince = since
        return now - since < Self.settlingLimit
    }

    /// Publishes if there is news, or if the published position does not run with the sound.
    ///
    /// - Parameter period: seconds of JACK's period; `nil` if positions are not compared, as under freewheel.
    mutating func update(from state: PlayerState, at moment: Moment, _ clock: Snapshot.Clock, period: Double?) {
        if center.update(from: state, at: moment) {
            publishedAt = clock.seconds(of: center.nowPlaying.moment)
        } else if isOutOfStep(clock, period: period) {
            center.tell(state, at: moment)
            publishedAt = clock.seconds(of: moment)
        }
    }

    /// Whether an extrapolated position has been off by more than a period for a while, because an xrun dropped frames or the clocks
    /// drifted apart. A single late cycle does not count.
    private mutating func isOutOfStep(_ clock: Snapshot.Clock, period: Double?) -> Bool {
        let published = center.nowPlaying
        guard published.rate != 0, let period, abs(clock.seconds(of: published.moment) - publishedAt) > max(period, 0.003) else {
            outOfStepSince = nil
            return false
        }
        let now = MonotonicClock.seconds
        let since = outOfStepSince ?? now
        outOfStepSince = since
        return now - since >= Self.outOfStepLimit
    }
}
