import Foundation

/// Notifies systemd of the program's state, as in sd_notify(3): a datagram to the socket named by NOTIFY_SOCKET.
package struct ServiceManager: Sendable {
    private let path: String
    /// The time between watchdog notifications in seconds, half of WATCHDOG_USEC as sd_watchdog_enabled(3) advises; `nil` if the watchdog
    /// is off.
    package let watchdogInterval: Double?

    package enum State: String, Sendable {
        /// The program has started, and units that need it may start.
        case ready = "READY=1"
        /// The program is alive.
        case alive = "WATCHDOG=1"
        case stopping = "STOPPING=1"
    }

    /// Reads the service manager's variables; `nil` if there is no service manager.
    package init?(environment: [String: String], pid: Int32 = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count > 1 else { return nil }
        self.path = path
        let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == pid } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap(Double.init) ?? 0
        watchdogInterval = isForUs && microseconds > 0 ? microseconds / 2e6 : nil
    }

    /// Sends a notification without waiting; if that fails, it is dropped. sendto(2)
    package func notify(_ state: State) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A name that begins with @ is an abstract one, whose first byte is zero.
        let bytes = path.hasPrefix("@") ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let isAbstract = path.hasPrefix("@")
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let text = Array(state.rawValue.utf8)
        // SAFETY: the address outlives the call, and its length is passed.
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
