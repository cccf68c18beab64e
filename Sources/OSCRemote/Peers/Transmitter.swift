import OSC

/// Sends packets to all peers that can receive any.
final class Transmitter {
    private let send: ([UInt8], PeerAddress) -> Void
    /// The number of packets that were not sent, because the peer's Unix socket has no name.
    private(set) var unanswered = 0

    /// - Parameter send: Sends a packet to the network without waiting.
    init(send: @escaping ([UInt8], PeerAddress) -> Void) { self.send = send }

    func transmit(_ bytes: [UInt8], to address: PeerAddress) {
        guard address.canBeAnswered else {
            unanswered += 1
            return
        }
        send(bytes, address)
    }

    func transmit(_ message: OSCMessage, to peer: Peer) { transmit(message.encoded, to: peer.endpoint) }
}
