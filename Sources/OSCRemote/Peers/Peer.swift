import OSC
import OperatingSystem
import Playback

/// A client of the server, or a surface that only gets feedback.
final class Peer {
    /// The address for answers and feedback.
    let endpoint: PeerAddress
    let role: Role
    /// Whether it was configured at the start: it has no lease and is never dropped.
    let isPermanent: Bool
    /// The replies that it gets: 0 none, 1 errors, 2 all.
    var replies: Int32 = 1
    /// Its name in lists of peers, from `hello`.
    var name = ""
    /// The time at which it was first heard, in seconds on the monotonic clock.
    let firstHeard: Double
    /// The time at which it was last heard, in seconds on the monotonic clock.
    var lastHeard: Double
    var subscriptions: [Subscription] = []
    /// The number of consecutive reports by the network that nobody receives at this address.
    var unreachableCount = 0
    var errorBudget = TokenBucket(perSecond: Peer.errorsPerSecond, burst: Peer.errorsPerSecond)
    /// The budget for `ramp/finished` of bundles beyond the message rate; all waiting bundles can be dropped together.
    var finishBudget = TokenBucket(perSecond: Peer.finishesPerSecond, burst: Double(BundleSchedule.limitPerPeer))
    /// The budget for the addresses that its patterns match, and for the items of long lists.
    var patternBudget = TokenBucket(perSecond: Peer.matchesPerSecond, burst: Peer.matchBurst)
    var outbox = Outbox()
    /// Detects shakes in the accelerations that a phone sends.
    var shakes = ShakeDetector()
    var holds: Holds

    static let maximumSubscriptionCount = 16
    static let errorsPerSecond = 10.0
    static let finishesPerSecond = 100.0
    /// Addresses that a peer's patterns may match in a second, in messages and in subscriptions; the burst is enough to subscribe to all values
    /// of 64 layers several times.
    static let matchesPerSecond = 6400.0
    static let matchBurst = 24_000.0
    /// The default duration of a lease in seconds, followed by the maximum.
    static let defaultLease = 30.0
    static let longestLease = 300.0
    static let unreachableLimit = 3

    struct Subscription {
        let id: Int32
        let topic: Topic
        /// The duration of the lease in seconds.
        var lease: Double
        /// The time at which the next message of a topic with a rate is due.
        var nextSending: Double
    }

    init(_ endpoint: PeerAddress, role: Role, isPermanent: Bool = false, at seconds: Double) {
        self.endpoint = endpoint
        holds = Holds(sender: endpoint.description)
        self.role = role
        self.isPermanent = isPermanent
        (firstHeard, lastHeard) = (seconds, seconds)
    }

    /// The time at which the peer is forgotten if it stays silent.
    var expiry: Double {
        isPermanent ? .infinity : lastHeard + max(Peer.defaultLease, subscriptions.map(\.lease).max() ?? 0)
    }
}
