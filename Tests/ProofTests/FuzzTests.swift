import Foundation
import TestSupport
import Testing

/// Tests/Fuzzing: libFuzzer and address sanitizer on the way from a packet to a command, and from a sequence to a patch.
@Suite struct FuzzTests {
    @Test("A minute of packets made by libFuzzer, from a corpus of every row, crashes nothing under address sanitizer")
    func minute() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seconds = isStress ? 600 : 60
        guard access(PackageRoot.file("Tests/Fuzzing/.build/release/FuzzPackets"), X_OK) == 0 else {
            throw ProgramFailure("the fuzz target is not built; this test needs it: scripts/fuzz build")
        }
        let run = try RunningProgram(PackageRoot.file("scripts/fuzz"), [String(seconds)], environment: environment)
        let exit = try await run.exit(within: .seconds(seconds + 240))
        #expect(exit == .code(0), "\(run.transcript)")
        // Had it stopped early, it would have shown nothing: by itself it says how long it was at it, and where the corpus ended.
        let done = try #require(
            run.outputLines.compactMap { $0.firstMatch(of: /^Done (\d+) runs in (\d+) second/) }.last, "\(run.transcript)")
        let loaded = try #require(run.outputLines.compactMap { $0.firstMatch(of: /^#(\d+)\s+INITED/) }.last, "\(run.transcript)")
        let (count, spent, corpus) = (try #require(Int(done.1)), try #require(Int(done.2)), try #require(Int(loaded.1)))
        #expect(spent >= seconds && count > corpus + 1000, "\(run.transcript)")
        print("fuzz: \(count) packets in \(spent) s, \(corpus) of them its corpus")
    }

    @Test(
        "A minute of mutations of sequences (a hundred thousand in make stress) are faults or patches, each within a second and 100 MB, under address sanitizer"
    )
    func sequences() async throws {
        let environment = ProcessInfo.processInfo.environment
        let wanted = 100_000
        guard access(PackageRoot.file("Tests/Fuzzing/.build/release/FuzzSequences"), X_OK) == 0 else {
            throw ProgramFailure("the fuzz target is not built; this test needs it: scripts/fuzz build")
        }
        let run = try RunningProgram(
            PackageRoot.file("scripts/fuzz"), ["sequences", String(wanted)] + (isStress ? [] : ["60"]), environment: environment)
        let exit = try await run.exit(within: .seconds(1200))
        #expect(exit == .code(0), "\(run.transcript)")
        let count = run.outputLines.first { $0.hasPrefix("stat::number_of_executed_units") }.flatMap { Int($0.filter(\.isNumber)) }
        #expect(count ?? 0 >= (isStress ? wanted : 1000), "\(run.transcript)")
        print("fuzz: \(count ?? 0) sequences")
    }
}
