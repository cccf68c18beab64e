import Foundation
import TestSupport
import Testing

/// Plants each fault in a process callback; the table in
/// docs/decisions/render-thread-checks.md says which checks see it.
@Suite struct PlantedFaultTests {
    /// The checks of the render code, as named in the columns of the table.
    enum Check: String, CaseIterable {
        /// `@_noAllocation @_noLocks`, by the compiler.
        case annotation
        /// Embedded Swift with `-no-allocations`, by the compiler.
        case embedded
        /// `RealTimeShim`, preloaded.
        case shim
        /// RealtimeSanitizer's runtime, linked.
        case sanitizer
    }

    /// Name of the fault and the checks that see it, as docs/decisions/render-thread-checks.md has them.
    static let table: [(fault: String, checks: Set<Check>)] = {
        let text = (try? String(contentsOfFile: PackageRoot.file("docs/decisions/render-thread-checks.md"), encoding: .utf8)) ?? ""
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return rows.filter { $0.count == 2 + Check.allCases.count }.map { cells in
            (cells[0].trimmingCharacters(in: ["`"]), Set(zip(Check.allCases, cells.dropFirst(2)).filter { $1 == "seen" }.map(\.0)))
        }
    }()

    private static func file(_ name: String) -> String { PackageRoot.file("Tests/Release/RealTimeShim/\(name)") }

    @Test("The table names every fault, at least twelve, and each is detected by one of the checks")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.file("Faults")).map { $0.replacing(".swift", with: "") }
        #expect(Set(files) == Set(Self.table.map(\.fault) + ["none"]))
        #expect(Self.table.count >= 12)
        for row in Self.table { #expect(!row.checks.isEmpty, "\(row.fault)") }
    }

    @Test("A planted fault is detected by the checks that the table names", arguments: table.map(\.fault))
    func planted(fault: String) async throws {
        let expected = try #require(Self.table.first { $0.fault == fault }).checks
        let bench = try await Bench(fault)
        #expect(try await bench.annotation() == expected.contains(.annotation))
        #expect(try await bench.embedded() == expected.contains(.embedded))
        #expect(try await bench.shim() == expected.contains(.shim))
        #expect(try await bench.sanitizer() == expected.contains(.sanitizer))
    }

    @Test("Without a planted fault no check reports anything")
    func clean() async throws {
        let bench = try await Bench("none")
        #expect(try await !bench.annotation())
        #expect(try await !bench.embedded())
        #expect(try await !bench.shim())
        #expect(try await !bench.sanitizer())
    }

    /// One fault, and the checks applied to it.
    private struct Bench {
        private let folder: TemporaryFolder
        private let source: String
        private let object: String
        private let standIn: String

        init(_ fault: String) async throws {
            folder = try TemporaryFolder()
            source = PlantedFaultTests.file("Faults/\(fault).swift")
            object = folder.file("program.o")
            standIn = folder.file("libstandin.so")
            try folder.write(
                "@_noAllocation @_noLocks\nfunc planted(_ context: UnsafeMutableRawPointer) { fault(context) }\n", to: "Annotated.swift")
            let library = try await RunningProgram.run(
                requireTool("cc", package: "gcc libc6-dev"),
                [
                    "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", standIn, PlantedFaultTests.file("jack_stand_in.c"),
                    "-pthread",
                ])
            let program = try await compile([PlantedFaultTests.file("PlantedFault.swift"), source], to: object)
            for step in [library, program] where step.exit != .code(0) { throw ProgramFailure("\(step.command): \(step.errors)") }
        }

        func annotation() async throws -> Bool {
            let result = try await compile([source, folder.file("Annotated.swift")], to: folder.file("annotated.o"))
            if result.exit != .code(0) {
                #expect(result.errors.contains("error: "))
                #expect(!result.errors.contains("no such module"))
            }
            return result.exit != .code(0)
        }

        /// Refused because it allocates, not because C's library is not available there.
        func embedded() async throws -> Bool {
            let result = try await compile(
                [source], ["-enable-experimental-feature", "Embedded", "-no-allocations"], to: folder.file("embedded.o"))
            return result.exit != .code(0) && result.errorLines.contains { $0.contains("error: ") && $0.contains("allocat") }
        }

        func shim() async throws -> Bool {
            let shim = try await RealTimeShim()
            let program = folder.file("plain")
            let linked = try await swiftc([object, standIn, "-Xlinker", "-rpath", "-Xlinker", folder.path, "-o", program])
            guard linked.exit == .code(0) else { throw ProgramFailure("\(linked.command): \(linked.errors)") }
            let run = try await RunningProgram.run(program, environment: environment.merging(shim.environment) { $1 })
            guard run.exit == .code(0) else { throw ProgramFailure("\(run.command): \(run.exit) \(run.errors)") }
            let report = try shim.report()
            #expect(report.cycles == 100)
            return !report.isClean
        }

        func sanitizer() async throws -> Bool {
            let program = try await RealTimeSanitizer.link(
                [object, standIn, "-Xlinker", "-rpath", "-Xlinker", folder.path], to: folder.file("watched"), in: folder)
            let run = try await RunningProgram.run(program, environment: environment)
            guard run.exit != .code(RealTimeSanitizer.exitCode) else {
                #expect(run.errors.contains("RealtimeSanitizer: unsafe-library-call"), "\(run.errors)")
                return true
            }
            #expect(run.exit == .code(0), "\(run.errors)")
            #expect(RealTimeSanitizer.cycles(of: run) == 100, "\(run.errors)")
            return false
        }

        private var environment: [String: String] { ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 } }

        private func compile(_ sources: [String], _ options: [String] = [], to object: String) async throws -> FinishedProgram {
            try await swiftc(
                options + ["-O", "-wmo", "-parse-as-library", "-swift-version", "6", "-module-name", "PlantedFault"] + sources
                    + ["-c", "-o", object])
        }

        private func swiftc(_ arguments: [String]) async throws -> FinishedProgram {
            try await RunningProgram.run(requireTool("swiftc", package: "the Swift toolchain"), arguments)
        }
    }
}
