import OSC
import OSCRemote

/// Follows what an instance plays, as any client can: it subscribes to `now`, keeps its lease, notices what it has missed, and counts
/// the time by itself.
///
/// A value without socket or clock: packets and instants come in, messages go out.
package struct Follower: Sendable {
    /// The instance answers, and all that it tells is known.
    package private(set) var isFollowing = false
    /// Why not; `nil` as long as there was no time to find out.
    package private(set) var trouble: Trouble?
    /// What was told last; stays when the instance goes.
    package private(set) var told: NowTold?
    /// Positions that were told otherwise than they had been counted.
    package private(set) var jumpCount = 0
    /// dBFS, left and right, if asked for.
    package private(set) var peak: (left: Double, right: Double)?

    package enum Trouble: Equatable, Sendable {
        case silence
        /// Its host says that nobody listens there.
        case nobodyThere
        /// It has said goodbye, and why.
        case gone(String)
        /// It does not want us.
        case refused(String)
    }

    /// Seconds between two subscriptions that are not answered, between two that mend a gap, and between two looks at the clock, which
    /// also renew the lease.
    private static let (seekInterval, mendInterval, probeInterval) = (1.0, 0.25, 3.0)
    /// Seconds of silence after which the instance is taken to have gone: it says that it is alive every 5 s, and answers every probe.
    private static let patience = 7.0
    /// Seconds by which a position may differ from the one counted.
    private static let tolerance = 0.05

    private let topics: [String]
    private var clock = PeerClock()
    private var bootID: Int64?
    /// Of the last change that came; `nil` where any number may be the first.
    private var lastChange: Int32?
    private var lastHeard = -Double.infinity
    private var lastSubscription = -Double.infinity
    private var lastProbe = -Double.infinity
    private var lostAt: Instant?
    /// A subscription has been sent, and what it asks for has not come in full.
    private var isWaiting = false
    /// Of that, the first part has come, with all that is shown.
    private var hasBeginning = false
    private var hasMissed = false

    /// - Parameter topics: beside `now`.
    package init(topics: [String] = []) { self.topics = ["now"] + topics }

    /// Position in seconds at an instant; counted no further when the instance has gone.
    package func elapsed(at now: Instant) -> Double {
        told?.elapsed(at: clock.timeTag(at: isFollowing ? now : lostAt ?? now)) ?? 0
    }

    /// Seconds until its sleep timer has everything silent; `nil` without one.
    package func timeToSleep(at now: Instant) -> Double? {
        told?.timeToSleep(at: clock.timeTag(at: isFollowing ? now : lostAt ?? now))
    }

    /// The instance is, or may be, another one from here on.
    package mutating func beginAgain() {
        isFollowing = false
        clock = PeerClock()
        lastSubscription = -.infinity
    }

    /// - Returns: what is to be sent now; to be called some ten times a second.
    package mutating func tick(at now: Instant) -> [Message] {
        if isFollowing, now.seconds - lastHeard > Self.patience { lose(.silence, at: now) }
        var messages: [Message] = []
        let age = now.seconds - lastSubscription
        if isFollowing ? age >= Self.mendInterval && hasMissed || age >= Self.seekInterval && isWaiting : age >= Self.seekInterval {
            if !isFollowing, isWaiting, trouble == nil { trouble = .silence }
            lastSubscription = now.seconds
            (isWaiting, hasBeginning, hasMissed) = (true, false, false)
            messages += topics.map { Message(Conversation.root + "subscribe", [.string($0)]) }
        }
        if isFollowing, now.seconds - lastProbe >= Self.probeInterval {
            lastProbe = now.seconds
            messages.append(Message(Conversation.root + "clock", [.timeTag(now.timeTag)]))
        }
        return messages
    }

    /// The instance's host says that nobody listens.
    package mutating func unreachable(at now: Instant) { lose(.nobodyThere, at: now) }

    package mutating func receive(_ packet: Packet, at now: Instant) {
        lastHeard = now.seconds
        let messages = packet.messages
        guard isNews(messages) else { return }
        if case .bundle(let bundle) = packet { take(bundle, at: now) }
        for message in messages { take(message, at: now) }
    }

    /// Looks at the sign of life among the messages; whether the rest is newer than what is known.
    private mutating func isNews(_ messages: [Message]) -> Bool {
        guard let alive = messages.first(where: { $0.address == Conversation.root + "alive" }), alive.arguments.count == 2,
            case .int64(let boot) = alive.arguments[0], case .int32(let number) = alive.arguments[1]
        else { return true }
        defer { bootID = boot }
        if let bootID, bootID != boot {
            // Started anew between two packets: it knows nothing of us.
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
        // Twice the same, or overtaken on the way.
        guard step > 0 else { return false }
        if step > 1 { hasMissed = true }
        lastChange = number
        return true
    }

    private mutating func take(_ bundle: Bundle, at now: Instant) {
        var new = told ?? NowTold()
        var hasState = false
        var hasPosition = false
        for message in Packet.bundle(bundle).messages where message.address.hasPrefix(NowTold.root) {
            let name = message.address.dropFirst(NowTold.root.count)
            new.take(name, message.arguments)
            if name == "state" { hasState = true }
            if name == "elapsed" { hasPosition = true }
        }
        if hasPosition {
            new.tag = bundle.timeTag == .immediate ? clock.timeTag(at: now) : bundle.timeTag
            if let told, abs(told.elapsed(at: new.tag) - new.elapsed) > Self.tolerance { jumpCount += 1 }
        }
        guard hasState || told != nil else { return }
        hasBeginning = hasBeginning || hasState
        told = new
    }

    private mutating func take(_ message: Message, at now: Instant) {
        guard message.address.hasPrefix(Conversation.root) else { return }
        switch (message.address.dropFirst(Conversation.root.count), message.arguments.first) {
        case ("subscribed", .string("now")): lastChange = nil
        case ("snapshot/end", .string("now")):
            // Without its beginning it is asked for again.
            guard isWaiting, hasBeginning else { return }
            isWaiting = false
            (isFollowing, trouble, lostAt) = (true, nil, nil)
        case ("expired", _): hasMissed = true
        case ("bye", let reason): lose(.gone(reason.map(ArgumentText.plain) ?? ""), at: now)
        case ("error", .string(Conversation.root + "subscribe")):
            if message.arguments.count > 2 { lose(.refused(ArgumentText.plain(message.arguments[2])), at: now) }
        case ("clock", _): clock.take(message.arguments, at: now)
        case ("meter", .float(let left)):
            if message.arguments.count > 1, case .float(let right) = message.arguments[1] { peak = (Double(left), Double(right)) }
        default: break
        }
    }

    private mutating func lose(_ reason: Trouble, at now: Instant) {
        if isFollowing { lostAt = now }
        (isFollowing, trouble, lastChange, peak) = (false, reason, nil, nil)
    }
}
