import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The library products as a package elsewhere uses them: by a version, for which Swift's package manager accepts no unsafe flags.
@Suite struct OtherPackageTests {
    @Test("A package elsewhere that depends on a version of RealTime, OSC and JACK builds the examples")
    func elsewhere() async throws {
        let folder = try TemporaryFolder()
        let clone = folder.file("binaural")
        try await succeeds("git", ["clone", "--quiet", PackageRoot.file("."), clone])
        try await succeeds("git", ["-C", clone, "tag", "--no-sign", "100.0.0"])
        let examples = ["SineClient", "MIDIMonitor", "NowPlaying"]
        for example in examples {
            let source = try String(contentsOfFile: PackageRoot.file("Examples/\(example)/\(example).swift"), encoding: .utf8)
            try folder.write(source, to: "elsewhere/Sources/\(example)/\(example).swift")
        }
        try folder.write(manifest(examples, dependingOn: clone), to: "elsewhere/Package.swift")
        try await succeeds("swift", ["build", "--package-path", folder.file("elsewhere")], worksLong: true)
        for example in examples {
            let program = folder.file("elsewhere/.build/debug/\(example)")
            #expect(FileManager.default.isExecutableFile(atPath: program), "\(program)")
        }
    }

    private func manifest(_ examples: [String], dependingOn clone: String) -> String {
        let products = ["RealTime", "OSC", "JACK"].map { #".product(name: "\#($0)", package: "binaural")"# }.joined(separator: ", ")
        let targets = examples.map { #".executableTarget(name: "\#($0)", dependencies: [\#(products)])"# }.joined(separator: ",\n        ")
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "elsewhere", dependencies: [.package(url: "file://\(clone)", exact: "100.0.0")],
                targets: [
                    \(targets)
                ])

            """
    }

    private func succeeds(_ tool: String, _ arguments: [String], worksLong: Bool = false) async throws {
        let run = try await RunningProgram.run(tool, arguments, environment: ProcessInfo.processInfo.environment, worksLong: worksLong)
        try #require(run.exit == .code(0), "\(run.errors)\(run.output)")
    }
}
