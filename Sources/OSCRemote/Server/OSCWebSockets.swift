import OSC
import Synchronization

/// WebSockets that carry OSC, between the thread that has their connections and the server's: clients that come and go, and their packets.
///
/// As with the other sockets, packets are queued by sender. A sender with many is not read from until they have been handled, so that none is
/// lost.
package final class OSCWebSockets: Sendable {
    private struct State {
        var inbox = Inbox()
        var opened: [Newcomer] = []
        var closed: Set<PeerAddress> = []
        /// Clients that are not read from.
        var paused: Set<PeerAddress> = []
        /// Whether the server's thread has been woken and has not come yet.
        var isWoken = false

        mutating func takeOpened() -> [Newcomer] {
            defer { opened = [] }
            return opened
        }
    }

    private struct Newcomer {
        let address: PeerAddress
        let role: Role
        let name: String?
        /// Whether an earlier client at this address is still to be forgotten.
        let hasPredecessor: Bool
    }

    private let state = Mutex(State())

    /// Maximum number of packets handled by one call, so that a flood leaves time for others.
    private static let batch = 256

    /// Packets of a client at which it is not read from; what was read together with the last one still fits into the inbox.
    private static let pauseCount = 32

    private let wake: @Sendable () -> Void
    private let resume: @Sendable (Endpoint) -> Void

    /// - Parameters:
    ///   - wake: Makes the server's thread call ``receive(into:at:)``; called on any thread.
    ///   - resume: Reads from a client again; called on the server's thread.
    package init(wake: @escaping @Sendable () -> Void, resume: @escaping @Sendable (Endpoint) -> Void) {
        (self.wake, self.resume) = (wake, resume)
    }

    /// Admits a client. Any thread, as for the next two.
    ///
    /// - Parameter name: the name with which its device was paired; `nil` on this machine.
    package func open(_ client: Endpoint, as role: Role, named name: String? = nil) {
        change {
            let hasPredecessor = $0.closed.remove(.webSocket(client)) != nil
            if hasPredecessor {
                // Its packets would get the newcomer's role.
                $0.inbox.drop(.webSocket(client))
                $0.paused.remove(.webSocket(client))
            }
            $0.opened.append(Newcomer(address: .webSocket(client), role: role, name: name, hasPredecessor: hasPredecessor))
        }
    }

    /// Queues a client's packet.
    ///
    /// - Returns: Whether more may be read from the client; otherwise only after `resume`.
    package func add(_ packet: [UInt8], from client: Endpoint) -> Bool {
        change { state in
            let source = PeerAddress.webSocket(client)
            state.inbox.add(.init(bytes: packet, source: source, arrived: nil))
            let count = state.inbox.lines[source].map { $0.entries.count - $0.head } ?? 0
            if count >= Self.pauseCount { state.paused.insert(source) }
            return !state.paused.contains(source)
        }
    }

    /// Forgets a client once its packets have been handled.
    package func close(_ client: Endpoint) { change { _ = $0.closed.insert(.webSocket(client)) } }

    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, isAsleep) = state.withLock { state in
            let result = body(&state)
            defer { state.isWoken = true }
            return (result, !state.isWoken)
        }
        if isAsleep { wake() }
        return result
    }

    /// Passes what has arrived to the server; senders take turns. Only on the server's thread.
    ///
    /// - Parameter now: Reads the clocks; called for each packet.
    /// - Returns: Whether packets are left: then call again, after letting others use the thread.
    package func receive(into server: OSCServer, at now: () -> Instant) -> Bool {
        state.withLock { $0.isWoken = false }
        for _ in 0..<Self.batch {
            let waiting = server.waitingSenders(at: now())
            // A client comes while this runs, and its first packet with it: that one needs its role.
            let (opened, entry) = state.withLock { state in (state.takeOpened(), state.inbox.next { waiting.contains($0) }) }
            admit(opened, server, at: now)
            guard let entry else { break }
            server.receive(entry.bytes, from: entry.source, at: now())
        }
        let waiting = server.waitingSenders(at: now())
        let (opened, closed, drained, isLeft) = state.withLock { state in
            let closed = state.closed.filter { state.inbox.lines[$0] == nil }
            let drained = state.paused.filter { state.inbox.lines[$0] == nil }
            state.closed.subtract(closed)
            state.paused.subtract(drained)
            return (state.takeOpened(), closed, drained, state.inbox.hasAny { waiting.contains($0) })
        }
        admit(opened, server, at: now)
        for case .webSocket(let client) in drained { resume(client) }
        for client in closed { server.closed(client, at: now()) }
        return isLeft
    }

    private func admit(_ clients: [Newcomer], _ server: OSCServer, at now: () -> Instant) {
        for client in clients {
            if client.hasPredecessor { server.closed(client.address, at: now()) }
            server.opened(client.address, as: client.role, named: client.name)
        }
    }
}
