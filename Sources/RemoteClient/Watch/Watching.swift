import Foundation
import OSC
import OSCRemote
import Terminal

/// Looks for an instance, follows it, and shows it, until asked to end.
package struct Watching {
    private let find: () throws -> RunningInstance
    private let terminal: TerminalView
    private let showsPeak: Bool
    private var follower: Follower
    private var channel: InstanceChannel?
    /// Why no instance can be reached.
    private var trouble: String?
    private var lastLook = -Double.infinity

    /// Seconds between attempts to find a missing instance.
    private static let lookInterval = 1.0
    /// The interval between updates, often enough for the eye.
    private static let pause = Duration.milliseconds(50)

    /// - Parameter find: returns the instance's present address, which may change when it is restarted.
    package init(_ terminal: TerminalView, showsPeak: Bool, find: @escaping () throws -> RunningInstance) {
        self.find = find
        self.terminal = terminal
        self.showsPeak = showsPeak
        follower = Follower(topics: showsPeak ? ["meters/100"] : [])
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
            for message in follower.tick(at: now) { channel?.send(message) }
            show(at: now)
            if let channel { channel.wait(until: .now + Self.pause) } else { usleep(50_000) }
        }
        channel?.send(OSCMessage(Conversation.root + "unsubscribe"))
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

    private func show(at now: Instant) {
        let reason = follower.isFollowing ? nil : trouble ?? follower.trouble.map(sentence)
        // At the start nothing is known for a moment.
        guard follower.isFollowing || reason != nil else { return }
        var status = WatchStatus(follower, at: now)
        status.showsPeak = showsPeak
        status.address = channel?.address.url ?? ""
        status.trouble = reason
        terminal.update(status)
    }

    private func sentence(_ trouble: Follower.Trouble) -> String {
        let place = channel.map { "\($0.address)" } ?? ""
        switch trouble {
        case .silence: return "No answer from \(place): waiting for it."
        case .nobodyThere: return "Nothing is listening at \(place) any more: waiting for it to come back."
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
        case .unix: description
        }
    }
}
