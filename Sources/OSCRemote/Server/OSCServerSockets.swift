import Dispatch
import Glibc
import OSC
import OperatingSystem

/// The server's sockets: loopback, and the addresses of `--osc-listen`. Not safe for use by several threads.
package final class OSCServerSockets: PacketPort {
    /// The sockets of both kinds.
    package let sockets: [UDPSocket]
    package let unixSockets: [UnixSocket]
    private var heardOn: [UnixAddress: UnixSocket] = [:]
    private var inbox = Inbox()
    private var sources: [any DispatchSourceRead] = []

    /// The most packets that one call handles, and the time in seconds after which it handles no more, so that a flood leaves time for others.
    private static let batch = 256
    private static let longestTurn = 0.005

    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - addresses: Further addresses beside loopback, on the same port.
    ///   - paths: Paths of Unix sockets beside UDP.
    package init(port: UInt16, listeningOn addresses: [IPAddress] = [], unix paths: [String] = []) throws(SocketError) {
        sockets = try Self.bound(port, addresses)
        var unixSockets: [UnixSocket] = []
        do throws(SocketError) {
            for path in paths { unixSockets.append(try UnixSocket(boundTo: path)) }
        } catch {
            for socket in unixSockets { socket.file?.remove() }
            throw error
        }
        self.unixSockets = unixSockets
    }

    private static func bound(_ port: UInt16, _ addresses: [IPAddress]) throws(SocketError) -> [UDPSocket] {
        let isEverywhere = addresses.contains { $0.isUnspecified && $0.bitCount == 32 }
        var triesLeft = 16
        while true {
            // An unspecified address includes loopback.
            let first = try UDPSocket(boundTo: Endpoint(host: isEverywhere ? .ipv4(0) : .loopback, port: port))
            var sockets = [first]
            do throws(SocketError) {
                for address in addresses where address != .loopback && !(isEverywhere && address.bitCount == 32) {
                    sockets.append(try UDPSocket(boundTo: Endpoint(host: address, port: first.localEndpoint.port)))
                }
                return sockets
            } catch {
                // A port chosen by the system may be free on one address and taken on another.
                guard port == 0, triesLeft > 0, case .portInUse = error else { throw error }
                triesLeft -= 1
            }
        }
    }

    /// The files of the Unix sockets, to be removed when the program ends.
    package var files: [SocketFile] { unixSockets.compactMap(\.file) }

    /// The address for programs on this machine.
    package var endpoint: Endpoint { Endpoint(host: .loopback, port: sockets[0].localEndpoint.port) }

    /// The number of packets sent over UDP, any of which may come back as an error of its socket.
    package private(set) var sentCount = 0

    package func watch(on queue: DispatchQueue, _ handler: @escaping () -> Void) {
        for descriptor in sockets.map(\.descriptor) + unixSockets.map(\.descriptor) {
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler(handler: handler)
            source.activate()
            sources.append(source)
        }
    }

    /// Watches no longer. Afterwards packets can still be sent.
    package func close() {
        for source in sources { source.cancel() }
    }

    package func send(_ bytes: [UInt8], to address: PeerAddress) {
        switch address {
        case .udp(let endpoint):
            sentCount += 1
            send(bytes, to: endpoint)
        // A peer with a connected socket only receives from the socket that it sends to.
        case .unix(let address): (heardOn[address] ?? unixSockets.first)?.send(bytes, to: address)
        // They have a server of their own.
        case .webSocket: break
        }
    }

    /// Sends from a socket that the destination can answer to.
    private func send(_ bytes: [UInt8], to endpoint: Endpoint) {
        let candidates = sockets.filter { $0.localEndpoint.host.bitCount == endpoint.host.bitCount }
        let isSuitable = { (socket: UDPSocket) in
            socket.localEndpoint.host.isUnspecified || socket.localEndpoint.host.isLoopback == endpoint.host.isLoopback
        }
        (candidates.first(where: isSuitable) ?? candidates.first)?.send(bytes, to: endpoint)
    }

    package func receive(into server: OSCServer, at now: () -> Instant) -> Bool {
        let end = now().seconds + Self.longestTurn
        for _ in 0..<Self.batch {
            // The kernel's queue is short, so it is emptied after each packet that is handled.
            for socket in sockets { collect(from: socket, for: server, at: now) }
            for socket in unixSockets { collect(from: socket, for: server, at: now) }
            guard let entry = inbox.next(except: { server.waits($0, at: now()) }) else { return false }
            let now = now()
            server.receive(entry.bytes, from: entry.source, at: now, arrived: entry.arrived)
            if now.seconds >= end { break }
        }
        return inbox.hasAny { server.waits($0, at: now()) }
    }

    private func collect(from socket: UDPSocket, for server: OSCServer, at now: () -> Instant) {
        for _ in 0..<Self.batch {
            switch socket.receive() {
            case .packet(_, from: socket.localEndpoint)?: continue
            case .packet(let bytes, from: let source)?:
                inbox.add(.init(bytes: bytes, source: .udp(source), arrived: socket.lastArrival))
            case .unreachable(let endpoint)?: server.unreachable(.udp(endpoint), at: now())
            case nil: return
            }
        }
    }

    private func collect(from socket: UnixSocket, for server: OSCServer, at now: () -> Instant) {
        for _ in 0..<Self.batch {
            switch socket.receive() {
            case .packet(let bytes, from: let source)?:
                if heardOn.count > PeerTable.maximumCount { heardOn = [:] }
                heardOn[source] = socket
                inbox.add(.init(bytes: bytes, source: .unix(source), arrived: nil))
            case .unreachable(let address)?: server.unreachable(.unix(address), at: now())
            case nil: return
            }
        }
    }
}

extension Instant {
    /// Reads both clocks.
    package init(_ clock: any InstanceClock) {
        let (seconds, time) = (clock.seconds, clock.wallTime)
        self.init(seconds: seconds, timeTag: TimeTag(secondsSince1970: Int64(time.seconds), nanoseconds: Int64(time.nanoseconds)))
    }

    /// Reads the clocks of the machine.
    package static func current() -> Instant { Instant(SystemClock()) }
}
