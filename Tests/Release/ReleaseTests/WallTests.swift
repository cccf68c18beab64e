import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Compiler proofs about Synthesis")
struct WallTests {
    @Test("Synthesis compiles as Embedded Swift without allocations, and imports nothing")
    func embedded() async throws {
        let sources = try sources(of: "Synthesis")
        let result = try await compile(sources)
        #expect(result.exit == .code(0), "\(result.errors)")
        for source in sources {
            let text = try String(contentsOfFile: source, encoding: .utf8)
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix("import ") }, "\(source)")
        }
    }

    @Test("The same sources also compile for arm64, with vector instructions")
    func arm64() async throws {
        let folder = try TemporaryFolder()
        let object = folder.file("arm64.o")
        let built = try await compile(sources(of: "Synthesis"), for: "aarch64-none-none-elf", to: object)
        #expect(built.exit == .code(0), "\(built.errors)")
        let code = try await RunningProgram.run(
            requireTool("llvm-objdump", package: "the Swift toolchain"), ["-d", "--no-show-raw-insn", object])
        // A float multiplication of four lanes: `fmul v1.4s, v2.4s, v3.4s`.
        #expect(code.outputLines.contains { $0.contains("fmul") && $0.contains(".4s") }, "\(code.errors)")
    }

    @Test("RealTime also compiles for arm64, where its atomics use memory-ordering instructions of their own")
    func arm64Sharing() async throws {
        let folder = try TemporaryFolder()
        let object = folder.file("arm64.o")
        // A library contains no specialisations for elements that its users choose, so one is chosen here.
        let user = try folder.write(
            """
            package func push(_ value: Int, to ring: inout RingProducer<Int>) -> Bool { ring.push(value) == nil }
            package func pop(from ring: inout RingConsumer<Int>) -> Int? { ring.pop() }
            package func publish(_ value: UnsafePointer<Int>, in lock: Seqlock<Int>) { lock.publish(value) }
            package func read(_ lock: Seqlock<Int>) -> Int { lock.read() }
            """, to: "User.swift")
        let built = try await swiftc(
            ["-enable-experimental-feature", "Embedded", "-wmo", "-O", "-target", "aarch64-none-none-elf"], "RealTime",
            sources(of: "RealTime") + [user], to: object)
        #expect(built.exit == .code(0), "\(built.errors)")
        let code = try await RunningProgram.run(
            requireTool("llvm-objdump", package: "the Swift toolchain"), ["-d", "--no-show-raw-insn", object])
        for instruction in ["ldar", "stlr", "dmb"] {
            #expect(code.outputLines.contains { $0.contains(instruction) }, "\(instruction) \(code.errors)")
        }
    }

    @Test(
        "Engine, with Patches, also compiles for arm64, with stand-ins for its system calls",
        .enabled(if: isStress, "compiling the modules again takes minutes: `make stress` does"))
    func arm64Engine() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.glibc, to: "glibc.h")
        let map = try folder.write("module Glibc { header \"glibc.h\" export * }", to: "module.modulemap")
        let stand = try folder.write(Self.foundation, to: "Foundation.swift")
        func build(_ module: String, _ files: [String]) async throws {
            let built = try await swiftc(
                [
                    "-enable-experimental-feature", "Embedded", "-wmo", "-O", "-target", "aarch64-none-none-elf", "-I", folder.path, "-Xcc",
                    "-fmodule-map-file=\(map)", "-emit-module", "-emit-module-path", folder.file("\(module).swiftmodule"),
                ], module, files, to: folder.file("\(module).o"))
            try #require(built.exit == .code(0), "\(built.errors)")
        }
        // Embedded Swift has no key paths and no weak references, and wants each import in each file.
        func rewritten(_ folderOfModule: String, imports: String) throws -> [String] {
            try sources(of: folderOfModule).map { path in
                let text = try String(contentsOfFile: path, encoding: .utf8)
                    .replacing(/\\\.([a-zA-Z.]+)/) { "{ $0.\($0.1) }" }.replacing("weak var", with: "var")
                return try folder.write("\(imports)\n\(text)", to: path.split(separator: "/").suffix(2).joined(separator: "-"))
            }
        }
        try await build("Foundation", [stand])
        for module in ["Synthesis", "SynthesisAVX2", "RealTime"] { try await build(module, sources(of: module)) }
        try await build("Patches", rewritten("Patches", imports: ""))
        let mutex = try folder.write(Self.mutex, to: "Mutex.swift")
        try await build(
            "Engine", rewritten("Engine", imports: "import Patches; import RealTime; import Synchronization; import Synthesis") + [mutex])
        let code = try await RunningProgram.run(
            requireTool("llvm-objdump", package: "the Swift toolchain"), ["-d", "--no-show-raw-insn", folder.file("Engine.o")])
        #expect(code.outputLines.contains { $0.contains("fmul") && $0.contains(".4s") }, "\(code.errors)")
    }

    /// The C library functions that Engine calls.
    private static let glibc = """
        #include <stddef.h>
        #include <stdint.h>
        typedef struct FILE FILE;
        typedef union { char bytes[32]; } sem_t;
        typedef long ssize_t;
        typedef struct { unsigned __fpcr, __fpsr; } fenv_t;
        int fegetenv(fenv_t *), fesetenv(const fenv_t *);
        struct timespec { long tv_sec; long tv_nsec; };
        static const int CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 1;
        int posix_memalign(void **, size_t, size_t), mlock(const void *, size_t), munlock(const void *, size_t);
        void *memset(void *, int, size_t);
        FILE *fopen(const char *, const char *);
        int fclose(FILE *);
        ssize_t getline(char **, size_t *, FILE *);
        void free(void *);
        int usleep(unsigned), clock_gettime(int, struct timespec *);
        int sem_init(sem_t *, int, unsigned), sem_destroy(sem_t *), sem_post(sem_t *), sem_wait(sem_t *);
        int sem_timedwait(sem_t *, const struct timespec *);
        """

    private static let foundation = """
        @_exported import Glibc
        public final class NSLock: @unchecked Sendable {
            public init() {}
            public func withLock<Result>(_ body: () -> Result) -> Result { body() }
        }
        public final class Thread {
            public var name: String?
            public var stackSize = 0
            public init(_ body: @escaping @Sendable () -> Void) {}
            public func start() {}
        }
        """

    private static let mutex = """
        struct Mutex<Value>: @unchecked Sendable, ~Copyable {
            private let value: UnsafeMutablePointer<Value>
            init(_ value: Value) {
                self.value = .allocate(capacity: 1)
                self.value.initialize(to: value)
            }
            func withLock<Result>(_ body: (inout Value) -> Result) -> Result { body(&value.pointee) }
        }
        """

    @Test("An allocation put into Synthesis is refused")
    func plantedAllocation() async throws {
        let folder = try TemporaryFolder()
        let planted = try folder.write(
            "package final class Planted { package var value = 1; package init() {} }\npackage func planted() -> Planted { Planted() }\n",
            to: "Planted.swift")
        let result = try await compile(sources(of: "Synthesis") + [planted])
        #expect(result.exit != .code(0))
        #expect(result.errors.contains("allocat"), "\(result.errors)")
    }

    @Test("Code for AVX2 is in the functions of SynthesisAVX2 and nowhere else", .enabled(if: isX86, "there is no AVX2 but on x86-64"))
    func instructionSets() async throws {
        let folder = try TemporaryFolder()
        for (module, hasWide) in [("Synthesis", false), ("SynthesisAVX2", true)] {
            let object = folder.file("\(module).o")
            let flags = hasWide ? ["-Xcc", "-mavx2", "-Xcc", "-mfma", "-D", "FUSED_MULTIPLY_ADD"] : []
            let built = try await swiftc(["-O", "-wmo"] + flags, module, sources(of: module), to: object)
            try #require(built.exit == .code(0), "\(built.errors)")
            let code = try await RunningProgram.run(
                requireTool("objdump", package: "binutils"), ["-d", "--no-show-raw-insn", object])
            var function = ""
            var wide: Set<String> = []
            for line in code.outputLines {
                if line.hasSuffix(">:") {
                    function = String(line.drop { $0 != "<" }.dropFirst().dropLast(2))
                } else if line.contains("%ymm") || line.contains("vfmadd") {
                    wide.insert(function)
                }
            }
            #expect(wide.isEmpty != hasWide)
            // A function shared with other modules would be linked once, in whichever version comes first.
            #expect(wide.allSatisfy { $0.hasPrefix("$s13SynthesisAVX2") }, "\(wide)")
        }
    }

    private static var isX86: Bool {
        #if arch(x86_64)
            true
        #else
            false
        #endif
    }

    private func sources(of module: String) throws -> [String] {
        let folder = PackageRoot.file("Sources/\(module)")
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.sorted().map {
            "\(folder)/\($0)"
        }
    }

    private func compile(_ sources: [String]) async throws -> FinishedProgram {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return try await compile(sources, for: nil, to: folder.file("x.o"))
    }

    private func compile(_ sources: [String], for target: String?, to object: String) async throws -> FinishedProgram {
        try await swiftc(
            ["-enable-experimental-feature", "Embedded", "-wmo", "-no-allocations", "-O"] + (target.map { ["-target", $0] } ?? []),
            "Synthesis", sources, to: object)
    }

    private func swiftc(_ flags: [String], _ module: String, _ sources: [String], to object: String) async throws -> FinishedProgram {
        try await RunningProgram.run(
            requireTool("swiftc", package: "the Swift toolchain"),
            flags + ["-parse-as-library", "-swift-version", "6", "-package-name", "binaural", "-module-name", module] + sources
                + ["-c", "-o", object], worksLong: true)
    }
}
