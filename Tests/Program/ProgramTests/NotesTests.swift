import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("notes")
struct NotesTests {
    @Test("the MIDI range is a table of 128 notes, each a semitone above the previous one")
    func table() async throws {
        let run = try await binaural("notes")
        #expect(run.exit == .code(0))
        let rows = run.outputLines.dropFirst().map { $0.split(separator: " ").map(String.init) }
        #expect(rows.count == 128)
        #expect(rows.map { $0[0] } == (0...127).map(String.init))
        #expect(rows[0][1] == "C-1")
        #expect(rows[60][1...] == ["C4", "261.6256"])
        #expect(rows[69][1...] == ["A4", "440.0000"])
        #expect(rows[127][1] == "G9")
        for (number, row) in rows.enumerated() {
            // Four decimals are printed: half a unit of the last one.
            #expect(abs(try #require(Double(row[2])) - 440 * pow(2, Double(number - 69) / 12)) <= 0.5001e-4)
        }
    }

    @Test("another A4 changes them all")
    func tuning() async throws {
        let run = try await binaural("notes", "--a4", "432")
        #expect(run.outputLines.contains { $0.split(separator: " ") == ["69", "A4", "432.0000"] })
        #expect(run.outputLines.contains { $0.split(separator: " ") == ["57", "A3", "216.0000"] })
    }
}
