import OSC
import Playback

/// Somebody who talks to the server, or is only told.
final class Peer {
    /// Where answers and feedback go.
    let endpoint: PeerAddress
    let role: Role
    /// Named at the start: has no lease and is never dropped.
    let isPermanent: Bool
    /// 0 nothing, 1 errors, 2 all.
    var replies: Int32 = 1
    /// On the monotonic clock, in seconds.
    var lastHeard: Double
    var subscriptions: [Subscription] = []
    /// Times in a row that the network said nobody is there.
    var unreachableCount = 0
    var errorBudget = TokenBucket(perSecond: Peer.errorsPerSecond, burst: Peer.errorsPerSecond)
    /// For `ramp/finished` of bundles beyond the rate of messages; as many as may wait can be dropped together.
    var finishBudget = TokenBucket(perSecond: Peer.finishesPerSecond, burst: Double(BundleSchedule.limitPerPeer))
    var outbox = Outbox()
    /// What the phone feels that sends from there.
    var shakes = ShakeDetector()
    /// Whose hand the player takes this peer's for: that of the address it came from, also after it asked to be answered elsewhere.
    var hand: String
    /// The seek that this peer began and has not ended.
    var heldSeek: SeekDirection?
    /// What this peer has put a hand on, and has not let go.
    var touched: Set<Fader> = []
    /// The one button is down, and this peer has pressed it.
    var pressesButton = false
    var holdsSomething: Bool { heldSeek != nil || !touched.isEmpty || pressesButton }

    static let maximumSubscriptionCount = 16
    static let errorsPerSecond = 10.0
    static let finishesPerSecond = 100.0
    /// Seconds that a lease lasts unless asked, and at most.
    static let defaultLease = 30.0
    static let longestLease = 300.0
    static let unreachableLimit = 3

    struct Subscription {
        let id: Int32
        let topic: Topic
        /// Seconds.
        var lease: Double
        /// When a topic with a rate is sent next.
        var nextSending: Double
    }

    init(_ endpoint: PeerAddress, role: Role, isPermanent: Bool = false, at seconds: Double) {
        self.endpoint = endpoint
        hand = endpoint.description
        self.role = role
        self.isPermanent = isPermanent
        lastHeard = seconds
    }

    /// When the peer, silent from now on, is forgotten.
    var expiry: Double {
        isPermanent ? .infinity : lastHeard + max(Peer.defaultLease, subscriptions.map(\.lease).max() ?? 0)
    }
}
