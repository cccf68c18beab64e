import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The modules on the way of the sound, compiled with `-Onone`: builds of the package optimize them even where everything else is built for debugging.
@Suite struct UnoptimizedTests {
    @Test(
        "Without any optimization the golden patches give exactly the golden samples, on each kernel",
        .enabled(if: isStress, "compiling the modules again takes minutes: `make stress` does"))
    func golden() async throws {
        let build = try ModuleBuild(["-Onone"])
        defer { withExtendedLifetime(build) {} }
        for module in ModuleBuild.modules.reversed() { try await build.compile(module) }
        let run = try await build.run(
            "Unoptimized",
            [
                "Tests/Release/Unoptimized/Unoptimized.swift", "Tests/Unit/EngineTests/GoldenPatches.swift",
                "Tests/Unit/EngineTests/Plan+Edits.swift",
            ],
            with: ModuleBuild.modules)
        try #require(run.exit == .code(0), "\(run.errors)")
        // As GoldenTests has them: `"bell 48000 avx2": 440_181_477_122_673_123,`.
        let text = try String(contentsOfFile: PackageRoot.file("Tests/Unit/EngineTests/GoldenTests.swift"), encoding: .utf8)
        let written = Set(text.split(separator: "\n").map { $0.filter { !"\"_, ".contains($0) } })
        let printed = run.outputLines.filter { !$0.isEmpty }
        #expect(printed.count >= 30)
        for line in printed { #expect(written.contains(line.filter { !"\"_, ".contains($0) }), "\(line)") }
    }
}
