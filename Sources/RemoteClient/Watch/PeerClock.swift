import OSC
import OSCRemote

/// The wall clock of another machine, estimated from its answers to `clock`.
struct PeerClock: Sendable {
    /// Seconds by which it is ahead of the local clock.
    private var offset = 0.0
    /// Round-trip time of the best answer in seconds.
    private var bestRoundTrip = Double.infinity
    /// The clocks drift, so an old answer counts less than a new one that took a little longer.
    private static let ageing = 1.1

    /// The other machine's time at a local time.
    func timeTag(at now: Instant) -> TimeTag { now.timeTag.advanced(bySeconds: offset) }

    /// - Parameter answer: the times at which the request was sent and received, and the answer was sent.
    mutating func take(_ answer: [OSCArgument], at now: Instant) {
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
