import Glibc

/// The process that holds a port.
public struct PortOwner: Equatable, Sendable {
    public let pid: Int32
    public let name: String

    public init(pid: Int32, name: String) {
        self.pid = pid
        self.name = name
    }

    public enum Kind: String, Sendable {
        case udp
        /// A TCP socket that is listening.
        case tcp

        /// The state that the sockets must have in the kernel's table; `nil` means any. 0A is TCP_LISTEN.
        fileprivate var state: Substring? { self == .tcp ? "0A" : nil }
    }

    /// The process that holds `port` on any address of this machine; `nil` if no process holds it, or this user may not see it.
    ///
    /// From the socket's inode in /proc/net/udp or tcp and the descriptors in /proc/PID/fd (proc(5)).
    public static func of(port: UInt16, _ kind: Kind = .udp) -> PortOwner? {
        let tables = ["/proc/net/\(kind.rawValue)", "/proc/net/\(kind.rawValue)6"]
        let targets = Set(tables.flatMap { inodes($0, port: port, state: kind.state) }.map { "socket:[\($0)]" })
        guard !targets.isEmpty else { return nil }
        for pid in names(in: "/proc").compactMap({ Int32($0) }) {
            let folder = "/proc/\(pid)/fd"
            for descriptor in names(in: folder) where targets.contains(link("\(folder)/\(descriptor)")) {
                let name = text(of: "/proc/\(pid)/comm").split(separator: "\n").first.map(String.init) ?? "a process"
                return PortOwner(pid: pid, name: name)
            }
        }
        return nil
    }

    /// The inodes of the sockets with this local port in a table such as /proc/net/udp.
    private static func inodes(_ table: String, port: UInt16, state: Substring?) -> [Substring] {
        text(of: table).split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 9, let digits = fields[1].split(separator: ":").last, UInt16(digits, radix: 16) == port,
                state.map({ $0 == fields[3] }) ?? true
            else { return nil }
            return fields[9]
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // SAFETY: readdir's entry stays as it is until the next call, and d_name ends with NUL inside it.
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }

    private static func link(_ path: String) -> String {
        // SAFETY: readlink writes at most the given length and says how much.
        String(unsafeUninitializedCapacity: 128) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { max(0, readlink(path, $0.baseAddress!, $0.count)) }
        }
    }

    /// The text of a file; empty if it cannot be read.
    private static func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
