// One thread after the other: first the one that waits for the session to be opened, then the one that owns the session.
import Dispatch
import Foundation
import OSC
import OperatingSystem

/// The connection to the session manager named by NSM_URL. Not safe for use by several threads at once.
///
// SAFETY: one thread after the other uses it: that which waits for the session to be opened, then the one that owns the session.
package final class SessionManagerLink: SessionManagerPort, @unchecked Sendable {
    private let socket: UDPSocket
    private let manager: Endpoint
    private var source: (any DispatchSourceRead)?
    package private(set) var hasOpened = false

    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case badAddress(String)
        case unknownHost(String, reason: String)
        case noSocket(SocketError)

        package var description: String {
            switch self {
            case .badAddress(let url):
                "NSM_URL is '\(url)', not an address such as osc.udp://localhost:16000/: unset it, or start from NSM."
            case .unknownHost(let host, let reason): "The session manager's host '\(host)' is not known: \(reason). Check NSM_URL."
            case .noSocket(let error): "The session manager cannot be reached. \(error)"
            }
        }
    }

    /// - Parameter url: of the session manager. If its host is a name, it is looked up, which may take time. getaddrinfo(3)
    package init(url: String) throws(Fault) {
        let parts = url.hasPrefix("osc.udp://") ? url.dropFirst(10).prefix { $0 != "/" } : ""
        guard let colon = parts.lastIndex(of: ":"), let port = UInt16(parts[parts.index(after: colon)...]), port > 0,
            colon != parts.startIndex
        else { throw .badAddress(url) }
        manager = Endpoint(host: try Self.address(of: String(parts[..<colon])), port: port)
        do {
            let own: IPAddress = manager.host.isLoopback ? .loopback : .ipv4(0)
            socket = try UDPSocket(boundTo: Endpoint(host: own, port: 0))
        } catch {
            throw .noSocket(error)
        }
    }

    private static func address(of host: String) throws(Fault) -> IPAddress {
        if let address = IPAddress(host), case .ipv4 = address { return address }
        var hints = addrinfo()
        hints.ai_family = AF_INET
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &found)
        defer { freeaddrinfo(found) }
        // SAFETY: with AF_INET asked for, the address is a sockaddr_in.
        guard code == 0, let address = found?.pointee.ai_addr else {
            throw .unknownHost(host, reason: code == 0 ? "it has no address" : String(cString: gai_strerror(code)))
        }
        let number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt32(bigEndian: $0.pointee.sin_addr.s_addr) }
        return .ipv4(number)
    }

    package func watch(on queue: DispatchQueue, _ handler: @escaping () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler(handler: handler)
        source.activate()
        self.source = source
    }

    package func close() { source?.cancel() }

    package func notify(_ notice: SessionManagerNotice) {
        if case .opened = notice { hasOpened = true }
        socket.send(notice.message.encoded, to: manager)
    }

    /// Packets from anyone but the manager are ignored.
    package func next() -> SessionManagerRequest? {
        while let event = socket.receive() {
            guard case .packet(let bytes, let source) = event, source.port == manager.port,
                source.host == manager.host || (source.host.isLoopback && manager.host.isLoopback),
                case .message(let message)? = try? OSCPacket(decoding: bytes), let request = SessionManagerRequest(message)
            else { continue }
            return request
        }
        return nil
    }

    /// Waits for a request; `nil` if none has come within this many seconds.
    package func wait(seconds: Double) -> SessionManagerRequest? {
        let end = MonotonicClock.seconds + seconds
        while true {
            if let request = next() { return request }
            let left = end - MonotonicClock.seconds
            guard left > 0 else { return nil }
            var waited = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&waited, 1, Int32(min(left, 3600) * 1000) + 1)
        }
    }
}
