import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Checks of the program itself and of its object files, which are built with other flags than a test's own.
@Suite("Machine code of the program")
struct ProgramWallTests {
    // MARK: Instruction sets

    /// Functions with instructions that only processors with AVX have: all of those are called v…
    private func wideFunctions(of file: String) async throws -> [String] {
        let objdump = try requireTool("objdump", package: "binutils")
        let awk = #"/>:$/ { name = substr($2, 2, length($2) - 3) } /\tv[a-z]/ || /%[yz]mm/ { if (!seen[name]++) print name }"#
        let run = try await RunningProgram.run(
            "/bin/sh", ["-c", #""$1" -d --no-show-raw-insn "$2" | awk "$3""#, "sh", objdump, file, awk], worksLong: true)
        try #require(run.exit == .code(0) && run.errors.isEmpty, "\(run.errors)")
        return run.outputLines
    }

    private func isAllowed(_ function: String) -> Bool { function.hasPrefix("$s13SynthesisAVX2") }

    @Test("The program has AVX instructions in functions of SynthesisAVX2 and nowhere else", .enabled(if: isX86, "x86-64 alone has AVX"))
    func instructionSets() async throws {
        let functions = try await wideFunctions(of: PackageRoot.releaseProgram())
        #expect(functions.count { isAllowed($0) } >= 5, "\(functions)")
        #expect(functions.allSatisfy { isAllowed($0) }, "\(functions.filter { !isAllowed($0) })")
    }

    @Test("The same code in another module is detected", .enabled(if: isX86, "x86-64 alone has AVX"))
    func plantedInstructions() async throws {
        let folder = try TemporaryFolder()
        let sources = PackageRoot.file("Sources/SynthesisAVX2")
        let object = folder.file("planted.o")
        let files = try FileManager.default.contentsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }.map {
            "\(sources)/\($0)"
        }
        try await compile(
            ["-wmo", "-Xcc", "-mavx2", "-Xcc", "-mfma", "-D", "FUSED_MULTIPLY_ADD", "-module-name", "Elsewhere"] + files, to: object)
        #expect(try await wideFunctions(of: object).contains { !isAllowed($0) })
    }

    // MARK: Calls

    private static let kernels = [
        "addOverlaps", "addProduct", "addSine", "addSines", "addUniform", "addVoices", "convolve", "drawLines", "fillEdge",
        "fillPolynomial",
        "fillShiftedSines", "fillSine", "fillSpin", "fillUniform", "interpolate", "overlap", "transformByFour", "transformByTwo",
    ]

    /// The calls of kernels within their own module: each function that is called works on many frames or lines.
    private static let ownCalls: Set = ["addSines addSine", "drawLines transpose", "fillSine fillBaselineSine", "fillSpin fillProducts"]

    /// The kernels in a file, the calls in them that leave their module, and those within it as `caller called`.
    private func kernels(in file: String) async throws -> (names: Set<String>, calls: [String], ownCalls: Set<String>) {
        let awk = #"/>:$/ { name = substr($2, 2, length($2) - 3); print name } /\t(call|jmp) .*</ { print name, $NF }"#
        let run = try await RunningProgram.run(
            "/bin/sh",
            [
                "-c", #""$1" -d --no-show-raw-insn "$2" | awk "$3" | grep -E '^.s(9Synthesis|13SynthesisAVX2)'"#, "sh",
                requireTool("objdump", package: "binutils"), file, awk,
            ], worksLong: true)
        try #require(run.exit == .code(0) && run.errors.isEmpty, "\(run.errors)")
        var names = Set<String>(), calls: [String] = [], ownCalls = Set<String>()
        for module in ["$s9Synthesis", "$s13SynthesisAVX2"] {
            for line in run.outputLines where line.hasPrefix(module) {
                let parts = line.split(separator: " ", maxSplits: 1)
                let kernel = Self.baseName(parts[0].dropFirst(module.count))
                guard Self.kernels.contains(kernel) else { continue }
                names.insert("\(module) \(kernel)")
                guard parts.count == 2 else { continue }
                if !parts[1].hasPrefix("<\(module)") {
                    calls.append(line)
                } else if !parts[1].contains("+0x"), !parts[1].hasPrefix("<\(parts[0])>") {
                    ownCalls.insert("\(kernel) \(Self.baseName(parts[1].dropFirst(module.count + 1)))")
                }
            }
        }
        return (names, calls, ownCalls)
    }

    /// The name of a function, which comes after its length in the part of a symbol that follows the module.
    private static func baseName(_ symbol: Substring) -> String {
        let length = symbol.prefix { $0.isNumber }
        return String(symbol.dropFirst(length.count).prefix(Int(length) ?? 0))
    }

    @Test("No kernel calls a function of another module, and none of its own for single frames")
    func calls() async throws {
        let (names, calls, ownCalls) = try await kernels(in: PackageRoot.releaseProgram())
        #expect(names.count == 2 * Self.kernels.count, "\(names.sorted())")
        #expect(calls == [])
        #expect(ownCalls.isSubset(of: Self.ownCalls), "\(ownCalls)")
    }

    @Test("A call in a kernel is detected, of another module and of its own")
    func plantedCall() async throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(
            """
            import Glibc
            @inline(never) public func fillSine(_ x: Float) -> Float { sinf(x) }
            @inline(never) public func fillSines(_ x: Float) -> Float { x * x + 1 }
            @inline(never) public func fillSpin(_ x: Float) -> Float { fillSines(x) - x }
            """, to: "Planted.swift")
        // Linked, since an object file does not say yet what is called.
        try await compile(["-module-name", "Synthesis", source], to: folder.file("planted.so"), "-emit-library")
        let found = try await kernels(in: folder.file("planted.so"))
        #expect(found.calls.count == 1)
        #expect(found.ownCalls == ["fillSpin fillSines"])
    }

    // MARK: libm

    /// Functions of IEEE 754 with one exact result everywhere; the last bits of all others differ between systems.
    private static let exact =
        ["floor", "ceil", "round", "trunc", "rint", "nearbyint", "sqrt", "fmod", "remainder"].flatMap { [$0, "\($0)f"] } + environment

    /// Functions that only set or read the processor's floating-point modes.
    private static let environment = ["fegetenv", "fesetenv"]

    /// Calls of libm, except for those.
    private func inexactCalls(in objects: [String]) async throws -> Set<String> {
        let run = try await RunningProgram.run(requireTool("nm", package: "binutils"), ["-u", "--just-symbols"] + objects)
        try #require(run.exit == .code(0), "\(run.errors)")
        let inexact = try await Self.names(of: libm()).subtracting(Self.exact)
        return Set(run.outputLines).intersection(inexact)
    }

    /// The symbols that a library exports, without the versions after their names.
    private static func names(of library: String) async throws -> Set<String> {
        let run = try await RunningProgram.run(
            requireTool("nm", package: "binutils"), ["--dynamic", "--defined-only", "--just-symbols", library])
        let names = Set(run.outputLines.map { String($0.prefix { $0 != "@" }) })
        try #require(names.isSuperset(of: ["sin", "pow", "floor"]), "\(library): \(run.errors)")
        return names
    }

    /// The library's path, from the copy loaded in this process.
    private func libm() throws -> String {
        let maps = String(
            decoding: try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd() ?? Data(), as: UTF8.self)
        let line = try #require(maps.split(separator: "\n").first { $0.contains("/libm.so") || $0.contains("/libm-") })
        return String(line.drop { $0 != "/" })
    }

    /// The object files of a module of the release build.
    private func objects(of module: String) throws -> [String] {
        let folder = PackageRoot.file(".build/release/\(module).build")
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift.o") }.map {
            "\(folder)/\($0)"
        }
    }

    @Test(
        "Nothing that makes sound calls libm, except for exact functions",
        arguments: ["Synthesis", "SynthesisAVX2", "RealTime", "Patches", "PatchFiles", "SBaGen", "Engine", "AudioFiles", "Rendering"])
    func modules(module: String) async throws {
        let objects = try objects(of: module)
        #expect(!objects.isEmpty)
        #expect(try await inexactCalls(in: objects) == [])
    }

    @Test("A call of libm's sine is detected")
    func plantedSine() async throws {
        let folder = try TemporaryFolder()
        let source = try folder.write("import Glibc\npublic func planted(_ x: Double) -> Double { floor(sin(x)) }\n", to: "Planted.swift")
        try await compile(["-module-name", "Planted", source], to: folder.file("planted.o"))
        #expect(try await inexactCalls(in: [folder.file("planted.o")]) == ["sin"])
    }

    private func compile(_ arguments: [String], to object: String, _ kind: String = "-c") async throws {
        let built = try await RunningProgram.run(
            requireTool("swiftc", package: "the Swift toolchain"),
            ["-O", "-parse-as-library", "-swift-version", "6", "-package-name", "binaural"] + arguments + [kind, "-o", object])
        try #require(built.exit == .code(0), "\(built.errors)")
    }

    private static var isX86: Bool {
        #if arch(x86_64)
            true
        #else
            false
        #endif
    }
}
