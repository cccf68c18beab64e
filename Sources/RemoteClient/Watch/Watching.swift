import Foundation
import OSC
import OSCRemote
import Synchronization
import Terminal

/// Keys on their way to the thread that follows the instance.
package final class WaitingKeys: Sendable {
    private let keys = Mutex<[Key]>([])

    package init() {}

    /// Adds a key; any thread.
    package func add(_ key: Key) { keys.withLock { if $0.count < 64 { $0.append(key) } } }

    func take() -> [Key] {
        keys.withLock { keys in
            defer { keys = [] }
            return keys
        }
    }
}

/// Looks for an instance, follows it, shows it, and sends it the commands of the keys, until asked to end.
package struct Watching {
    private let find: () throws -> RunningInstance
    private let terminal: TerminalView
    private let showsPeak: Bool
    private let keys: WaitingKeys
    private var selection = KeySelection()
    private var follower: Follower
    private var channel: InstanceChannel?
    /// Why no instance can be reached.
    private var trouble: String?
    private var lastLook = -Double.infinity
    /// The levels in words.
    private var levels = SettledText()
    /// The time at which the state was completely known, in seconds; the levels follow.
    private var followedSince: Double?
    /// Whether an instance has been followed.
    private var hasFollowed = false

    /// Seconds between attempts to find a missing instance.
    private static let lookInterval = 1.0
    /// Seconds in which the levels arrive after the rest.
    private static let levelsDelay = 1.0
    /// The interval between updates, often enough for the eye.
    private static let pause = Duration.milliseconds(50)

    /// - Parameters:
    ///   - showsPeak: Whether the levels are shown even if there is no room for meters.
    ///   - find: returns the instance's present address, which may change when it is restarted.
    package init(_ terminal: TerminalView, keys: WaitingKeys, showsPeak: Bool, find: @escaping () throws -> RunningInstance) {
        self.find = find
        self.terminal = terminal
        self.keys = keys
        self.showsPeak = showsPeak
        // A pipe gets a line for a change, so it needs no meters.
        // The session has the preferences, and among them the highest master level.
        follower = Follower(topics: ["layers", "mixer", "session"] + (terminal.hasLiveLines ? ["meters/100"] : []))
    }

    /// Blocks its thread for as long as `isWanted` is true.
    package mutating func run(while isWanted: () -> Bool) {
        while isWanted() {
            let now = Instant.current()
            if !follower.isFollowing, now.seconds - lastLook >= Self.lookInterval {
                lastLook = now.seconds
                look()
            }
            hear(at: now)
            for key in keys.take() { press(key, at: now) }
            for message in follower.tick(at: now) { channel?.send(message) }
            for sentence in follower.takeRefusals() { terminal.print(sentence) }
            show(at: now)
            if let channel { channel.wait(until: .now + Self.pause) } else { usleep(50_000) }
        }
        channel?.send(OSCMessage(Conversation.root + "unsubscribe"))
    }

    private mutating func press(_ key: Key, at now: Instant) {
        guard follower.isFollowing || key == .help else { return }
        guard key != .help || terminal.hasLiveLines else {
            for line in KeyList.lines { terminal.print(line) }
            return
        }
        // Without layers, the keys for them have nothing to change.
        var mixer = follower.mixer.mixer ?? TerminalMixer()
        mixer.timeToSleep = follower.timeToSleep(at: now)
        mixer.chapterCount = follower.nowPlaying?.chapter.count ?? 0
        let action = selection.action(of: key, mixer)
        if case .print(let lines) = action {
            for line in lines { terminal.print(line) }
        } else if let message = follower.message(for: action, at: now) {
            channel?.send(message)
        }
    }

    private mutating func look() {
        do {
            let instance = try find()
            trouble = nil
            guard channel?.address != instance.address else { return }
            channel = try InstanceChannel(to: instance.address)
            follower.beginAgain()
        } catch {
            channel = nil
            trouble = "\(error)"
        }
    }

    private mutating func hear(at now: Instant) {
        while let event = channel?.receive() {
            switch event {
            case .packet(let packet): follower.receive(packet, at: now)
            case .unreachable: follower.unreachable(at: now)
            }
        }
    }

    private mutating func show(at now: Instant) {
        let reason = follower.isFollowing ? nil : trouble ?? follower.trouble.map(sentence)
        // Just after the start the state is still unknown.
        guard follower.isFollowing || reason != nil else { return }
        followedSince = follower.isFollowing ? followedSince ?? now.seconds : nil
        hasFollowed = hasFollowed || follower.isFollowing
        // A line stays as it is, so it waits for the levels.
        if !terminal.hasLiveLines, follower.mixer.mixer == nil, let followedSince, now.seconds - followedSince < Self.levelsDelay { return }
        if let mixer = follower.mixer.mixer { levels.update(mixer.levels, at: now.seconds) }
        var status = WatchStatus(follower, at: now)
        status.showsPeak = showsPeak
        status.selection = selection
        status.address = channel?.address.url ?? ""
        status.trouble = reason
        status.levels = levels
        terminal.update(status)
    }

    private func sentence(_ trouble: Follower.Trouble) -> String {
        let place = channel.map { "\($0.address)" } ?? ""
        switch trouble {
        case .silence: return "No answer from \(place): waiting for it."
        case .nobodyThere where hasFollowed: return "Nothing is listening at \(place) any more: waiting for it to come back."
        case .nobodyThere: return "Nothing is listening at \(place). Waiting for an instance there; 'binaural play' starts one."
        case .gone(let reason): return "The instance has ended\(reason.isEmpty ? "" : " (\(reason))"): waiting for it to come back."
        case .refused(let reason): return "\(place) refused: \(reason)"
        }
    }
}

extension PeerAddress {
    /// The address as shown to the user.
    fileprivate var url: String {
        switch self {
        case .udp(let endpoint): "osc.udp://\(endpoint)/"
        case .unix, .webSocket: description
        }
    }
}
