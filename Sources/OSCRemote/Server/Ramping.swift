import OSC
import Playback

/// Reports the end of ramps.
extension RemoteServer {
    static let rampID = "\(AddressTable.root)/ramp/id"

    /// The group of a bundle's ramps; `nil` unless a valid `ramp/id` is among the messages, at any place.
    func newRampGroup(_ messages: [Message]) -> RampGroup? {
        guard let id = Self.rampID(in: messages) else { return nil }
        bundleNumber += 1
        return RampGroup(id: id, bundle: bundleNumber)
    }

    private static func rampID(in messages: [Message]) -> Int32? {
        messages.lazy.compactMap { message in
            guard message.address == rampID, message.arguments.count == 1 else { return nil }
            return message.arguments[0].number.flatMap { Int32(exactly: $0) }
        }.first
    }

    /// Reports the end of a bundle's ramps at once if it has started none and will start none: all its commands were refused, or it was
    /// refused or dropped as a whole.
    func finish(_ messages: [Message], from peer: Peer) {
        guard let id = Self.rampID(in: messages) else { return }
        // A flood of refused bundles must not displace other feedback.
        guard isWithinRate(peer) || takeFinishBudget(of: peer) else { return }
        finishedAtOnce.append(id)
        hasNews = true
    }

    private func takeFinishBudget(of peer: Peer) -> Bool {
        peers.isKept(peer) ? peer.finishBudget.take(at: now.seconds) : crowdErrorBudget.take(at: now.seconds)
    }

    func refuseRampIDOutsideOfBundles() throws(Refusal) {
        guard isInBundle else {
            throw Refusal(.badArguments, "ramp/id is only valid in a bundle, together with the messages that start the ramps.")
        }
    }

    /// Queues the ends of ramps since the last report.
    func tellRamps(_ snapshot: Snapshot, since told: Snapshot?, to peers: [Peer]) {
        for id in finishedAtOnce {
            for peer in peers { peer.outbox.add(event: Message("\(AddressTable.root)/ramp/finished", [.int32(id)])) }
        }
        guard let told, !peers.isEmpty else { return }
        for news in snapshot.player.ramps.news(since: told.player.ramps.lastNumber) {
            let message =
                switch news {
                case .done(let fader): Message("\(AddressTable.root)/ramp/done", [.string(AddressTable.address(of: fader))])
                case .finished(let group): Message("\(AddressTable.root)/ramp/finished", [.int32(group.id)])
                }
            for peer in peers { peer.outbox.add(event: message) }
        }
    }
}

extension AddressTable {
    /// The address at which a value is set in its unit, with the layer's number.
    static func address(of fader: Fader) -> String {
        switch fader {
        case .parameter(let parameter, let layer): "\(root)/layer/\(layer + 1)/\(parameter.rawValue)"
        case .masterGain: "\(root)/master/gain"
        case .a4: "\(root)/tuning/a4"
        }
    }
}

extension Command {
    /// The command with its ramp, if it has one, assigned to a group.
    func ramping(in group: RampGroup?) -> Command {
        guard let group else { return self }
        switch self {
        case .set(let setting, var ramp?):
            ramp.group = group
            return .set(setting, ramp: ramp)
        case .setMasterGain(let gain, var ramp?):
            ramp.group = group
            return .setMasterGain(gain, ramp: ramp)
        default: return self
        }
    }
}
