import Glibc

/// A non-blocking Unix datagram socket with a path, accessible to this user only. Not safe for use by several threads at once.
public final class UnixSocket {
    /// The descriptor, for a poll or a dispatch source. This object closes it.
    public let descriptor: Int32
    /// The socket's file; `nil` if it has none.
    public let file: SocketFile?
    /// Packets dropped because they could not be delivered at once.
    public private(set) var droppedCount = 0
    private var gone: [UnixAddress] = []
    // One byte more than the longest packet, so that a truncated packet is detected.
    private var buffer = [UInt8](repeating: 0, count: PacketCheck.maximumSize + 1)

    /// An event on the socket.
    public enum Event: Equatable, Sendable {
        case packet([UInt8], from: UnixAddress)
        /// Nothing is listening there any more: a packet could not be delivered.
        case unreachable(UnixAddress)
    }

    /// Opens the socket; its file has mode 0600. A socket file left behind by an ended program is replaced; one that is in use is an error.
    /// `socket`, `bind`
    public init(boundTo path: String) throws(SocketError) {
        guard let address = UnixAddress(path: path) else { throw .pathTooLong(path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .unixFailed(call: "socket", path: path, code: errno) }
        do throws(SocketError) {
            // The file inherits the socket's mode, so it is never accessible to others.
            guard fchmod(descriptor, 0o600) == 0 else { throw .unixFailed(call: "fchmod", path: path, code: errno) }
            try Self.bind(descriptor, address, path)
            file = try SocketFile(path)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    /// Opens a socket for requests and their answers only, under an abstract name that the system chooses: unix(7), "autobind".
    public init() throws(SocketError) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        file = nil
        guard descriptor >= 0 else { throw .unixFailed(call: "socket", path: "without a path", code: errno) }
        guard UnixAddress.unnamed.withSocketAddress({ address, _ in Glibc.bind(descriptor, address, UnixAddress.unnamedLength) }) == 0
        else {
            throw .unixFailed(call: "bind", path: "without a path", code: errno)
        }
    }

    deinit { close(descriptor) }

    /// The next event, or `nil` if nothing is pending.
    public func receive() -> Event? {
        if let address = gone.popLast() { return .unreachable(address) }
        var source = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = buffer.withUnsafeMutableBytes { bytes in
            // SAFETY: sockaddr_storage is large enough for every address and its size is passed.
            withUnsafeMutablePointer(to: &source) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT), $0, &length)
                }
            }
        }
        guard count >= 0 else { return nil }
        return .packet(Array(buffer[..<count]), from: UnixAddress(source, length: length))
    }

    /// Sends a packet. If it cannot be delivered at once, it is dropped and counted, and the result is false. `sendto`
    @discardableResult
    public func send(_ bytes: [UInt8], to address: UnixAddress) -> Bool {
        let count = address.withSocketAddress { sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, $1) }
        if count == bytes.count { return true }
        // A full queue is temporary; any other error means that nobody is there.
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

/// The file of a bound Unix socket, which is removed when the program ends.
public struct SocketFile: Sendable {
    public let path: String
    private let device: dev_t
    private let inode: ino_t

    fileprivate init(_ path: String) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .unixFailed(call: "lstat", path: path, code: errno) }
        self.path = path
        (device, inode) = (status.st_dev, status.st_ino)
    }

    /// Removes the file if it is still the one that was bound. `unlink`
    public func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }
}
