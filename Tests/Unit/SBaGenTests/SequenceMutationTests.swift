import Foundation
import Patches
import TestSupport
import Testing

@testable import SBaGen

/// Bytes that are almost a sequence; in `make stress` libFuzzer makes more of them, under address sanitizer (`Tests/Stress/Fuzzing`).
@Suite("Sequences of any bytes")
struct SequenceMutationTests {
    @Test("Mutations of sequences of every construct are patches whose values are in their ranges, or are refused with a reason")
    func mutations() throws {
        let inputs = try SequenceFixture.names.map { try SequenceFixture($0).bytes }
        var mutations = Mutations(
            seed: 25,
            words: [
                "NOW", "->", "==", "-", "bell+", "spin:", "pink/", "mix/", "wave01:", "{", "}", "+0:00:10", "24:00:00", "-SE", "-p drop ",
                "\r\n",
                "1e99", "999999999999", "nan", "\u{FF}", "é", "#", ": ", "off: -",
            ])
        var readCount = 0
        let count = Mutations.count(few: 3000, many: 100_000)
        for number in 0..<count {
            readCount += Self.isRead(mutations.next(of: inputs), "mutation \(number)") ? 1 : 0
        }
        #expect(readCount > count / 20 && readCount < count, "\(readCount) of \(count) are sequences")
    }

    @Test("A sequence of two kilobytes with every construct of the format, truncated at every byte, is a patch or is refused with a reason")
    func truncations() throws {
        let bytes = try SequenceFixture("whole-grammar.sbg").bytes
        #expect(bytes.count >= 2000)
        let readCount = (0...bytes.count).count { Self.isRead(Array(bytes[..<$0]), "truncated at \($0)") }
        #expect(readCount > 0 && readCount < bytes.count)
    }

    /// Each is repeated as often as fits into a file.
    private static let heavyParts = [
        "\n", "#", "## x\n", "a: - - - - - - - - - - - - - - - -\n", "a: 200+10/20\nNOW b\n", "+0:00 a\n", "a", "wave00: 0 1\n", "-S -E\n",
        "a: {\n+0:00 a\n",
    ]

    @Test("A file of a megabyte takes at most sixteen times as long as one of a quarter, whatever fills it", arguments: heavyParts)
    func heavy(part: String) {
        func time(_ size: Int) -> Duration {
            let bytes = Array(String(repeating: part, count: size / part.utf8.count).utf8)
            let begin = processorTime()
            #expect(!Self.isRead(bytes, part))
            return processorTime() - begin
        }
        #expect(time(1 << 20) < time(1 << 18) * 16)
    }

    private static func isRead(_ bytes: [UInt8], _ what: String) -> Bool {
        do {
            let patch = try SBaGenSequence.parse(bytes: bytes, file: "a.sbg", now: 43_200, files: { _, _ in bytes }).patch(now: 43_200)
            #expect(!patch.layers.isEmpty && patch.layers.count <= Patch.maximumLayerCount, "\(what)")
            #expect(patch.duration.map { $0 > 0 && $0 <= Patch.day } ?? true, "\(what)")
            let set = (patch.chapters + patch.cues).flatMap(\.settings).map { (patch.layers[$0.layer], $0.parameter, $0.value) }
            let values = set + patch.layers.flatMap { layer in layer.values.map { (layer, $0.key, $0.value) } }
            for (layer, parameter, value) in values {
                #expect(layer.description(of: parameter)?.range.contains(value) == true, "\(what): \(layer.name).\(parameter) is \(value)")
            }
            return true
        } catch {
            #expect(!error.all.isEmpty && !"\(error)".isEmpty, "\(what)")
            return false
        }
    }
}
