import OSC
import Playback

/// Answers to a peer. They are sent at once and are not charged to its feedback budget.
extension RemoteServer {
    func answer(_ peer: Peer, _ name: String, _ arguments: [Argument]) {
        transmit(Message("\(AddressTable.root)/\(name)", arguments).encoded, to: peer)
    }

    /// Sends `NAME/item` for each item, then `NAME/end` with their number, in as few packets as possible.
    func answer(_ peer: Peer, list name: String, _ items: [[Argument]]) {
        let messages = items.map { Message("\(AddressTable.root)/\(name)/item", $0) }
        answer(peer, messages + [Message("\(AddressTable.root)/\(name)/end", [.count(items.count)])])
    }

    func answer(_ peer: Peer, _ messages: [Message]) {
        for packet in Self.packets(messages.map(\.encoded), timeTag: .immediate) { transmit(packet, to: peer) }
    }

    /// Packs messages into bundles of at most ``AddressTable/maximumPacketSize`` bytes, in order.
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

    /// Reports a command's result as far as the peer wants it; errors are limited by a budget.
    func reply(to peer: Peer, _ address: String, _ result: CommandResult) {
        if result.status == .success {
            guard peer.replies >= 2 else { return }
            answer(peer, "reply", [.text(address), .int32(0), .text(result.responder)])
        } else if peer.replies >= 1, takeErrorBudget(of: peer) {
            answer(peer, "error", [.text(address), .int32(result.status.rawValue), .string(Sentence.fitting(result.message))])
        }
    }

    /// Reports the progress of long work, from 0 to 1, to peers that want replies.
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
