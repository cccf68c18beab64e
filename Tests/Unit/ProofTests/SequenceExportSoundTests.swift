import Engine
import Foundation
import Patches
import SBaGen
import TestSupport
import Testing

/// The sound of what `export` writes.
@Suite struct SequenceExportSoundTests {
    private static let sampleRate = 8000.0
    private static let names = SequenceReading.names

    /// A second from each place where something starts or ends, and from its middle.
    private static func places(_ patch: Patch) -> [Double] {
        let length = patch.duration ?? 600
        var places = [0.0, length / 2, length - 1.5]
        for move in (patch.chapters + patch.cues).prefix(200) {
            let over = move.over ?? 0
            places += [move.start - 0.5, move.start + over / 2, move.start + over - 0.5]
        }
        return Set(places.filter { $0 >= 0 && $0 + 1 < length }.map { ($0 * 8).rounded() / 8 }).sorted()
    }

    private static func second(_ plan: Plan, from place: Double) -> [Float] {
        let renderer = OfflineRenderer(plan, from: Int64(place * sampleRate), kernel: .baseline, ceiling: 0)
        var (left, right) = ([Float](repeating: 0, count: Int(sampleRate)), [Float](repeating: 0, count: Int(sampleRate)))
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        return left + right
    }

    /// In the middle of a straight line a chapter is a corner more, where the gain is rounded to a ten-thousandth of a dB and the line has no
    /// kink for 20 ms.
    private static func isCut(_ patch: Patch) -> Bool {
        let moves = patch.chapters + patch.cues
        return patch.chapters.contains { chapter in
            moves.contains { $0.start < chapter.start && chapter.start < $0.start + ($0.over ?? 0) && !$0.settings.isEmpty }
        }
    }

    @Test(
        "An exported and imported sequence renders the same samples; if a chapter is within a slide, which export has to cut there, to 2e-4 of full scale",
        arguments: names)
    func same(name: String) throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: SequenceReading.folder + "/" + name)))
        let original = try SBaGenSequence.parse(bytes: bytes, file: name).patch()
        let (text, losses, _, _) = original.exported()
        // Losses are reported; SequenceExportTests cover those files.
        guard losses.isEmpty else { return }
        let again = try SBaGenSequence.parse(bytes: Array(text.utf8), file: name).patch()
        let (a, b) = (
            PlanCompiler.compile(original, sampleRate: Self.sampleRate), PlanCompiler.compile(again, sampleRate: Self.sampleRate)
        )
        var worst: Float = 0
        for place in Self.places(original) {
            let (x, y) = (Self.second(a, from: place), Self.second(b, from: place))
            worst = zip(x, y).reduce(worst) { max($0, abs($1.0 - $1.1)) }
        }
        print("figure: \(name) exported and imported again: samples differ by \(worst) at most")
        #expect(worst <= (Self.isCut(original) ? 2e-4 : 0))
    }

    @Test("There are at least 50 files that export without a loss")
    func enough() throws {
        let whole = try Self.names.filter { name in
            let bytes = Array(try Data(contentsOf: URL(filePath: SequenceReading.folder + "/" + name)))
            return try SBaGenSequence.parse(bytes: bytes, file: name).patch().exported().losses.isEmpty
        }
        #expect(whole.count >= 50)
    }
}
