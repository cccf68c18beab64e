import OSC
import Synchronization

/// WebSockets that carry OSC, between the thread that has their connections and the server's: clients that come and go, and their packets.
///
/// As with the other sockets, packets are queued by sender, and excess ones are lost for their sender only.
package final class OSCWebSockets: Sendable {
    private struct State {
        var inbox = Inbox()
        var opened: [(address: PeerAddress, role: Role)] = []
        var closed: Set<PeerAddress> = []
        /// Whether the server's thread has been woken and has not come yet.
        var isWoken = false
    }

    private let state = Mutex(State())

    /// Maximum number of packets handled by one call, so that a flood leaves time for others.
    private static let batch = 256

    private let wake: @Sendable () -> Void

    /// - Parameter wake: Makes the server's thread call ``receive(into:at:)``; called on any thread.
    package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Lets a client in. Any thread, as for the next two.
    package func open(_ client: Endpoint, as role: Role) { change { $0.opened.append((.webSocket(client), role)) } }

    /// Queues a client's packet.
    package func add(_ packet: [UInt8], from client: Endpoint) {
        change { $0.inbox.add(.init(bytes: packet, source: .webSocket(client), arrived: nil)) }
    }

    /// Forgets a client once its packets have been handled.
    package func close(_ client: Endpoint) { change { $0.closed.insert(.webSocket(client)) } }

    private func change(_ body: (inout State) -> Void) {
        let isAsleep = state.withLock { state in
            body(&state)
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if isAsleep { wake() }
    }

    /// Passes what has arrived to the server; senders take turns. Only on the server's thread.
    ///
    /// - Parameter now: Reads the clocks; called for each packet.
    /// - Returns: Whether packets are left: then call again, after letting others use the thread.
    package func receive(into server: OSCServer, at now: () -> Instant) -> Bool {
        let opened = state.withLock { state in
            defer { (state.opened, state.isWoken) = ([], false) }
            return state.opened
        }
        for client in opened { server.opened(client.address, as: client.role) }
        for _ in 0..<Self.batch {
            guard let entry = state.withLock({ $0.inbox.next() }) else { break }
            server.receive(entry.bytes, from: entry.source, at: now())
        }
        let (closed, isLeft) = state.withLock { state in
            let closed = state.closed.filter { state.inbox.lines[$0] == nil }
            state.closed.subtract(closed)
            return (closed, !state.inbox.isEmpty)
        }
        for client in closed { server.closed(client, at: now()) }
        return isLeft
    }
}
