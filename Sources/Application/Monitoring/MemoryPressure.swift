import Foundation
import OperatingSystem
import Synchronization

/// Detects that the machine is short of memory by the kernel's pressure stall information (PSI): tasks that wait for memory.
///
/// If the kernel accepts a trigger, it reports the pressure; otherwise the file is read every two seconds. A kernel without PSI has no such
/// file, and nothing is ever reported.
package final class MemoryPressure: Sendable {
    package static let path = "/proc/pressure/memory"
    /// The time in microseconds, out of two seconds, that some task has to have waited for a report.
    static let limit = 150_000
    /// The minimum time between two reports.
    static let rest = Duration.seconds(10)

    private let descriptor: Int32
    /// Ends the thread.
    private let ending: WakeUpPipe

    /// - Parameters:
    ///   - path: a file in the format of /proc/pressure/memory.
    ///   - interval: between two reads if the kernel accepts no trigger.
    ///   - report: called on a separate thread.
    /// - Returns: `nil` if there is no such file.
    package init?(path: String = path, interval: Duration = .seconds(2), rest: Duration = rest, report: @escaping @Sendable () -> Void) {
        let (descriptor, isTriggered) = Self.open(path)
        guard descriptor >= 0, let ending = try? WakeUpPipe() else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        self.descriptor = descriptor
        self.ending = ending
        let total = isTriggered ? nil : Self.total(descriptor)
        let thread = Thread {
            var watch = Watch(descriptor: descriptor, rest: rest, total: total)
            while watch.waits(ending: ending.descriptor, interval: isTriggered ? nil : interval) {
                watch.look(isTriggered: isTriggered, report)
            }
            close(descriptor)
        }
        thread.name = "memory"
        thread.start()
    }

    deinit { ending.wake() }

    /// Opens the file, with a trigger if the kernel accepts one. The kernel's file has size 0; any other file is only read.
    private static func open(_ path: String) -> (descriptor: Int32, isTriggered: Bool) {
        let descriptor = Foundation.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        var status = stat()
        if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_size == 0 {
            let trigger = Array("some \(limit) 2000000".utf8) + [0]
            if write(descriptor, trigger, trigger.count) == trigger.count { return (descriptor, true) }
        }
        if descriptor >= 0 { close(descriptor) }
        return (Foundation.open(path, O_RDONLY | O_CLOEXEC), false)
    }

    /// Microseconds that some task has waited since the machine was started: `some … total=N`.
    private static func total(_ descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let line = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("some ") }
        return line?.split(separator: " ").first { $0.hasPrefix("total=") }.flatMap { Int($0.dropFirst(6)) }
    }

    private struct Watch {
        let descriptor: Int32
        let rest: Duration
        var total: Int?
        var quietUntil = ContinuousClock.now

        /// Waits for the trigger or the interval. False if watching has ended, or the kernel has removed the trigger.
        func waits(ending: Int32, interval: Duration?) -> Bool {
            var waited = [
                pollfd(fd: ending, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interval == nil ? descriptor : -1, events: Int16(POLLPRI), revents: 0),
            ]
            let limit = interval.map { Int32($0 / .milliseconds(1)) } ?? -1
            while poll(&waited, 2, limit) < 0 { guard errno == EINTR else { return false } }
            return waited[0].revents == 0 && waited[1].revents & Int16(POLLERR) == 0
        }

        mutating func look(isTriggered: Bool, _ report: () -> Void) {
            if !isTriggered {
                let before = total
                total = MemoryPressure.total(descriptor)
                guard let before, let total, total - before >= MemoryPressure.limit else { return }
            }
            guard ContinuousClock.now >= quietUntil else { return }
            quietUntil = .now + rest
            report()
        }
    }
}
