import Application
import Foundation
import TestSupport
import Testing

@Suite("Memory pressure")
struct MemoryPressureTests {
    /// A file like /proc/pressure/memory.
    private final class Pressure {
        let folder: TemporaryFolder
        let reports = WatchedState(0)

        init(total: Int) throws {
            folder = try TemporaryFolder()
            try raise(to: total)
        }

        var path: String { folder.file("memory") }

        func raise(to total: Int) throws {
            let text = "some avg10=0.00 avg60=0.00 avg300=0.00 total=\(total)\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n"
            // Overwritten in place, as by the kernel.
            let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
            defer { close(descriptor) }
            try #require(pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count)
        }

        func watch(rest: Duration = .zero) -> MemoryPressure? {
            let reports = reports
            return MemoryPressure(path: path, interval: .milliseconds(10), rest: rest) { reports.update { $0 += 1 } }
        }
    }

    @Test("tasks that wait for memory are detected each time, in a file that accepts no trigger and is not written")
    func noticed() async throws {
        let pressure = try Pressure(total: 1_000_000)
        let watch = try #require(pressure.watch())
        for count in 1...3 {
            try pressure.raise(to: 1_000_000 + count * 200_000)
            #expect(await pressure.reports.wait { $0 >= count ? $0 : nil } == count)
        }
        #expect(try pressure.folder.read("memory").hasPrefix("some avg10=0.00 avg60=0.00 avg300=0.00 total=1600000\n"))
        withExtendedLifetime(watch) {}
    }

    @Test("short waits and invalid values are not reported, nor is the same pressure twice")
    func quiet() async throws {
        let pressure = try Pressure(total: 2_000_000)
        let watch = try #require(pressure.watch(rest: .seconds(1000)))
        try pressure.raise(to: 2_100_000)
        try pressure.raise(to: 1_000_000)
        try pressure.raise(to: 9_000_000)
        #expect(await pressure.reports.wait { $0 > 0 ? $0 : nil } == 1)
        try pressure.raise(to: 9_900_000)
        // A second watch serves as a clock: when it has polled, the first one most likely has too.
        let other = try Pressure(total: 0)
        let clock = try #require(other.watch())
        try other.raise(to: 900_000)
        #expect(await other.reports.wait { $0 > 0 ? $0 : nil } == 1)
        #expect(pressure.reports.value == 1)
        withExtendedLifetime((watch, clock)) {}
    }

    @Test("a kernel without it reports nothing; one with it accepts a trigger or is read")
    func kernel() {
        #expect(MemoryPressure(path: "/proc/pressure/nothing") {} == nil)
        #expect((MemoryPressure {} != nil) == FileManager.default.isReadableFile(atPath: MemoryPressure.path))
    }
}
