import Foundation

/// The socket of this user's PipeWire server.
enum PipeWireSocket {
    /// Identifies the socket file; a restarted server creates a new one.
    struct Identity: Equatable {
        let inode: UInt64
        let changed: Int
    }

    static func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        let folder = environment["PIPEWIRE_RUNTIME_DIR"] ?? environment["XDG_RUNTIME_DIR"]
        return folder.map { "\($0)/\(environment["PIPEWIRE_REMOTE"] ?? "pipewire-0")" }
    }

    /// Whether there is a socket. Unlike connecting to it, looking does not start a server that systemd starts on demand. stat(2)
    static var isThere: Bool {
        var information = stat()
        return path().map { stat($0, &information) == 0 && information.st_mode & S_IFMT == S_IFSOCK } ?? false
    }

    /// The identity of the socket; `nil` if no server listens on it. connect(2), stat(2)
    static func identity(path: String? = path()) -> Identity? {
        guard let path, isAnswered(path) else { return nil }
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        return Identity(inode: UInt64(information.st_ino), changed: information.st_ctim.tv_sec)
    }

    private static func isAnswered(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return false }
        defer { close(file) }
        // SAFETY: the address lives until the call returns, and its size is that of its own type.
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
