import OSC
import OSCRemote
import Terminal

/// Follows what an instance plays, as any client can: it subscribes to `now`, renews its lease, detects lost packets, and extrapolates the
/// position.
///
/// A value without socket or clock: packets and times are passed in, messages are returned.
package struct Follower: Sendable {
    /// Whether the instance answers and its state is completely known.
    package private(set) var isFollowing = false
    /// Why it is not following; `nil` while that is not yet known.
    package private(set) var trouble: Trouble?
    /// The last received state; kept when the instance is gone.
    package private(set) var nowPlaying: ReceivedNowPlaying?
    /// Received positions that differed from the extrapolated one.
    package private(set) var jumpCount = 0
    /// Peak levels in dBFS, left and right, if requested.
    package private(set) var peak: (left: Double, right: Double)?
    /// Levels, layers and chapters, if requested.
    package private(set) var mixer = ReceivedMixer()
    /// Why commands were refused, as sentences for the user, until they are taken.
    private var refusals: [String] = []

    package enum Trouble: Equatable, Sendable {
        case silence
        /// The instance's host reports that nobody listens there.
        case nobodyThere
        /// The instance has said goodbye, for this reason.
        case gone(String)
        /// The instance refuses the subscription.
        case refused(String)
    }

    /// Seconds between subscriptions that are not answered, between requests to repair a gap, and between clock requests, which also renew
    /// the lease.
    private static let (seekInterval, mendInterval, probeInterval) = (1.0, 0.25, 3.0)
    /// Seconds of silence after which the instance counts as gone: it sends `alive` every 5 s, and answers every clock request.
    private static let patience = 7.0
    /// Seconds after which a value that was set here is read again.
    private static let readAgainAfter = 0.5
    /// Seconds by which a position may differ from the extrapolated one.
    private static let tolerance = 0.05

    private let topics: [String]
    private var clock = PeerClock()
    private var bootID: Int64?
    /// The number of the last change; `nil` if any number may be the first.
    private var lastChange: Int32?
    private var lastHeard = -Double.infinity
    private var lastSubscription = -Double.infinity
    private var lastProbe = -Double.infinity
    private var lostAt: Instant?
    /// Addresses whose value was set here, and the time in seconds at which it is read again, since the message may be lost or refused.
    private var doubtful: [String: Double] = [:]
    /// Whether a subscription was sent whose answer is not complete.
    private var isWaiting = false
    /// Whether the first part of that answer, with everything that is shown, has come.
    private var hasBeginning = false
    private var hasMissed = false

    /// - Parameter topics: further topics beside `now`.
    package init(topics: [String] = []) { self.topics = ["now"] + topics }

    /// The position in seconds at a time; it stops when the instance is gone.
    package func elapsed(at now: Instant) -> Double {
        nowPlaying?.elapsed(at: clock.timeTag(at: isFollowing ? now : lostAt ?? now)) ?? 0
    }

    /// Seconds until the instance's sleep timer has faded everything out; `nil` without one.
    package func timeToSleep(at now: Instant) -> Double? {
        nowPlaying?.timeToSleep(at: clock.timeTag(at: isFollowing ? now : lostAt ?? now))
    }

    /// Starts over, since the instance is or may be another one.
    package mutating func beginAgain() {
        isFollowing = false
        clock = PeerClock()
        lastSubscription = -.infinity
    }

    /// - Returns: the messages to send now. To be called about ten times a second.
    package mutating func tick(at now: Instant) -> [OSCMessage] {
        if isFollowing, now.seconds - lastHeard > Self.patience { lose(.silence, at: now) }
        var messages: [OSCMessage] = []
        let age = now.seconds - lastSubscription
        if isFollowing ? age >= Self.mendInterval && hasMissed || age >= Self.seekInterval && isWaiting : age >= Self.seekInterval {
            if !isFollowing, isWaiting, trouble == nil { trouble = .silence }
            lastSubscription = now.seconds
            (isWaiting, hasBeginning, hasMissed) = (true, false, false)
            messages += topics.map { OSCMessage(Conversation.root + "subscribe", [.string($0)]) }
        }
        if isFollowing, now.seconds - lastProbe >= Self.probeInterval {
            lastProbe = now.seconds
            messages.append(OSCMessage(Conversation.root + "clock", [.timeTag(now.timeTag)]))
        }
        let due = doubtful.filter { $0.value <= now.seconds }.keys.sorted()
        for address in due { doubtful[address] = nil }
        return messages + due.map { OSCMessage($0) }
    }

    /// The message for a key; its value is shown at once, since the instance does not send a value back to its sender at once.
    package mutating func message(for action: KeyAction, at now: Instant) -> OSCMessage? {
        guard isFollowing, let message = action.message else { return nil }
        if !message.arguments.isEmpty { doubtful[message.address] = now.seconds + Self.readAgainAfter }
        mixer.take(message.address.dropFirst(Conversation.root.count), message.arguments)
        return message
    }

    /// Returns and forgets the sentences about refused commands.
    package mutating func takeRefusals() -> [String] {
        defer { refusals = [] }
        return refusals
    }

    /// The instance's host reports that nobody listens.
    package mutating func unreachable(at now: Instant) { lose(.nobodyThere, at: now) }

    package mutating func receive(_ packet: OSCPacket, at now: Instant) {
        lastHeard = now.seconds
        let messages = packet.messages
        guard isNew(messages) else { return }
        if case .bundle(let bundle) = packet { take(bundle, at: now) }
        for message in messages { take(message, at: now) }
    }

    /// Checks the `alive` message; returns whether the other messages are newer than the known state.
    private mutating func isNew(_ messages: [OSCMessage]) -> Bool {
        guard let alive = messages.first(where: { $0.address == Conversation.root + "alive" }), alive.arguments.count == 2,
            case .int64(let boot) = alive.arguments[0], case .int32(let number) = alive.arguments[1]
        else { return true }
        defer { bootID = boot }
        if let bootID, bootID != boot {
            // The instance was restarted between two packets, so the subscription is gone.
            (hasMissed, lastChange) = (true, number)
            return true
        }
        guard let last = lastChange else {
            lastChange = number
            return true
        }
        let step = number &- last
        if messages.count == 1 {
            if step > 0 { (hasMissed, lastChange) = (true, number) }
            return true
        }
        // A duplicate, or overtaken on the way.
        guard step > 0 else { return false }
        if step > 1 { hasMissed = true }
        lastChange = number
        return true
    }

    private mutating func take(_ bundle: OSCBundle, at now: Instant) {
        var new = nowPlaying ?? ReceivedNowPlaying()
        var hasState = false
        var hasPosition = false
        for message in OSCPacket.bundle(bundle).messages where message.address.hasPrefix(ReceivedNowPlaying.root) {
            let name = message.address.dropFirst(ReceivedNowPlaying.root.count)
            new.take(name, message.arguments)
            if name == "state" { hasState = true }
            if name == "elapsed" { hasPosition = true }
        }
        if hasPosition {
            new.tag = bundle.timeTag == .immediate ? clock.timeTag(at: now) : bundle.timeTag
            if let nowPlaying, abs(nowPlaying.elapsed(at: new.tag) - new.elapsed) > Self.tolerance { jumpCount += 1 }
        }
        guard hasState || nowPlaying != nil else { return }
        hasBeginning = hasBeginning || hasState
        nowPlaying = new
    }

    private mutating func take(_ message: OSCMessage, at now: Instant) {
        guard message.address.hasPrefix(Conversation.root) else { return }
        switch (message.address.dropFirst(Conversation.root.count), message.arguments.first) {
        case ("subscribed", .string("now")): lastChange = nil
        case ("snapshot/end", .string("now")):
            // If the first part is missing, the state is requested again.
            guard isWaiting, hasBeginning else { return }
            isWaiting = false
            (isFollowing, trouble, lostAt) = (true, nil, nil)
        case ("expired", _): hasMissed = true
        case ("bye", let reason): lose(.gone(reason.map(ArgumentText.plain) ?? ""), at: now)
        case ("error", .string(Conversation.root + "subscribe")):
            if message.arguments.count > 2 { lose(.refused(ArgumentText.plain(message.arguments[2])), at: now) }
        case ("error", .string(let address)):
            guard message.arguments.count > 2, refusals.count < 16 else { return }
            refusals.append("\(address): \(ArgumentText.plain(message.arguments[2]))")
            if doubtful[address] != nil { doubtful[address] = now.seconds }
        case ("clock", _): clock.take(message.arguments, at: now)
        case ("meter", .float(let left)):
            if message.arguments.count > 1, case .float(let right) = message.arguments[1] { peak = (Double(left), Double(right)) }
        default: mixer.take(message.address.dropFirst(Conversation.root.count), message.arguments)
        }
    }

    private mutating func lose(_ reason: Trouble, at now: Instant) {
        if isFollowing { lostAt = now }
        (isFollowing, trouble, lastChange, peak) = (false, reason, nil, nil)
    }
}
