import OSC
import Playback

/// Makes packets of what is queued for a peer, and sends them.
struct FeedbackSender {
    let table: AddressTable
    let state: CurrentState
    let admission: Admission
    let transmitter: Transmitter

    /// The time in seconds between two `alive` messages; shorter for a while after a change.
    private static let aliveInterval = 5.0
    private static let aliveIntervalAfterChange = 0.25
    private static let aliveHaste = 2.0

    /// Sends queued messages, as far as the peer's budget allows; the rest waits for the next call.
    func flush(_ peer: Peer, _ watched: WatchedValues) {
        while !peer.outbox.isEmpty, peer.outbox.takeBudget(at: state.now.seconds) { sendPacket(to: peer, watched) }
    }

    /// Sends all queued messages, since there will be no next call.
    func flushAll(_ peer: Peer, _ watched: WatchedValues) {
        while !peer.outbox.isEmpty { sendPacket(to: peer, watched) }
    }

    /// Sends as many queued messages as fit into one packet. A packet with a change has a number, so that the next one reveals a gap.
    private func sendPacket(to peer: Peer, _ watched: WatchedValues) {
        var elements: [[UInt8]] = []
        var size = OSCBundle.headerSize + Self.aliveSize
        var isChange = false
        packing: while let entry = peer.outbox.next {
            var messages: [OSCMessage] = []
            switch entry {
            case .nowPlaying:
                guard elements.isEmpty else { break packing }
                peer.outbox.removeFirst()
                return sendNowPlaying(to: peer)
            case .tick: messages = values(of: .tick)
            case .meter: messages = values(of: .meters)
            case .message(let message), .event(let message):
                messages = [message]
                isChange = true
            case .value(let key):
                if let value = watched.values[key] { messages = [message(key, value, isForOthers: !admission.isOnThisMachine(peer))] }
                isChange = true
            }
            let encoded = messages.map(\.encoded)
            let added = encoded.reduce(0) { $0 + $1.count + OSCBundle.elementHeaderSize }
            if size + added > AddressTable.maximumPacketSize, !elements.isEmpty { break }
            peer.outbox.removeFirst()
            elements += encoded
            size += added
        }
        send(elements, timeTag: .immediate, isChange: isChange, to: peer)
    }

    /// Sends the whole now-playing set, with the time at which the position was valid; in two packets if long texts require it.
    private func sendNowPlaying(to peer: Peer) {
        let snapshot = state.snapshot
        let isForOthers = !admission.isOnThisMachine(peer)
        let messages = state.nowPlaying[isForOthers] ?? values(of: .now, isForOthers: isForOthers).map(\.encoded)
        state.nowPlaying[isForOthers] = messages
        let tag = TimeTag(snapshot.clock, snapshot.nowPlaying.moment)
        var elements: [[UInt8]] = []
        var size = OSCBundle.headerSize + Self.aliveSize
        for message in messages {
            let added = message.count + OSCBundle.elementHeaderSize
            if size + added > AddressTable.maximumPacketSize {
                send(elements, timeTag: tag, isChange: true, to: peer)
                // The second packet is sent at once, since half of the set is of little use, but it is charged to the budget.
                peer.outbox.overdrawBudget(at: state.now.seconds)
                (elements, size) = ([], OSCBundle.headerSize + Self.aliveSize)
            }
            elements.append(message)
            size += added
        }
        send(elements, timeTag: tag, isChange: true, to: peer)
    }

    private func values(of group: Topic.Group, isForOthers: Bool = false) -> [OSCMessage] {
        let reading = state.reading()
        return table.keys(of: group, in: reading.player).compactMap { key in
            table.value(of: key, reading).map { message(key, $0, isForOthers: isForOthers) }
        }
    }

    private func message(_ key: AddressTable.Key, _ value: [OSCArgument], isForOthers: Bool) -> OSCMessage {
        OSCMessage(table.address(key), isForOthers ? table.row(key).valueForOthers(value) : value)
    }

    private func send(_ elements: [[UInt8]], timeTag: TimeTag, isChange: Bool, to peer: Peer) {
        guard !elements.isEmpty else { return }
        var elements = elements
        if isChange {
            peer.outbox.changeNumber &+= 1
            peer.outbox.lastChange = state.now.seconds
            peer.outbox.nextAlive = state.now.seconds + Self.aliveIntervalAfterChange
            if !peer.isPermanent { elements.append(alive(peer).encoded) }
        }
        let isPlain = elements.count == 1 && timeTag == .immediate
        transmitter.transmit(isPlain ? elements[0] : OSCBundle.encoded(timeTag: timeTag, elements: elements), to: peer.endpoint)
    }

    func sendAlive(to peer: Peer) {
        transmitter.transmit(alive(peer), to: peer)
        let isHasty = state.now.seconds - peer.outbox.lastChange < Self.aliveHaste
        peer.outbox.nextAlive = state.now.seconds + (isHasty ? Self.aliveIntervalAfterChange : Self.aliveInterval)
    }

    private func alive(_ peer: Peer) -> OSCMessage {
        OSCMessage("\(OSCAddress.root)/alive", [.int64(state.identity.bootID), .int32(peer.outbox.changeNumber)])
    }

    private static let aliveSize =
        OSCMessage("\(OSCAddress.root)/alive", [.int64(0), .int32(0)]).encoded.count + OSCBundle.elementHeaderSize
}
