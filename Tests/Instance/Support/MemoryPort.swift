import Dispatch
import OSC

@testable import OSCRemote

/// Packets in memory, in place of sockets.
final class MemoryPort: PacketPort {
    private var inbox = Inbox()
    private var handler: (() -> Void)?
    /// Sent packets that were not taken, by destination.
    private var sent: [PeerAddress: [[UInt8]]] = [:]
    private(set) var sentCount = 0

    func watch(on queue: DispatchQueue, _ handler: @escaping () -> Void) { self.handler = handler }

    /// A packet arrives. On the queue that watches.
    func arrive(_ bytes: [UInt8], from source: PeerAddress) {
        inbox.add(.init(bytes: bytes, source: source, arrived: nil))
        handler?()
    }

    func send(_ bytes: [UInt8], to address: PeerAddress) {
        sentCount += 1
        sent[address, default: []].append(bytes)
    }

    /// The packets for a peer since the last call.
    func take(to peer: PeerAddress) -> [[UInt8]] { sent.removeValue(forKey: peer) ?? [] }

    func receive(into server: OSCServer, at now: () -> Instant) -> Bool {
        while let entry = inbox.next(except: { server.waits($0, at: now()) }) { server.receive(entry.bytes, from: entry.source, at: now()) }
        return false
    }

    func close() { handler = nil }
}
