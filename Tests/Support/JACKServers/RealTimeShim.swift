import Foundation

/// The shim of Tests/Release/RealTimeShim, compiled: preloaded into an untouched program, it counts what the program's process callback does
/// that a real-time thread must not do.
///
///     let shim = try await RealTimeShim()
///     let program = try RunningProgram(path, arguments, environment: isolated.adding(server.environment).merging(shim.environment) { $1 })
///     ... play, send commands, end the program in an orderly way ...
///     let report = try shim.report()
///     #expect(report.cycles >= 10_000 && report.isClean, "\(report)")
package final class RealTimeShim: Sendable {
    private let folder: TemporaryFolder

    /// Compiles it.
    package init() async throws {
        folder = try TemporaryFolder()
        try await RealTimeShim.compile(
            "realtime_shim.c", options: ["-shared", "-fPIC"], libraries: ["-ldl", "-pthread"], to: folder.file("realtime_shim.so"))
    }

    /// To be added to the environment of the program under test.
    package var environment: [String: String] {
        ["LD_PRELOAD": folder.file("realtime_shim.so"), "REALTIME_SHIM_REPORT": folder.file("report.txt")]
    }

    /// The counts; the program must have ended by itself or by a signal that it handles.
    package func report() throws -> RealTimeReport {
        guard FileManager.default.fileExists(atPath: folder.file("report.txt")) else {
            throw ProgramFailure("the program left no report: it never ran a process callback, or did not end in an orderly way")
        }
        return RealTimeReport(text: try folder.read("report.txt"))
    }

    /// Compiles the JACK client with planted faults, which the shim must detect.
    package func compilePlantedFaults() async throws -> String {
        let program = folder.file("planted_faults")
        try await RealTimeShim.compile("planted_faults.c", options: [], libraries: ["-ljack", "-pthread"], to: program)
        return program
    }

    private static func compile(_ source: String, options: [String], libraries: [String], to target: String) async throws(ProgramFailure) {
        let compiler = try requireTool("cc", package: "gcc libc6-dev")
        let finished = try await RunningProgram.run(
            compiler,
            ["-O2", "-Wall", "-Wextra", "-Werror"] + options + ["-o", target, PackageRoot.file("Tests/Release/RealTimeShim/\(source)")]
                + libraries)
        guard finished.exit == .code(0) else { throw ProgramFailure("\(finished.command) failed: \(finished.errors)") }
    }
}

/// The report about a program's process callback and its xrun callback.
package struct RealTimeReport: Sendable, CustomStringConvertible {
    /// The number of counted cycles.
    package let cycles: Int
    /// The number of calls of the xrun callback before a cycle, on the same thread, as PipeWire does.
    package let xruns: Int
    /// "malloc", "free", "lock", … and how often. "syscall": cycles with a system call, as the kernel saw it; -1 where it cannot look.
    package let counts: [String: Int]
    /// The whole report, with the stacks of the first offences.
    package let description: String

    init(text: String) {
        let pairs = text.split(separator: "\n").prefix { !$0.hasPrefix("stack ") }.compactMap { line -> (String, Int)? in
            let parts = line.split(separator: " ")
            return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
        }
        var counts = Dictionary(pairs) { $1 }
        cycles = counts.removeValue(forKey: "cycles") ?? 0
        xruns = counts.removeValue(forKey: "xruns") ?? 0
        self.counts = counts
        description = text
    }

    /// Whether nothing forbidden was done. If the kernel cannot count system calls, only the wrapped functions count.
    package var isClean: Bool {
        !counts.isEmpty && counts.values.allSatisfy { $0 <= 0 }
    }
}
