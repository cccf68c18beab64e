import Foundation
import ProgramSupport
import TestSupport
import Testing

/// State shared by two threads, under thread sanitizer. Only the modules that make sound are compiled for it, which takes half a minute.
@Suite struct ThreadSanitizerTests {
    /// The exit status of a program in which a race was detected.
    private static let exitCode: Int32 = 66

    private static let flags = ["-sanitize=thread", "-O"]

    private func run(_ program: String, _ build: ModuleBuild, with modules: [String]) async throws -> FinishedProgram {
        try await build.run(
            program, [program, "Threads"].map { "Tests/Release/ThreadSanitizer/\($0).swift" }, with: modules,
            adding: ["TSAN_OPTIONS": "halt_on_error=1"])
    }

    @Test(
        "Ring, seqlock and engine, with every request while plans cross and come back, have no data race; one planted in the swap of plans, and one in the status, are caught"
    )
    func engine() async throws {
        let below = try ModuleBuild(Self.flags)
        defer { withExtendedLifetime(below) {} }
        for module in ModuleBuild.modules.dropFirst().reversed() { try await below.compile(module) }
        let ring = try await run("RingRaces", below, with: ["RealTime"])
        #expect(ring.exit == .code(0), "\(ring.errors)")
        #expect(ring.output == "20000 elements, 20000 last", "\(ring.errors)")
        for (right, wrong) in [
            ("", ""),
            (
                "until: last))\n",
                "until: last))\n        UnsafeMutablePointer(mutating: plan.data).pointee.length = plan.lengthInFrames ?? .max\n"
            ),
            ("{ handle.state.pointee.status.read() }", "{ handle.state.pointee.published.pointee }"),
        ] {
            let build = try ModuleBuild(Self.flags, on: below)
            var planted = 0
            try await build.compile("Engine") { text in
                guard !right.isEmpty else { return text }
                planted += text.ranges(of: right).count
                return text.replacing(right, with: wrong)
            }
            let engine = try await run("EngineRaces", build, with: ModuleBuild.modules)
            if right.isEmpty {
                #expect(engine.exit == .code(0), "\(engine.errors)")
                #expect(engine.output.hasSuffix("events"), "\(engine.errors)")
            } else {
                #expect(planted == 1, "\(right)")
                #expect(engine.exit == .code(Self.exitCode), "\(engine.errors)")
                #expect(engine.errors.contains(/(data|Swift access) race/), "\(engine.errors)")
            }
        }
    }

    @Test("Seqlock writers that are abandoned in the middle, every fourth of them, tear nothing and block no reader")
    func abandoned() async throws {
        let store = "            place[index].store("
        let leave = "            if index == wordCount / 2, source.loadUnaligned(as: UInt.self) % 4 == 0 { return }\n"
        let build = try ModuleBuild(Self.flags)
        var planted = 0
        try await build.compile("RealTime") { text in
            planted += text.ranges(of: store).count
            return text.replacing(store, with: leave + store)
        }
        #expect(planted == 1)
        let ring = try await run("RingRaces", build, with: ["RealTime"])
        #expect(ring.exit == .code(0), "\(ring.exit) \(ring.errors)")
        #expect(ring.output == "20000 elements, 19999 last", "\(ring.exit) \(ring.errors)")
    }

    @Test("A ring whose ends do not order their memory accesses is caught")
    func planted() async throws {
        let build = try ModuleBuild(Self.flags)
        var planted = 0
        try await build.compile("RealTime") { text in
            planted += text.ranges(of: "tail.store(tail, ordering: .releasing)").count
            return text.replacing("tail.store(tail, ordering: .releasing)", with: "tail.store(tail, ordering: .relaxed)")
        }
        #expect(planted == 1)
        let ring = try await run("RingRaces", build, with: ["RealTime"])
        #expect(ring.exit == .code(Self.exitCode), "\(ring.exit) \(ring.errors)")
        #expect(ring.errors.contains("data race"), "\(ring.exit) \(ring.errors)")
    }
}
