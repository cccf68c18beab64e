import Foundation
import PatchFiles
import Patches
import TestSupport
import Testing

@testable import Pictures

@Suite("the picture of a patch")
struct PatchPictureTests {
    private func picture(_ text: String, _ format: PictureFormat = .svg) throws -> [UInt8] {
        try PatchPicture(Patch.parse(text, file: "p.yaml")).bytes(format)
    }

    @Test("the same patch gives the same bytes, another one others", arguments: PictureFormat.allCases)
    func deterministic(format: PictureFormat) throws {
        let text =
            "duration: 1:00\nlayers: [{name: a, binaural: {carrier: 200, beat: 10}}]\nchapters: [{at: 10, over: 20, set: {a.beat: 4}}]\n"
        let bytes = try picture(text, format)
        #expect(try picture(text, format) == bytes)
        #expect(try picture(text.replacing("beat: 4", with: "beat: 5"), format) != bytes)
    }

    @Test("every shipped patch is drawn, light and dark and square", arguments: try Patch.shipped())
    func shipped(name: String, patch: Patch) throws {
        for bytes in [
            try PatchPicture(patch).bytes(.svg), try PatchPicture(patch, isDark: true).bytes(.svg),
            try PatchPicture(patch, size: (600, 600)).bytes(.svg),
        ] {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.hasPrefix("<?xml"))
            #expect(text.hasSuffix("</svg>\n"))
            #expect(!text.contains("nan"))
            #expect(!text.contains("inf"))
        }
    }

    @Test("the numbers of a scale do not overlap, in a picture as small as the panel's", arguments: try Patch.shipped())
    func numbers(name: String, patch: Patch) throws {
        let picture = PatchPicture(patch, size: (700, 460))
        let left = picture.time.left
        let heights = Set(DrawnPage(try picture.bytes(.svg)).glyphs.filter { left - 34..<left - 8 ~= $0.x && $0.y < 440 }.map(\.y)).sorted()
        #expect(heights.count > 3)
        for (upper, lower) in zip(heights, heights.dropFirst()) { #expect(lower - upper > 7, "\(upper) and \(lower)") }
    }

    @Test("an SVG and a PNG of one patch show the same: their pages have one shape, and a PNG is one")
    func formats() throws {
        let patch = try Patch.parse("layers: [{tone: {}}]\n", file: "p.yaml")
        let svg = String(decoding: try PatchPicture(patch, size: (640, 480)).bytes(.svg), as: UTF8.self)
        #expect(svg.contains("width=\"640pt\" height=\"480pt\""))
        let png = try PatchPicture(patch, size: (640, 480)).bytes(.png)
        #expect(png.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // IHDR: width and height, two pixels a point.
        #expect(png[16..<24] == [0, 0, 5, 0, 0, 0, 3, 0xC0])
    }

    /// Any valid patch must be drawn.
    static let strangePatches: KeyValuePairs = [
        "noise alone": "layers: [{noise: {color: brown}}]\n",
        "silence": "layers: [{tone: {}, gain: -120}]\n",
        "the lowest and the highest tone": "layers: [{tone: {carrier: 1}}, {tone: {carrier: 20000}}]\n",
        "a beat through zero":
            "duration: 9\nlayers: [{name: a, binaural: {carrier: 50, beat: -99}}]\nchapters: [{at: 1, over: 5, set: {a.beat: 99}}]\n",
        "nothing but fades": "duration: 4\nfade: {in: 1, out: 3}\nlayers: [{tone: {}}]\n",
        "a very short one": "duration: 0.001\nlayers: [{tone: {}}]\n",
        "a year": "duration: 8760:00:00\nlayers: [{tone: {}}]\n",
        "no room for titles": "duration: 60\nlayers: [{tone: {}}]\nchapters:\n"
            + (0..<300).map { "  - {at: \(Double($0) / 5), title: Chapter \($0)}\n" }.joined(),
        "a long title": "title: \(String(repeating: "Long ", count: 40))\nlayers: [{tone: {}}]\n",
        "a title of other scripts": "title: 東京 ∞ 🎧\nlayers: [{tone: {}}]\n",
    ]

    @Test("any patch is drawn", arguments: strangePatches.map { ($0.key, $0.value) })
    func strange(name: String, text: String) throws {
        let svg = String(decoding: try picture(text), as: UTF8.self)
        #expect(svg.hasSuffix("</svg>\n"))
        #expect(!svg.contains("nan"))
        #expect(!svg.contains("inf"))
        #expect(try picture(text, .png).count > 1000)
    }

    @Test("the largest number of layers is drawn")
    func many() throws {
        let layers = (0..<Patch.maximumLayerCount).map { "  - {name: l\($0), binaural: {carrier: \(40 + $0), beat: \(1 + $0 % 40)}}\n" }
        let chapters = (0..<100).map { "  - {at: \($0), over: 1, set: {l\($0).beat: 5, l\($0).pan: 1}}\n" }
        let bytes = try picture("duration: 200\nlayers:\n\(layers.joined())chapters:\n\(chapters.joined())")
        #expect(String(decoding: bytes.suffix(7), as: UTF8.self) == "</svg>\n")
    }

    /// Hz: lowest and highest tone of carrier 500 and beat 15.
    static let bands: [(kind: String, band: [Double]?)] = [
        ("binaural", [492.5, 507.5]), ("monaural", [492.5, 507.5]), ("harmonicBox", [462.5, 507.5]), ("phase", nil),
    ]

    @Test("a tone is surrounded by the band of what the ears hear of it", arguments: bands)
    func band(kind: String, band: [Double]?) throws {
        for sign in [1.0, -1] where kind != "harmonicBox" || sign > 0 {
            let patch = try Patch.parse("duration: 60\nlayers: [{\(kind): {carrier: 500, beat: \(15 * sign)}}]\n", file: "p.yaml")
            let curves = LayerCurves(patch, layer: 0, time: TimeAxis(patch, from: 0, to: 600), palette: .light)
            #expect(curves.ears.map { [$0.low.start, $0.high.start] } == band)
            #expect(PatchPicture(patch).beatTitle == "Beat")
        }
    }

    @Test("beats, pulses and rotations are in one panel, under the names of those that exist")
    func beatTitle() throws {
        let kinds = ["tone", "isochronic", "spin", "binaural"]
        for (count, title) in [(2, "Pulses"), (3, "Pulses and rotations"), (4, "Beats, pulses and rotations")] {
            let layers = kinds.prefix(count).map { "{name: \($0), \($0): {}}" }.joined(separator: ", ")
            #expect(PatchPicture(try Patch.parse("layers: [\(layers)]\n", file: "p.yaml")).beatTitle == title)
        }
        let orbit = "layers: [{name: bee, isochronic: {orbitRate: 0.1}}]\n"
        #expect(PatchPicture(try Patch.parse(orbit, file: "p.yaml")).beatTitle == "Pulses and rotations")
    }
}

extension Patch {
    /// The shipped patches.
    static func shipped() throws -> [(String, Patch)] {
        let folder = PackageRoot.file("patches")
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
            ($0, try parse(bytes: Array(Data(contentsOf: URL(filePath: "\(folder)/\($0)"))), file: $0))
        }
    }
}
