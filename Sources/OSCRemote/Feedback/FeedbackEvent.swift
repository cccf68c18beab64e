import OSC
import Playback

/// A one-time event, as opposed to a state: each is sent to every subscriber, in order, and none replaces another.
package enum FeedbackEvent: Equatable, Sendable {
    /// A step of the program's lifecycle, such as `didSave`.
    case lifecycle(String)
    /// A sentence for the user.
    case notice(String)

    fileprivate var path: String {
        switch self {
        case .lifecycle: "lifecycle"
        case .notice: "log"
        }
    }

    fileprivate var argument: OSCArgument {
        switch self {
        case .lifecycle(let step): .text(step)
        case .notice(let text): .notice(text)
        }
    }
}

extension Feedback {
    func report(_ event: FeedbackEvent) {
        let message = OSCMessage("\(OSCAddress.root)/\(event.path)", [event.argument])
        let group = table.key(message.address).flatMap { table.row($0).group }
        for peer in peers.all {
            let isWanted = peer.subscriptions.contains { $0.topic == .pattern(message.address) || $0.topic == group.map(Topic.group) }
            guard isWanted else { continue }
            peer.outbox.add(event: message)
            // Values of a snapshot may be queued that are read only by the comparison, which sends everything.
            if !needsComparison { flush(peer) }
        }
    }
}
