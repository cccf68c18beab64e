import Foundation

/// RealtimeSanitizer's runtime, which is part of the toolchain: linked to a program, it ends it as soon as its process callback does what a
/// real-time thread must not do, and says with a stack what that was.
package enum RealTimeSanitizer {
    /// The exit status of a program that it has ended.
    package static let exitCode: Int32 = 43

    /// Links the objects of the release program a second time, with the runtime watching its process callback. Takes a second.
    ///
    /// - Returns: the program's path, in `folder`.
    package static func linkedProgram(in folder: TemporaryFolder) async throws -> String {
        let objects = PackageRoot.file(".build/release/binaural.product/Objects.LinkFileList")
        guard FileManager.default.fileExists(atPath: objects) else {
            throw ProgramFailure("there is no \(objects): build the program first (swift build -c release)")
        }
        // Its `main` is called differently, so that tests may link it.
        return try await link(["@\(objects)", "-Xlinker", "--defsym=main=binaural_main"], to: folder.file("binaural"), in: folder)
    }

    /// - Parameter inputs: objects, and what else the linker needs; they set a process callback.
    package static func link(_ inputs: [String], to program: String, in folder: TemporaryFolder) async throws -> String {
        let watching = program + ".watching.o"
        try await run(
            "clang", ["-O2", "-Wall", "-Wextra", "-c", PackageRoot.file("Tests/Release/RealTimeShim/rtsan_callback.c"), "-o", watching])
        try await run(
            "swiftc",
            inputs + [watching, "-o", program]
                + ["--wrap=jack_set_process_callback", "--wrap=jack_set_xrun_callback"].flatMap { ["-Xlinker", $0] }
                + ["--whole-archive", try await runtime(), "--no-whole-archive", "--export-dynamic"].flatMap { ["-Xlinker", $0] })
        return program
    }

    /// The number of cycles that it watched in a program that ended by itself.
    package static func cycles(of program: FinishedProgram) -> Int { cycles(in: program.errorLines) }

    package static func cycles(in lines: [String]) -> Int {
        lines.compactMap { $0.hasPrefix("watched cycles: ") ? Int($0.dropFirst("watched cycles: ".count)) : nil }.last ?? 0
    }

    private static func runtime() async throws -> String {
        struct Target: Decodable {
            struct Paths: Decodable { var runtimeResourcePath: String }
            var paths: Paths
        }
        let information = try await run("swiftc", ["-print-target-info"])
        let target = try JSONDecoder().decode(Target.self, from: Data(information.output.utf8))
        #if arch(arm64)
            let name = "libclang_rt.rtsan-aarch64.a"
        #else
            let name = "libclang_rt.rtsan-x86_64.a"
        #endif
        let path = "\(target.paths.runtimeResourcePath)/clang/lib/linux/\(name)"
        guard FileManager.default.fileExists(atPath: path) else { throw ProgramFailure("the toolchain has no RealtimeSanitizer: \(path)") }
        return path
    }

    @discardableResult
    private static func run(_ tool: String, _ arguments: [String]) async throws -> FinishedProgram {
        let finished = try await RunningProgram.run(requireTool(tool, package: "the Swift toolchain"), arguments)
        guard finished.exit == .code(0) else { throw ProgramFailure("\(finished.command) failed: \(finished.errors)") }
        return finished
    }
}
