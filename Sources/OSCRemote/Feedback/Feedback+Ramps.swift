import OSC
import Playback

/// Reports the end of ramps.
extension Feedback {
    /// Reports the end of a bundle's ramps at once if it has started none and will start none: all its commands were refused, or it was
    /// refused or dropped as a whole.
    func finish(_ messages: [OSCMessage], from peer: Peer) {
        guard let id = RampGroup.id(in: messages), admission.takeFinishBudget(of: peer, at: state.now.seconds) else { return }
        finishedAtOnce.append(id)
        requestComparison()
    }

    /// Queues the ends of ramps since the last report.
    func reportRamps(_ snapshot: Snapshot, since reported: Snapshot?, to peers: [Peer]) {
        for id in finishedAtOnce {
            for peer in peers { peer.outbox.add(event: OSCMessage("\(OSCAddress.root)/ramp/finished", [.int32(id)])) }
        }
        guard let reported, !peers.isEmpty else { return }
        for end in snapshot.player.ramps.reports(since: reported.player.ramps.lastNumber) {
            let message =
                switch end {
                case .done(let fader): OSCMessage("\(OSCAddress.root)/ramp/done", [.string(AddressTable.address(of: fader))])
                case .finished(let group): OSCMessage("\(OSCAddress.root)/ramp/finished", [.int32(group.id)])
                }
            for peer in peers { peer.outbox.add(event: message) }
        }
    }
}

extension RampGroup {
    /// The id in the first valid `ramp/id` of a bundle, wherever it is among the messages; `nil` without one.
    static func id(in messages: [OSCMessage]) -> Int32? {
        messages.lazy.compactMap { message in
            guard message.address == "\(OSCAddress.root)/ramp/id", message.arguments.count == 1 else { return nil }
            return message.arguments[0].number.flatMap { Int32(exactly: $0) }
        }.first
    }
}
