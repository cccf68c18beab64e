import Glibc

/// A Unix datagram socket with a path, for this user alone, that never blocks. Not for more than one thread at a time.
package final class UnixSocket {
    /// For a poll or a dispatch source; stays this object's own.
    package let descriptor: Int32
    /// `nil` for one that has no file.
    package let file: SocketFile?
    /// Packets that could not be handed over at once, and were dropped.
    package private(set) var droppedCount = 0
    private var gone: [UnixAddress] = []
    // One more than the longest packet, so that what was cut off shows.
    private var buffer = [UInt8](repeating: 0, count: PacketCheck.maximumSize + 1)

    /// What a socket has to tell.
    package enum Event: Equatable, Sendable {
        case packet([UInt8], from: UnixAddress)
        /// Nobody listens there any more: a packet could not be delivered.
        case unreachable(UnixAddress)
    }

    /// `socket`, `bind`; the file has mode 0600. A socket that a program left behind is replaced, one that somebody listens on is not.
    package init(boundTo path: String) throws(SocketError) {
        guard let address = UnixAddress(path: path) else { throw .pathTooLong(path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .unixFailed(call: "socket", path: path, code: errno) }
        do throws(SocketError) {
            // The file gets the mode that the socket has: at no moment is it anybody else's.
            guard fchmod(descriptor, 0o600) == 0 else { throw .unixFailed(call: "fchmod", path: path, code: errno) }
            try Self.bind(descriptor, address, path)
            file = try SocketFile(path)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    /// One that only its answers find, under a name that the system chooses and that is no file: unix(7), "autobind".
    package init() throws(SocketError) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        file = nil
        guard descriptor >= 0 else { throw .unixFailed(call: "socket", path: "without a path", code: errno) }
        guard UnixAddress.unnamed.withSocketAddress({ address, _ in Glibc.bind(descriptor, address, UnixAddress.unnamedLength) }) == 0
        else {
            throw .unixFailed(call: "bind", path: "without a path", code: errno)
        }
    }

    deinit { close(descriptor) }

    /// The next event, or `nil` when there is none at the moment.
    package func receive() -> Event? {
        if let address = gone.popLast() { return .unreachable(address) }
        var source = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = buffer.withUnsafeMutableBytes { bytes in
            // SAFETY: sockaddr_storage is large enough for every address and its size is told.
            withUnsafeMutablePointer(to: &source) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT), $0, &length)
                }
            }
        }
        guard count >= 0 else { return nil }
        return .packet(Array(buffer[..<count]), from: UnixAddress(source, length: length))
    }

    /// Hands a packet over: false, and counted, if that cannot be done at once. `sendto`.
    @discardableResult
    package func send(_ bytes: [UInt8], to address: UnixAddress) -> Bool {
        let count = address.withSocketAddress { sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, $1) }
        if count == bytes.count { return true }
        // A full queue empties; all else says that nobody is there.
        if count < 0, errno != EAGAIN, errno != ENOBUFS, errno != EMSGSIZE, !gone.contains(address) { gone.append(address) }
        droppedCount += 1
        return false
    }

    private static func bind(_ descriptor: Int32, _ address: UnixAddress, _ path: String) throws(SocketError) {
        if address.withSocketAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 { return }
        guard errno == EADDRINUSE else { throw .unixFailed(call: "bind", path: path, code: errno) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { throw .pathNotSocket(path) }
        guard address.withSocketAddress({ connect(descriptor, $0, $1) }) != 0, errno == ECONNREFUSED else { throw .pathInUse(path) }
        unlink(path)
        guard address.withSocketAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw .unixFailed(call: "bind", path: path, code: errno)
        }
    }
}

/// The file of a bound Unix socket, to be removed when its program ends.
package struct SocketFile: Sendable {
    package let path: String
    private let device: dev_t
    private let inode: ino_t

    fileprivate init(_ path: String) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .unixFailed(call: "lstat", path: path, code: errno) }
        self.path = path
        (device, inode) = (status.st_dev, status.st_ino)
    }

    /// `unlink`, if it is still the one that was bound.
    package func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }
}
