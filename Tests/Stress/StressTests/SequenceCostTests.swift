import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The cost of the largest sequences, on a machine that is not busy.
@Suite struct SequenceCostTests {
    let environment: IsolatedEnvironment

    init() throws { environment = try IsolatedEnvironment() }

    /// Files of up to 1 MiB that need as much time and memory as a file can.
    static let heavyFiles: [(name: String, text: String)] = [
        ("lines", "\n"), ("remarks", "#"), ("descriptions", "## x\n"), ("definitions", "a: - - - - - - - - - - - - - - - -\n"),
        ("names", "a: 200+10/20\nNOW b\n"), ("times", "+0:00 a\n"), ("word", "a"), ("waves", "wave00: 0 1\n"), ("options", "-S -E\n"),
        ("blocks", "a: {\n+0:00 a\n"),
    ]

    @Test("a file of a megabyte with any content takes less than a second of CPU time and 100 MB", arguments: heavyFiles.indices)
    func heavy(index: Int) async throws {
        let part = Self.heavyFiles[index].text
        let text = String(repeating: part, count: (1 << 20) / part.utf8.count)
        try await check(text)
    }

    @Test("the largest accepted sequence takes less than a second of CPU time and 100 MB")
    func largest() async throws {
        var text = "a: \((0..<16).map { "\(100 + $0)+\($0 + 1)/5" }.joined(separator: " "))\n"
        text += "b: \((0..<16).map { "\(300 + $0)@\($0 + 1)/4" }.joined(separator: " "))\n"
        for second in 0..<4096 {
            text += "\(second / 180):\(second / 3 % 60):\(second % 3 * 20) \(second % 2 == 0 ? "a" : "b")\n"
        }
        try await check(text)
    }

    private func check(_ text: String) async throws {
        _ = try environment.folder.write(text, to: "heavy.sbg")
        _ = try environment.folder.write("a: 200+10/20\nNOW a\n", to: "light.sbg")
        // The program's own startup time and memory are subtracted.
        func cost(_ file: String) async throws -> (seconds: Double, kilobytes: Double) {
            let run = try await RunningProgram.run(
                "python3", [PackageRoot.file("Tests/Peers/acceptance/process_cost.py"), try PackageRoot.program(), "check", file],
                environment: environment.variables, folder: environment.folder.path)
            let numbers = run.output.split(separator: " ").compactMap { Double($0) }
            #expect(numbers.count == 2, "\(run.summary)")
            return (numbers.first ?? .nan, numbers.last ?? .nan)
        }
        let (light, heavy) = (try await cost("light.sbg"), try await cost("heavy.sbg"))
        #expect(heavy.seconds - light.seconds < 1)
        #expect(heavy.kilobytes - light.kilobytes < 100_000)
    }
}
