import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Tests/Stress/Fuzzing: libFuzzer and address sanitizer on the way from a packet to a command, and from a sequence to a patch.
@Suite struct FuzzTests {
    @Test("Ten minutes of packets made by libFuzzer, from a corpus of every row, crash nothing under address sanitizer")
    func packets() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seconds = 600
        guard access(PackageRoot.file("Tests/Stress/Fuzzing/.build/release/FuzzPackets"), X_OK) == 0 else {
            throw ProgramFailure("the fuzz target is not built; this test needs it: scripts/fuzz build")
        }
        let run = try RunningProgram(PackageRoot.file("scripts/fuzz"), [String(seconds)], environment: environment)
        let exit = try await run.exit(worksLong: true)
        #expect(exit == .code(0), "\(run.transcript)")
        // An early stop would prove nothing, so its own report of its duration and of the end of the corpus is checked.
        let done = try #require(
            run.outputLines.compactMap { $0.firstMatch(of: /^Done (\d+) runs in (\d+) second/) }.last, "\(run.transcript)")
        let loaded = try #require(run.outputLines.compactMap { $0.firstMatch(of: /^#(\d+)\s+INITED/) }.last, "\(run.transcript)")
        let (count, spent, corpus) = (try #require(Int(done.1)), try #require(Int(done.2)), try #require(Int(loaded.1)))
        #expect(spent >= seconds, "\(run.transcript)")
        #expect(count > corpus + 1000, "\(run.transcript)")
        print("fuzz: \(count) packets in \(spent) s, \(corpus) of them its corpus")
    }

    private static let wanted = 100_000

    /// Limited by count, since a busy machine takes longer.
    @Test(
        "A hundred thousand mutations of sequences, besides the corpus, are faults or patches, each within a second of CPU time and 100 MB of heap, under address sanitizer"
    )
    func sequences() async throws {
        let lines = try await runSequences(["sequences", String(Self.wanted)])
        func number(_ name: String) -> Int { lines.first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) } ?? -1 }
        #expect(number("tried: ") >= Self.wanted, "\(lines)")
        print(
            "figure: \(number("tried: ")) mutations of sequences beside a corpus of \(number("corpus: ")) in \(number("seconds: ")) s, \(lines.filter { $0.hasPrefix("worst") })"
        )
    }

    @Test(
        "Faults planted in the fuzzed code are found: an exit, a write beyond a block, more than a second of CPU time, more than 100 MB",
        arguments: [
            ("crash", "planted"), ("overflow", "heap-buffer-overflow"), ("slow", "it takes too long"), ("large", "too much memory"),
        ])
    func planted(fault: String, words: String) async throws {
        try requireTarget()
        let run = try RunningProgram(
            PackageRoot.file("scripts/fuzz"), ["planted", fault], environment: ProcessInfo.processInfo.environment)
        let exit = try await run.exit(worksLong: true)
        #expect(exit != .code(0))
        #expect(run.outputLines.contains { $0.contains(words) }, "\(run.transcript)")
        // With its bytes, so that it can be reproduced.
        #expect(run.outputLines.contains { $0.hasPrefix("FUZZ crash-") && $0.contains("ff") }, "\(run.transcript)")
    }

    @Test(
        "A sequence of two kilobytes with every construct of the format, truncated at every byte, is a fault or a patch within the same limits"
    )
    func truncations() async throws {
        let file = PackageRoot.file("Tests/Unit/SBaGenTests/Sequences/whole-grammar.sbg")
        let size = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
        #expect(size >= 2000)
        let lines = try await runSequences(["truncations", file])
        #expect(lines.contains("tried: \(size + 1)"), "\(lines)")
        print("figure: \(size + 1) truncations, \(lines.first { $0.hasPrefix("worst") } ?? "")")
    }

    private func requireTarget() throws {
        guard access(PackageRoot.file("Tests/Stress/Fuzzing/.build/release/FuzzSequences"), X_OK) == 0 else {
            throw ProgramFailure("the fuzz target is not built; this test needs it: scripts/fuzz build")
        }
    }

    private func runSequences(_ arguments: [String]) async throws -> [String] {
        try requireTarget()
        let run = try RunningProgram(PackageRoot.file("scripts/fuzz"), arguments, environment: ProcessInfo.processInfo.environment)
        let exit = try await run.exit(worksLong: true)
        #expect(exit == .code(0), "\(run.transcript)")
        return run.outputLines
    }
}
