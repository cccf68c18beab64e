import OSC
import OSCRemote

/// The wall clock of another machine, by what it answers to `clock`.
struct PeerClock: Sendable {
    /// Seconds by which it is ahead of ours.
    private var offset = 0.0
    /// Seconds that the best answer took.
    private var bestRoundTrip = Double.infinity
    /// Clocks drift apart: an old answer counts less than a new one that took a little longer.
    private static let ageing = 1.1

    /// What it shows at an instant of ours.
    func timeTag(at now: Instant) -> TimeTag { now.timeTag.advanced(bySeconds: offset) }

    /// - Parameter answer: sent, received, answered.
    mutating func take(_ answer: [Argument], at now: Instant) {
        guard answer.count == 3, case .timeTag(let sent) = answer[0], case .timeTag(let received) = answer[1],
            case .timeTag(let answered) = answer[2]
        else { return }
        let roundTrip = now.timeTag.seconds(since: sent) - answered.seconds(since: received)
        bestRoundTrip *= Self.ageing
        guard roundTrip >= 0, roundTrip <= bestRoundTrip else { return }
        bestRoundTrip = roundTrip
        offset = (received.seconds(since: sent) + answered.seconds(since: now.timeTag)) / 2
    }
}
