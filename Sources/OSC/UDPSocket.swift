import Glibc

/// A bound UDP socket that never blocks. Not for more than one thread at a time.
package final class UDPSocket {
    /// For a poll or a dispatch source; stays this object's own.
    package let descriptor: Int32
    /// Where it is bound, with the port that the system chose where 0 was asked for.
    package let localEndpoint: Endpoint
    /// Packets that could not be handed to the network at once, and were dropped.
    package private(set) var droppedCount = 0
    /// When the packet that ``receive()`` gave last came to this machine, however long it has waited since; `CLOCK_REALTIME`.
    package private(set) var lastArrival: TimeTag?
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// What a ready socket has to tell.
    package enum Event: Equatable, Sendable {
        case packet([UInt8], from: Endpoint)
        /// Nobody listens there any more: an earlier packet came back with "port unreachable" or the like.
        case unreachable(Endpoint)
    }

    /// `socket`, `bind`; the address is not shared with other sockets.
    package init(boundTo endpoint: Endpoint) throws(SocketError) {
        let descriptor = socket(endpoint.family, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .failed(call: "socket", endpoint: endpoint, code: errno) }
        do throws(SocketError) {
            try Self.enable(SOL_SOCKET, SO_TIMESTAMPNS, descriptor, endpoint)
            // As much as the system grants (net.core.rmem_max): a burst should not be lost while the program is busy.
            try Self.set(SOL_SOCKET, SO_RCVBUF, 1 << 22, descriptor, endpoint)
            // ICMP errors come with the destination that they are about; without this the kernel keeps them to itself.
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

    /// The next event, or `nil` when there is none at the moment.
    package func receive() -> Event? {
        // Each turn takes a packet or a pending error off the socket; errors that come faster wait for the next call.
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

    /// Hands a packet to the network: false, and counted, if it does not take it at once. `sendto`.
    @discardableResult
    package func send(_ bytes: [UInt8], to endpoint: Endpoint) -> Bool {
        // The first failure may be the news about an earlier packet to somebody else.
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

    /// `recvmsg` into the buffer. With MSG_ERRQUEUE the name is the destination that an error is about.
    private func receiveMessage(into name: inout sockaddr_storage, flags: Int32) -> Int {
        var stamp = Stamp()
        let count = buffer.withUnsafeMutableBytes { bytes in
            withUnsafeMutablePointer(to: &name) { name in
                var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    withUnsafeMutablePointer(to: &stamp) { stamp in
                        // SAFETY: name, vector, buffer and stamp outlive the call and their sizes are told.
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

    /// A control message with a time, as cmsg(3) lays it out.
    private struct Stamp {
        private var header = cmsghdr()
        private var value = timespec()

        /// `nil` when the kernel has put none there.
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
