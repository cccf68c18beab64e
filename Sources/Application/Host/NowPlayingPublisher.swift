import OperatingSystem
import Foundation
import Playback
import Performance

/// Decides when now playing is published: not before it is known where a start or a silence takes effect, and again when the clocks have
/// drifted apart.
struct NowPlayingPublisher {
    private let center = NowPlayingCenter()
    /// The time at which the pending start or silence was requested, in seconds on the monotonic clock; front ends get the exact
    /// position once it is reported.
    private var settlingSince: Double?
    /// The wall-clock time of the published info's moment.
    private var publishedAt = 0.0
    private var outOfStepSince: Double?

    /// The time in seconds after which now playing is published even without that report (long period, stalled server).
    private static let settlingLimit = 0.1
    /// The time in seconds that an extrapolated position may be off.
    private static let outOfStepLimit = 0.5

    var nowPlaying: NowPlaying { center.nowPlaying }

    /// Whether publishing has to wait for the engine's report of a start or a silence.
    ///
    /// - Parameter now: Seconds on the monotonic clock, as for ``update(from:at:_:start:period:now:)``.
    mutating func waits(for performance: LivePerformance, hasAudio: Bool, at now: Double) -> Bool {
        guard performance.isSettling, hasAudio else {
            settlingSince = nil
            return false
        }
        let since = settlingSince ?? now + performance.headStart
        settlingSince = since
        return now - since < Self.settlingLimit
    }

    /// Publishes if something has changed, or if the published position has drifted away from the sound.
    ///
    /// - Parameters:
    ///   - start: when the program starts to play by itself, in seconds since 1970.
    ///   - period: seconds of JACK's period; `nil` if positions are not compared, as under freewheel.
    mutating func update(from state: PlayerState, at moment: Moment, _ clock: Snapshot.Clock, start: Double?, period: Double?, now: Double)
    {
        if center.update(from: state, at: moment, start: start) {
            publishedAt = clock.seconds(of: center.nowPlaying.moment)
        } else if isOutOfStep(clock, period: period, now: now) {
            center.publish(state, at: moment, start: start)
            publishedAt = clock.seconds(of: moment)
        }
    }

    /// Whether an extrapolated position has been off by more than a period for a while, because an xrun dropped frames or the clocks
    /// drifted apart. A single late cycle does not count.
    private mutating func isOutOfStep(_ clock: Snapshot.Clock, period: Double?, now: Double) -> Bool {
        let published = center.nowPlaying
        guard published.rate != 0, let period, abs(clock.seconds(of: published.moment) - publishedAt) > max(period, 0.003) else {
            outOfStepSince = nil
            return false
        }
        let since = outOfStepSince ?? now
        outOfStepSince = since
        return now - since >= Self.outOfStepLimit
    }
}
