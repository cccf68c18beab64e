import Foundation
import TestSupport
import Testing

/// What two threads share, under thread sanitizer. Only the modules on the way of the sound are compiled for it, which takes half a minute.
@Suite struct ThreadSanitizerTests {
    /// What a program exits with in which a race was seen.
    private static let exitCode: Int32 = 66

    @Test("Ring, seqlock and engine, with every request while plans cross and come back, have no data race")
    func clean() async throws {
        let build = try Build()
        for module in ["Synthesis", "SynthesisAVX2", "RealTime", "Patches", "Engine"] { try await build.compile(module) }
        let ring = try await build.run("RingRaces", with: ["RealTime"])
        #expect(ring.exit == .code(0) && ring.output == "20000 elements", "\(ring.errors)")
        let engine = try await build.run("EngineRaces", with: ["Engine", "Patches", "RealTime", "SynthesisAVX2", "Synthesis"])
        #expect(engine.exit == .code(0) && engine.output.hasSuffix("events"), "\(engine.errors)")
    }

    @Test("A ring whose ends do not wait for each other's memory is caught")
    func planted() async throws {
        let build = try Build()
        var planted = 0
        try await build.compile("RealTime") { text in
            planted += text.ranges(of: "tail.store(tail, ordering: .releasing)").count
            return text.replacing("tail.store(tail, ordering: .releasing)", with: "tail.store(tail, ordering: .relaxed)")
        }
        #expect(planted == 1)
        let ring = try await build.run("RingRaces", with: ["RealTime"])
        #expect(ring.exit == .code(Self.exitCode) && ring.errors.contains("data race"), "\(ring.exit) \(ring.errors)")
    }

    private struct Build {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// - Parameter change: of the text of each file.
        func compile(_ module: String, change: (String) -> String = { $0 }) async throws {
            // Reading and writing patches needs other packages, and none of it is shared between threads.
            let sources = PackageRoot.file(module == "Patches" ? "Sources/Patches/Model" : "Sources/\(module)")
            let names = try FileManager.default.contentsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }.sorted()
            let files = try names.map { name in
                try folder.write(change(String(contentsOfFile: "\(sources)/\(name)", encoding: .utf8)), to: "\(module)-\(name)")
            }
            let wide = module == "SynthesisAVX2" ? Self.wide : []
            try await swiftc(
                wide + ["-module-name", module, "-emit-module-path", folder.file("\(module).swiftmodule")] + files, to: module)
        }

        /// A program of Tests/ThreadSanitizer.
        func run(_ program: String, with modules: [String]) async throws -> FinishedProgram {
            let sources = [program, "Threads"].map { PackageRoot.file("Tests/ThreadSanitizer/\($0).swift") }
            try await swiftc(["-module-name", program] + sources, to: program)
            try await tool(["-sanitize=thread"] + ([program] + modules).map { folder.file("\($0).o") } + ["-o", folder.file(program)])
            var environment = ProcessInfo.processInfo.environment
            environment["SWIFT_BACKTRACE"] = "enable=no"
            environment["TSAN_OPTIONS"] = "halt_on_error=1"
            return try await RunningProgram.run(folder.file(program), environment: environment, within: .seconds(300))
        }

        /// The flags of SynthesisAVX2 in Package.swift.
        private static var wide: [String] {
            #if arch(x86_64)
                ["-Xcc", "-mavx2", "-Xcc", "-mfma", "-D", "FUSED_MULTIPLY_ADD"]
            #else
                []
            #endif
        }

        private func swiftc(_ arguments: [String], to object: String) async throws {
            try await tool(
                [
                    "-sanitize=thread", "-O", "-wmo", "-parse-as-library", "-swift-version", "6", "-enable-upcoming-feature",
                    "ExistentialAny",
                ]
                    + ["-package-name", "binaural", "-I", folder.path] + arguments + [
                        "-emit-module", "-c", "-o", folder.file("\(object).o"),
                    ])
        }

        private func tool(_ arguments: [String]) async throws {
            let finished = try await RunningProgram.run(
                requireTool("swiftc", package: "the Swift toolchain"), arguments, within: .seconds(600))
            guard finished.exit == .code(0) else { throw ProgramFailure("\(finished.command) failed: \(finished.errors)") }
        }
    }
}
