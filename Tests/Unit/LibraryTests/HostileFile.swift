import Foundation
import Glibc
import OperatingSystem

/// Kinds of files that must not be opened: opening or reading some of them would never end.
enum HostileFile: String, CaseIterable {
    case folder, pipe, pipeWithWriter, pipeWithReader, socket, zero, terminal, memory, linkToPipe, linkToDevice, linkToFolder

    var kind: FileKind {
        switch self {
        case .folder, .linkToFolder: .folder
        case .pipe, .pipeWithWriter, .pipeWithReader, .linkToPipe: .pipe
        case .socket: .socket
        case .zero, .terminal, .memory, .linkToDevice: .device
        }
    }

    /// Creates it in an existing folder. The result holds the other end open as long as it lives.
    func lay(at path: String) throws -> OtherEnd? {
        switch self {
        case .folder: try make(mkdir(path, 0o755))
        case .pipe: try make(mkfifo(path, 0o644))
        case .pipeWithWriter, .pipeWithReader:
            try make(mkfifo(path, 0o644))
            // Both ends at once: neither waits for the other.
            let both = open(path, O_RDWR | O_CLOEXEC)
            let end = self == .pipeWithWriter ? both : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            if self == .pipeWithReader { close(both) }
            return OtherEnd(end)
        case .socket:
            let end = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            // The address has room for 107 bytes, so the socket is created nearby and moved.
            let nearby = "/tmp/binaural-\(UUID().uuidString.prefix(8))"
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: nearby.utf8) }
            try make(
                withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(end, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
                })
            try make(rename(nearby, path))
            return OtherEnd(end)
        case .zero: try make(symlink("/dev/zero", path))
        case .terminal: try make(symlink("/dev/tty", path))
        case .memory: try make(symlink("/dev/full", path))
        case .linkToPipe:
            try make(mkfifo(path + ".fifo", 0o644))
            try make(symlink(path + ".fifo", path))
        case .linkToDevice:
            try make(symlink("/dev/zero", path + ".link"))
            try make(symlink(path + ".link", path))
        case .linkToFolder: try make(symlink("/tmp", path))
        }
        return nil
    }

    private func make(_ code: Int32) throws {
        if code != 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    final class OtherEnd {
        private let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }
    }
}
