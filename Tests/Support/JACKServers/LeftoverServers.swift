import Foundation

/// Servers of a test process that was killed together with its watchdog. The process that holds the slot may end them, since no other one uses the name.
enum LeftoverServers {
    static func end(named name: String) {
        for pid in processes(named: name) {
            kill(pid, SIGKILL)
            waitForEnd(of: pid)
        }
    }

    private static func processes(named name: String) -> [Int32] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { Int32($0) }.filter { pid in
            guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return false }
            let arguments = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            guard arguments.first?.hasSuffix("jackd") == true, let flag = arguments.firstIndex(of: "-n") else { return false }
            return arguments.indices.contains(flag + 1) && arguments[flag + 1] == name
        }
    }

    /// The process is not a child of ours, and Swift sees no pidfd_open: there is no event to wait for.
    private static func waitForEnd(of pid: Int32) {
        for _ in 0..<400 where kill(pid, 0) == 0 { usleep(5000) }
    }
}
