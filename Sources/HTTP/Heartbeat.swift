/// Detects a client that has vanished without closing its connection: it is pinged after each interval of silence, and disconnected when two
/// pings have gone unanswered for an interval.
///
/// Any byte from the client is a sign of life, not only the pong.
struct Heartbeat {
    enum Beat {
        case ping
        case giveUp
    }

    /// Pings in a row without a byte from the client after which it is disconnected.
    static let patience = 2

    /// The time at which ``beat(at:)`` is to be called, in seconds.
    private(set) var due: Double
    private let interval: Double
    private var unanswered = 0

    /// - Parameter interval: Seconds.
    init(interval: Double, at now: Double) {
        self.interval = interval
        due = now + interval
    }

    mutating func heard(at now: Double) {
        unanswered = 0
        putOff(from: now)
    }

    mutating func putOff(from now: Double) { due = now + interval }

    mutating func beat(at now: Double) -> Beat {
        guard unanswered < Self.patience else { return .giveUp }
        unanswered += 1
        putOff(from: now)
        return .ping
    }
}
