import TestSupport
import Testing

/// The check of the render thread detects what it is meant to detect.
@Suite struct RealTimeShimTests {
    private func report(of faults: [String]) async throws -> RealTimeReport {
        let shim = try await RealTimeShim()
        let program = try await shim.compilePlantedFaults()
        return try await JACKServer.run(bufferSize: 64) { server in
            let isolated = try IsolatedEnvironment(adding: server.environment)
            let finished = try await RunningProgram.run(
                program, ["planted-\(server.name)", "500"] + faults, environment: isolated.adding(shim.environment))
            guard finished.exit == .code(0) else { throw ProgramFailure("\(finished.command): \(finished.exit) \(finished.errors)") }
            return try shim.report()
        }
    }

    @Test("A clean callback is reported clean")
    func clean() async throws {
        let report = try await report(of: ["clean"])
        #expect(report.cycles >= 500)
        #expect(report.xruns >= 60)
        #expect(report.isClean, "\(report)")
    }

    @Test("A fault in the xrun callback is caught, since PipeWire calls it on the same thread: in every eighth cycle")
    func xrun() async throws {
        let report = try await report(of: ["xrun"])
        for kind in ["malloc", "free", "lock", "unlock"] { #expect(report.counts[kind] == 63, "\(kind): \(report)") }
    }

    @Test(
        "Every planted fault is caught, with its stack",
        arguments: [
            ("malloc", ["malloc", "free"]), ("lock", ["lock", "unlock"]), ("write", ["input-output", "syscall"]), ("raw", ["syscall"]),
        ])
    func planted(fault: String, kinds: [String]) async throws {
        let report = try await report(of: [fault])
        #expect(!report.isClean)
        for kind in kinds where report.counts[kind] != -1 {
            #expect(report.counts[kind] == 500, "\(kind): \(report)")
        }
        #expect(report.description.contains("planted_faults"))
    }
}
