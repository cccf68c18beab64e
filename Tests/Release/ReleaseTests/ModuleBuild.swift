import Foundation
import ProgramSupport
import TestSupport

/// Modules of the package compiled separately, with flags that no build of the package has, and programs made of them.
struct ModuleBuild {
    private let folder: TemporaryFolder
    private let flags: [String]
    private let below: TemporaryFolder?

    /// The modules on the way of the sound, each before those that it imports.
    static let modules = ["Engine", "Patches", "RealTime", "SynthesisAVX2", "Synthesis"]

    /// - Parameters:
    ///   - flags: of the compiler, and of the linker.
    ///   - below: where modules have been compiled that those of this build import.
    init(_ flags: [String], on below: ModuleBuild? = nil) throws {
        folder = try TemporaryFolder()
        self.flags = flags
        self.below = below?.folder
    }

    /// Its path, here or in the build below.
    private func file(_ name: String) -> String {
        if let below, !FileManager.default.fileExists(atPath: folder.file(name)) { return below.file(name) }
        return folder.file(name)
    }

    /// - Parameter change: Changes the text of each file.
    func compile(_ module: String, change: (String) -> String = { $0 }) async throws {
        let sources = PackageRoot.file("Sources/\(module)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }.sorted()
        let files = try paths.map { path in
            let name = path.replacing("/", with: "-")
            return try folder.write(change(String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)), to: "\(module)-\(name)")
        }
        let wide = module == "SynthesisAVX2" ? Self.wide : []
        try await swiftc(wide + ["-module-name", module, "-emit-module-path", folder.file("\(module).swiftmodule")] + files, to: module)
    }

    /// A program of these sources.
    func run(_ program: String, _ sources: [String], with modules: [String], adding variables: [String: String] = [:]) async throws
        -> FinishedProgram
    {
        try await swiftc(["-module-name", program] + sources.map(PackageRoot.file), to: program)
        try await tool(flags + ([program] + modules).map { file("\($0).o") } + ["-o", folder.file(program)])
        var environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return try await RunningProgram.run(folder.file(program), environment: environment, worksLong: true)
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
            flags + ["-wmo", "-parse-as-library", "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny"]
                + ["-package-name", "binaural", "-I", folder.path] + (below.map { ["-I", $0.path] } ?? []) + arguments
                + ["-emit-module", "-c", "-o", folder.file("\(object).o")])
    }

    private func tool(_ arguments: [String]) async throws {
        let finished = try await RunningProgram.run(
            requireTool("swiftc", package: "the Swift toolchain"), arguments, worksLong: true)
        guard finished.exit == .code(0) else { throw ProgramFailure("\(finished.command) failed: \(finished.errors)") }
    }
}
