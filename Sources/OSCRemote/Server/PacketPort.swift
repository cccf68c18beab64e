import Dispatch
import OSC

/// The way of packets between peers and the server: ``OSCServerSockets``, or memory in a test. Not safe for use by several threads.
package protocol PacketPort: AnyObject {
    /// The number of packets sent, any of which may come back as an error.
    var sentCount: Int { get }

    /// Calls a handler on a queue whenever something has arrived, until ``close()``.
    func watch(on queue: DispatchQueue, _ handler: @escaping () -> Void)
    func send(_ bytes: [UInt8], to address: PeerAddress)
    /// Passes received packets to the server; senders take turns.
    ///
    /// - Parameter now: Reads the clocks; called for each packet.
    /// - Returns: Whether packets are left: then call again, after letting others use the thread.
    func receive(into server: OSCServer, at now: () -> Instant) -> Bool
    func close()
}
