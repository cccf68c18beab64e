import OSC
import Playback

extension Dispatcher {
    /// Carries out a request that concerns the server itself.
    func carryOut(_ exchange: Exchange, _ request: OSCRequest, _ context: PacketContext) throws(Refusal) {
        let peer = context.peer
        switch exchange {
        case .ping:
            let token = Int32(truncatingIfNeeded: request.integer(0) ?? 0)
            answers.answer(peer, "pong", [.int32(token), .int64(state.identity.bootID)])
        case .sync: sync(peer, token: Int32(truncatingIfNeeded: request.integer(0) ?? 0))
        case .replies: peer.replies = Int32(request.integer(0) ?? 1)
        case .clock:
            answers.answer(
                peer, "clock", [.timeTag(request.timeTag(0)), .timeTag(context.arrival), .timeTag(context.now.timeTag)])
        case .hello:
            peer.name = Text.cut(request.text(0) ?? "")
            if let welcome = admission.welcome(request, from: peer, at: context.now.seconds) { answers.send(welcome, to: peer) }
        case .subscribe: try subscriptions.subscribe(request, context)
        case .unsubscribe: try subscriptions.unsubscribe(peer, request)
        case .describe: describe(peer, request)
        case .acceleration:
            commands.handleAcceleration(peer, x: request.number(0), y: request.number(1), z: request.number(2), at: context.now.seconds)
        case .rampID:
            // A bundle's id was read when the bundle was begun.
            guard context.bundle != nil else {
                throw Refusal(.badArguments, "ramp/id is only valid in a bundle, together with the messages that start the ramps.")
            }
        case .peers: answers.answer(peer, list: "peer", listedPeers(askedBy: peer, at: context.now.seconds))
        case .patches: findPatches(request.text(0) ?? "", for: peer)
        case .list(let name, let items): answers.answer(peer, list: name, items(request.reading))
        case .chargedList(let name, let items):
            try admission.charge(forListOf: peer, at: context.now.seconds) {
                let items = items(request.reading)
                answers.answer(peer, list: name, items)
                return max(1, items.count)
            }
        }
    }

    /// The peers, the oldest first. Their addresses are left out: a viewer needs to know who else is connected, not how to reach them.
    private func listedPeers(askedBy asking: Peer, at seconds: Double) -> [[OSCArgument]] {
        let sorted = peers.all.sorted { ($0.firstHeard, $0.endpoint.description) < ($1.firstHeard, $1.endpoint.description) }
        return sorted.enumerated().map { index, peer in
            let name = admission.name(ofWebSocket: peer.endpoint) ?? peer.name
            return [
                .count(index + 1), .text(name), .string(peer.role.rawValue), .string(peer.endpoint.transport),
                .float(Float(seconds - peer.firstHeard)), .flag(peer === asking),
            ]
        }
    }

    private func findPatches(_ words: String, for peer: Peer) {
        state.receiver?.findPatches(words) { [weak answers] found in
            guard let found else {
                let refusal = Refusal(.busy, "Other searches are being made, or memory is short: try again in a moment.")
                return answers?.reply(to: peer, "\(OSCAddress.root)/patch/list", refusal) ?? ()
            }
            let items: [[OSCArgument]] = found.patches.enumerated().map { index, patch in
                [
                    .count(index + 1), .text(patch.name), .text(patch.title, limit: Text.titleLimit), .float(Float(patch.duration ?? 0)),
                    .text(patch.origin),
                ]
            }
            answers?.answer(peer, list: "patch", items, end: [.count(found.count)])
        }
    }

    private func sync(_ peer: Peer, token: Int32) {
        state.receiver?.whenSounding { [weak answers] in answers?.answer(peer, "synced", [.int32(token)]) }
    }

    private func describe(_ peer: Peer, _ request: OSCRequest) {
        let path = request.text(0) ?? ""
        let children = table.descriptions(below: path, in: request.reading.player)
        let messages = children.map { OSCMessage("\(OSCAddress.root)/describe", $0) }
        let names = table.names(at: path).enumerated().map { index, name in
            OSCMessage("\(OSCAddress.root)/describe/value", [.text(path), .count(index), .string(name)])
        }
        answers.answer(peer, messages + names + [OSCMessage("\(OSCAddress.root)/describe/end", [.text(path), .count(children.count)])])
    }
}

extension PeerAddress {
    /// The kind of socket.
    fileprivate var transport: String {
        switch self {
        case .udp: "udp"
        case .unix: "unix"
        case .webSocket: "websocket"
        }
    }
}
