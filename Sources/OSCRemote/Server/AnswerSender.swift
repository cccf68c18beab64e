import OSC
import Playback

/// Sends answers to peers: at once, and not charged to their feedback budgets.
final class AnswerSender {
    private let state: CurrentState
    private let admission: Admission
    private let transmitter: Transmitter

    init(state: CurrentState, admission: Admission, transmitter: Transmitter) {
        (self.state, self.admission, self.transmitter) = (state, admission, transmitter)
    }

    func send(_ packet: [UInt8], to peer: Peer) { transmitter.transmit(packet, to: peer.endpoint) }

    func answer(_ peer: Peer, _ name: String, _ arguments: [OSCArgument]) {
        transmitter.transmit(OSCMessage("\(OSCAddress.root)/\(name)", arguments), to: peer)
    }

    /// Sends `NAME/item` for each item, then `NAME/end` with their number, in as few packets as possible.
    ///
    /// - Parameter end: More arguments of `NAME/end`.
    func answer(_ peer: Peer, list name: String, _ items: [[OSCArgument]], end: [OSCArgument] = []) {
        let messages = items.map { OSCMessage("\(OSCAddress.root)/\(name)/item", $0) }
        answer(peer, messages + [OSCMessage("\(OSCAddress.root)/\(name)/end", [.count(items.count)] + end)])
    }

    /// Packs messages into bundles of at most ``AddressTable/maximumPacketSize`` bytes, in order.
    func answer(_ peer: Peer, _ messages: [OSCMessage]) {
        var elements: [[UInt8]] = []
        var size = OSCBundle.headerSize
        for message in messages.map(\.encoded) {
            let added = OSCBundle.elementHeaderSize + message.count
            if size + added > AddressTable.maximumPacketSize, !elements.isEmpty {
                send(OSCBundle.encoded(timeTag: .immediate, elements: elements), to: peer)
                elements = []
                size = OSCBundle.headerSize
            }
            elements.append(message)
            size += added
        }
        if !elements.isEmpty { send(OSCBundle.encoded(timeTag: .immediate, elements: elements), to: peer) }
    }

    /// Reports a command's result as far as the peer wants it; errors are limited by a budget.
    func reply(to peer: Peer, _ address: String, _ result: CommandResult) {
        if result.status == .success {
            guard peer.replies >= 2 else { return }
            answer(peer, "reply", [.text(address), .int32(0), .text(result.responder)])
        } else {
            reply(to: peer, address) { Refusal(result.status, result.message) }
        }
    }

    func reply(to peer: Peer, _ address: String, _ refusal: Refusal) {
        reply(to: peer, address, CommandResult(refusal.status, refusal.message))
    }

    /// Reports an error whose sentence takes a search, which is made only if it is sent.
    func reply(to peer: Peer, _ address: String, _ refusal: () -> Refusal) {
        guard peer.replies >= 1, admission.takeErrorBudget(of: peer, at: state.now.seconds) else { return }
        let refusal = refusal()
        answer(peer, "error", [.text(address), .int32(refusal.status.rawValue), .string(Sentence.fitting(refusal.message))])
    }

    /// Reports the progress of long work, from 0 to 1, to peers that want replies.
    func reportProgress(_ part: Float, of address: String, to peer: Peer) {
        if peer.replies >= 1 { answer(peer, "progress", [.text(address), .float(part)]) }
    }
}
