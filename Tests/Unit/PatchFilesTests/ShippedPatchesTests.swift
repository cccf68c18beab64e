import Foundation
import PatchFiles
import Patches
import TestSupport
import Testing

/// The shipped patches.
private let folder = URL(filePath: PackageRoot.file("patches"))

private let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

private func patch(_ name: String) throws -> Patch {
    try Patch.parse(bytes: Array(Data(contentsOf: folder.appending(path: name))), file: "patches/\(name)")
}

@Suite("The shipped patches") struct ShippedPatchesTests {
    @Test("there are at least 14, every file is a patch, and each has a title and a comment", arguments: names)
    func complete(name: String) throws {
        #expect(names.count >= 14)
        #expect(name.hasSuffix(".yaml"))
        let patch = try patch(name)
        #expect(!patch.details.title.isEmpty)
        #expect(!patch.details.comment.isEmpty)
        #expect(!patch.details.genre.isEmpty)
    }

    @Test("no two have the same title")
    func titles() throws {
        #expect(try Set(names.map { try patch($0).details.title }).count == names.count)
    }

    @Test("all layers together stay below -6 dBFS, and no layer is louder than -20", arguments: names)
    func levels(name: String) throws {
        let patch = try patch(name)
        var gains = patch.layers.map { $0.value(of: .gain)! }
        // Somebody's own music is as loud as it is.
        for index in gains.indices where patch.layers[index].kind == .input { gains[index] = -26 }
        #expect(peak(patch, gains) < pow(10, -6.0 / 20))
        #expect(gains.max()! <= -20)
        #expect(gains.max()! >= -30)
        for chapter in patch.chapters {
            // While it moves a gain may be higher than at either end: back and elastic overshoot.
            let crest = (0...1000).map { chapter.ease.value(at: Double($0) / 1000) }.max()!
            var louder = gains
            for setting in chapter.settings where setting.parameter == .gain {
                let start = gains[setting.layer]
                louder[setting.layer] = max(start, start + (setting.value - start) * crest)
                gains[setting.layer] = setting.value
                #expect(setting.value <= -20)
            }
            #expect(peak(patch, louder) < pow(10, -6.0 / 20))
        }
    }

    @Test("each reads back equal from its written form", arguments: names)
    func roundTrip(name: String) throws {
        let patch = try patch(name)
        #expect(try Patch.parse(patch.yaml, file: name) == patch)
    }

    @Test("together they use every kind of layer, every noise and many easings")
    func variety() throws {
        let all = try names.map(patch)
        // No sound files are shipped.
        #expect(Set(all.flatMap(\.layers).map(\.kind)) == Set(LayerKind.allCases).subtracting([.file]))
        #expect(Set(all.flatMap(\.layers).flatMap(\.effects)) == Set(LayerEffect.allCases))
        #expect(Set(all.flatMap(\.layers).filter { $0.kind == .noise }.map(\.spectrum)).count >= 2)
        #expect(Set(all.flatMap(\.chapters).map(\.ease)).count >= 12)
        #expect(all.contains { $0.duration == 2700 && $0.chapters.count >= 5 })
    }

    /// The largest possible sample of an ear: two tones in one ear add up, and noise peaks well above its level.
    private func peak(_ patch: Patch, _ gains: [Double]) -> Double {
        zip(patch.layers, gains).reduce(0) { sum, pair in
            let factor =
                switch pair.0.kind {
                case .tone, .binaural, .isochronic, .bilateral, .phase, .bell, .file, .input: 1.0
                // As many keys as hands have fingers.
                case .keys: 10.0
                case .monaural, .harmonicBox: 2.0
                case .noise, .spin: 4.0
                }
            return sum + (pair.1 <= Parameter.off ? 0 : factor * pow(10, pair.1 / 20))
        }
    }
}
