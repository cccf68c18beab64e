import Foundation
import OSC

/// A socket for talking to one instance. Not safe for use by several threads at once.
package final class InstanceChannel {
    enum Event {
        case packet(OSCPacket)
        /// The instance's host reports that nobody listens on that port.
        case unreachable
    }

    let address: PeerAddress
    private let line: Line

    private enum Line {
        case udp(UDPSocket, to: Endpoint)
        case unix(UnixSocket, to: UnixAddress)
    }

    package init(to address: PeerAddress) throws(SocketError) {
        self.address = address
        switch address {
        // A program that listens at a WebSocket's endpoint is asked over UDP.
        case .udp(let endpoint), .webSocket(let endpoint):
            let any: IPAddress = if case .ipv4 = endpoint.host { .ipv4(0) } else { .ipv6(high: 0, low: 0, scope: 0) }
            line = .udp(try UDPSocket(boundTo: Endpoint(host: endpoint.host.isLoopback ? endpoint.host : any, port: 0)), to: endpoint)
        case .unix(let address): line = .unix(try UnixSocket(), to: address)
        }
    }

    private var descriptor: Int32 {
        switch line {
        case .udp(let socket, _): socket.descriptor
        case .unix(let socket, _): socket.descriptor
        }
    }

    func send(_ message: OSCMessage) {
        switch line {
        case .udp(let socket, let endpoint): socket.send(message.encoded, to: endpoint)
        case .unix(let socket, let address): socket.send(message.encoded, to: address)
        }
    }

    /// The next event of the instance, or `nil` if nothing is pending. Packets from others are ignored.
    func receive() -> Event? {
        switch line {
        case .udp(let socket, let endpoint):
            while let event = socket.receive() {
                switch event {
                case .packet(let bytes, let source):
                    if source.port == endpoint.port, let packet = try? OSCPacket(decoding: bytes) { return .packet(packet) }
                case .unreachable: return .unreachable
                }
            }
        case .unix(let socket, let address):
            while let event = socket.receive() {
                switch event {
                case .packet(let bytes, let source):
                    if source == address, let packet = try? OSCPacket(decoding: bytes) { return .packet(packet) }
                case .unreachable: return .unreachable
                }
            }
        }
        return nil
    }

    /// Returns when something has arrived, here or at `other`, or when the time is over.
    func wait(until deadline: ContinuousClock.Instant, orFor other: Int32 = -1) {
        let left = max(.zero, deadline - .now)
        var waited = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            // poll ignores a negative descriptor.
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up, since a wait of less than a millisecond would not wait at all.
        poll(&waited, 2, Int32(min(left / .milliseconds(1), 1e9)) + 1)
    }
}

extension OSCPacket {
    /// All messages in order, including those of inner bundles.
    var messages: [OSCMessage] {
        switch self {
        case .message(let message): [message]
        case .bundle(let bundle): bundle.elements.flatMap(\.messages)
        }
    }
}
