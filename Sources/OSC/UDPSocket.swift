import Glibc

/// A bound, non-blocking UDP socket. Not safe for use by several threads at once.
public final class UDPSocket {
    /// The descriptor, for a poll or a dispatch source. This object closes it.
    public let descriptor: Int32
    /// The endpoint that it is bound to, with the port that the system chose if 0 was requested.
    public let localEndpoint: Endpoint
    /// Packets dropped because the network could not take them at once.
    public private(set) var droppedCount = 0
    /// The time at which the packet last returned by ``receive()`` reached this machine, however long it was queued; `CLOCK_REALTIME`.
    public private(set) var lastArrival: TimeTag?
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// An event on the socket.
    public enum Event: Equatable, Sendable {
        case packet([UInt8], from: Endpoint)
        /// Nothing is listening there any more: an earlier packet was answered with "port unreachable" or a similar error.
        case unreachable(Endpoint)
    }

    /// Opens the socket, without sharing the address with other sockets. `socket`, `bind`
    public init(boundTo endpoint: Endpoint) throws(SocketError) {
        let descriptor = socket(endpoint.family, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .failed(call: "socket", endpoint: endpoint, code: errno) }
        do throws(SocketError) {
            try Self.enable(SOL_SOCKET, SO_TIMESTAMPNS, descriptor, endpoint)
            // As large as the system grants (net.core.rmem_max), so that bursts are not lost while the program is busy.
            try Self.set(SOL_SOCKET, SO_RCVBUF, 1 << 22, descriptor, endpoint)
            // Makes the kernel report ICMP errors together with the destination that caused them.
            if endpoint.family == AF_INET {
                try Self.enable(Int32(IPPROTO_IP), IP_RECVERR, descriptor, endpoint)
            } else {
                try Self.enable(Int32(IPPROTO_IPV6), IPV6_RECVERR, descriptor, endpoint)
                try Self.enable(Int32(IPPROTO_IPV6), IPV6_V6ONLY, descriptor, endpoint)
            }
            guard endpoint.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else { throw Self.bindError(errno, endpoint) }
            localEndpoint = try Self.boundEndpoint(descriptor, asked: endpoint)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The next event, or `nil` if nothing is pending.
    public func receive() -> Event? {
        // Each round takes one packet or pending error off the socket; if there are more errors, the next call handles them.
        for _ in 0..<8 {
            var source = sockaddr_storage()
            let count = receiveMessage(into: &source, flags: 0)
            if count >= 0 {
                guard let endpoint = Endpoint(source) else { continue }
                return .packet(Array(buffer[..<count]), from: endpoint)
            }
            switch errno {
            case EAGAIN: return unreachablePeer()
            case EINTR: continue
            default:
                // A pending ICMP error; its destination waits in the error queue.
                if let event = unreachablePeer() { return event }
            }
        }
        return nil
    }

    /// Sends a packet. If the network does not take it at once, it is dropped and counted, and the result is false. `sendto`
    @discardableResult
    public func send(_ bytes: [UInt8], to endpoint: Endpoint) -> Bool {
        // The first failure may report an error of an earlier packet to another peer.
        for _ in 0..<2 {
            let count = endpoint.withSocketAddress { address, length in
                sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), address, length)
            }
            if count == bytes.count { return true }
            if count < 0, errno == EAGAIN || errno == ENOBUFS { break }
        }
        droppedCount += 1
        return false
    }

    private func unreachablePeer() -> Event? {
        var destination = sockaddr_storage()
        guard receiveMessage(into: &destination, flags: Int32(MSG_ERRQUEUE)) >= 0 else { return nil }
        return Endpoint(destination).map(Event.unreachable)
    }

    /// Calls `recvmsg` with the buffer. With MSG_ERRQUEUE, the name is the destination that the error is about.
    private func receiveMessage(into name: inout sockaddr_storage, flags: Int32) -> Int {
        var stamp = Stamp()
        let count = buffer.withUnsafeMutableBytes { bytes in
            withUnsafeMutablePointer(to: &name) { name in
                var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    withUnsafeMutablePointer(to: &stamp) { stamp in
                        // SAFETY: name, vector, buffer and stamp outlive the call and their sizes are passed.
                        var header = msghdr()
                        header.msg_name = UnsafeMutableRawPointer(name)
                        header.msg_namelen = socklen_t(MemoryLayout<sockaddr_storage>.size)
                        header.msg_iov = vector
                        header.msg_iovlen = 1
                        header.msg_control = UnsafeMutableRawPointer(stamp)
                        header.msg_controllen = MemoryLayout<Stamp>.size
                        return recvmsg(descriptor, &header, flags | Int32(MSG_DONTWAIT))
                    }
                }
            }
        }
        lastArrival = stamp.time
        return count
    }

    /// A control message with a time stamp, laid out as in cmsg(3).
    private struct Stamp {
        private var header = cmsghdr()
        private var value = timespec()

        /// The time stamp; `nil` if the kernel has written none.
        var time: TimeTag? {
            guard header.cmsg_level == SOL_SOCKET, header.cmsg_type == SO_TIMESTAMPNS else { return nil }
            return TimeTag(secondsSince1970: Int64(value.tv_sec), nanoseconds: Int64(value.tv_nsec))
        }
    }

    private static func enable(_ level: Int32, _ option: Int32, _ descriptor: Int32, _ endpoint: Endpoint) throws(SocketError) {
        try set(level, option, 1, descriptor, endpoint)
    }

    private static func set(
        _ level: Int32, _ option: Int32, _ value: Int32, _ descriptor: Int32, _ endpoint: Endpoint
    ) throws(SocketError) {
        var value = value
        guard setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw .failed(call: "setsockopt", endpoint: endpoint, code: errno)
        }
    }

    private static func bindError(_ code: Int32, _ endpoint: Endpoint) -> SocketError {
        switch code {
        case EADDRINUSE: .portInUse(endpoint, owner: PortOwner.of(port: endpoint.port))
        case EADDRNOTAVAIL: .addressNotAvailable(endpoint)
        default: .failed(call: "bind", endpoint: endpoint, code: code)
        }
    }

    private static func boundEndpoint(_ descriptor: Int32, asked endpoint: Endpoint) throws(SocketError) -> Endpoint {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // SAFETY: sockaddr_storage is as large as the length says.
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard code == 0, let bound = Endpoint(storage) else { throw .failed(call: "getsockname", endpoint: endpoint, code: errno) }
        return bound
    }
}
