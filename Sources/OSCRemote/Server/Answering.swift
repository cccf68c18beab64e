import OSC
import Playback

/// Answers to a peer: at once, outside of the budget of its feedback.
extension RemoteServer {
    func answer(_ peer: Peer, _ name: String, _ arguments: [Argument]) {
        transmit(Message("\(AddressTable.root)/\(name)", arguments).encoded, to: peer)
    }

    /// `NAME/item` for each, then `NAME/end` with their number, in as few packets as hold them.
    func answer(_ peer: Peer, list name: String, _ items: [[Argument]]) {
        let messages = items.map { Message("\(AddressTable.root)/\(name)/item", $0) }
        answer(peer, messages + [Message("\(AddressTable.root)/\(name)/end", [.count(items.count)])])
    }

    func answer(_ peer: Peer, _ messages: [Message]) {
        for packet in Self.packets(messages.map(\.encoded), timeTag: .immediate) { transmit(packet, to: peer) }
    }

    /// Bundles of at most ``AddressTable/maximumPacketSize`` bytes, in order.
    static func packets(_ messages: [[UInt8]], timeTag: TimeTag) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var elements: [[UInt8]] = []
        var size = Bundle.headerSize
        for message in messages {
            let added = Bundle.elementHeaderSize + message.count
            if size + added > AddressTable.maximumPacketSize, !elements.isEmpty {
                packets.append(Bundle.encoded(timeTag: timeTag, elements: elements))
                elements = []
                size = Bundle.headerSize
            }
            elements.append(message)
            size += added
        }
        if !elements.isEmpty { packets.append(Bundle.encoded(timeTag: timeTag, elements: elements)) }
        return packets
    }

    /// How a command ended, as far as the peer wants to know; errors within their budget.
    func reply(to peer: Peer, _ address: String, _ result: CommandResult) {
        if result.status == .success {
            guard peer.replies >= 2 else { return }
            answer(peer, "reply", [.text(address), .int32(0), .text(result.responder)])
        } else if peer.replies >= 1, takeErrorBudget(of: peer) {
            answer(peer, "error", [.text(address), .int32(result.status.rawValue), .string(Sentence.fitting(result.message))])
        }
    }

    /// How far long work is, from 0 to 1, for peers that want to be told of their commands.
    func tellProgress(_ part: Float, of key: AddressTable.Key, to peer: Peer) {
        if peer.replies >= 1 { answer(peer, "progress", [.text(table.address(key)), .float(part)]) }
    }

    func sync(_ peer: Peer, token: Int32) {
        receiver?.whenSounding { [weak self] in self?.answer(peer, "synced", [.int32(token)]) }
    }

    func describe(_ peer: Peer, _ request: Request) {
        let path = request.text(0) ?? ""
        let children = table.descriptions(below: path, in: request.reading.player)
        let messages = children.map { Message("\(AddressTable.root)/describe", $0) }
        let names = table.names(at: path).enumerated().map { index, name in
            Message("\(AddressTable.root)/describe/value", [.text(path), .count(index), .string(name)])
        }
        answer(peer, messages + names + [Message("\(AddressTable.root)/describe/end", [.text(path), .count(children.count)])])
    }
}
