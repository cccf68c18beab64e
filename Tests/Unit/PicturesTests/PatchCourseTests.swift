import Foundation
import PatchFiles
import Patches
import Testing

@testable import Pictures

@Suite("the course of a patch in numbers")
struct PatchCourseTests {
    private static func parse(_ text: String) throws -> Patch { try Patch.parse(text, file: "p.yaml") }

    private func course(_ text: String) throws -> PatchCourse { PatchCourse(try Self.parse(text)) }

    /// The places of a line at a time, straight on its scale between its points: none outside its pieces, two or more at a jump.
    private func places(_ pieces: [[Double]], _ parameter: String, at time: Double) -> [Double] {
        pieces.flatMap { piece in
            let points = stride(from: 0, to: piece.count, by: 2).map { (time: piece[$0], place: place(piece[$0 + 1], parameter)) }
            return zip(points, points.dropFirst()).filter { $0.time <= time && time <= $1.time }.map { from, to in
                from.time < to.time ? from.place + (time - from.time) / (to.time - from.time) * (to.place - from.place) : to.place
            }
        }
    }

    private func place(_ value: Double, _ parameter: String) -> Double {
        switch parameter {
        case "carrier": log2(value)
        case "beat", "pulseRate", "amRate", "spinRate", "orbitRate": value < 0 ? -log2(1 - value / 3) : log2(1 + value / 3)
        default: value
        }
    }

    private func values(_ pieces: [[Double]]) -> [Double] {
        pieces.flatMap { piece in stride(from: 1, to: piece.count, by: 2).map { piece[$0] } }
    }

    @Test("its JSON has the length, layers with the pieces of their lines, units, and chapters with title and length")
    func json() throws {
        let text = """
            duration: 100
            layers: [{name: bed, binaural: {carrier: 200, beat: 10}, gain: -18}]
            chapters: [{at: 0, title: Begin}, {at: 40, title: "a \\"b\\" <c>", over: 20, set: {bed.carrier: 100}}]

            """
        let json = try course(text).json
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        #expect(object["end"] as? Double == 100)
        #expect(object["endless"] as? Bool == false)
        #expect(object["loops"] as? Bool == false)
        #expect(object["units"] as? [String: String] == ["beat": "Hz", "carrier": "Hz", "gain": "dB"])
        let layer = try #require((object["layers"] as? [[String: Any]])?.first)
        #expect(layer["name"] as? String == "bed")
        #expect(layer["kind"] as? String == "binaural")
        let lines = try #require(layer["lines"] as? [String: [[Double]]])
        #expect(lines["beat"] == [[0, 10, 100, 10]])
        #expect(lines["gain"] == [[0, -18, 100, -18]])
        let chapters = try #require(object["chapters"] as? [[Any]])
        #expect(chapters.map { $0[0] as? Double } == [0, 40])
        #expect(chapters.map { $0[1] as? String } == ["Begin", "a \"b\" <c>"])
        #expect(chapters.map(\.count) == [2, 3])
        #expect(chapters[1][2] as? Double == 20)
        #expect(try course(text).json == json)
    }

    /// Patches whose curves are of all sorts.
    static let curves = [
        (
            "easings",
            """
            duration: 60
            layers: [{name: a, binaural: {carrier: 200, beat: 10}, gain: -20}]
            chapters:
              - {at: 5, over: 10, ease: elasticOut, set: {a.beat: 4, a.carrier: 100}}
              - {at: 20, over: 15, ease: sineInOut, set: {a.beat: -6, a.pan: 1}}
              - {at: 40, over: 10, ease: bounceOut, set: {a.beat: 30, a.gain: -40}}

            """
        ),
        (
            "nine hours",
            """
            duration: 9:00:00
            layers: [{name: a, binaural: {carrier: 200, beat: 10}}]
            chapters: [{at: 3600, over: 60, ease: sineInOut, set: {a.beat: 3}}, {at: 7200, over: 2:00:00, ease: quadIn, set: {a.beat: 8}}]

            """
        ),
        (
            "bells",
            "duration: 5:00\nlayers: [{name: gong, bell: {carrier: 300, decay: 40}, gain: -22}]\nchapters: [{at: 60, set: {gong.gain: -30}}]\n"
        ),
    ]

    @Test("its lines go through the values of the parameters", arguments: try Patch.shipped() + curves.map { ($0.0, try parse($0.1)) })
    func values(name: String, patch: Patch) throws {
        let course = PatchCourse(patch)
        let time = TimeAxis(patch, from: 0, to: 10_000)
        var compared = 0
        for (index, layer) in course.layers.enumerated() {
            let curves = LayerCurves(patch, layer: index, time: time, palette: .light)
            for (parameter, pieces) in layer.lines {
                // Levels have fades and decays, which the curves know.
                let tolerance = ["carrier": 0.002, "gain": 0.2][parameter] ?? (course.units[parameter] == "Hz" ? 0.004 : nil)
                guard let tolerance else { continue }
                for (seconds, level) in curves.level.points.enumerated().filter({ $0.offset % 7 == 0 }).map(\.element) {
                    let wanted: Double? =
                        if parameter == "gain" {
                            max(level, PatchPicture.floor)
                        } else {
                            Parameter(rawValue: parameter).flatMap { patch.value(of: $0, layer: index, at: seconds, edits: []) }
                        }
                    // Times are in thousandths of a second.
                    let near = [-0.002, 0, 0.002].flatMap { places(pieces, parameter, at: seconds + $0) }
                    guard let low = near.min(), let high = near.max(), let wanted else { continue }
                    compared += 1
                    let place = place(wanted, parameter)
                    #expect(low - tolerance < place && place < high + tolerance, "\(layer.name) \(parameter) at \(seconds) s: \(place)")
                }
            }
        }
        #expect(compared > 0)
    }

    @Test("a shipped patch needs some 2 kB, at most 5", arguments: try Patch.shipped())
    func size(name: String, patch: Patch) {
        #expect(PatchCourse(patch).json.count < 5000)
    }

    @Test("a line has pieces only where its layer sounds")
    func pieces() throws {
        let course = try course(
            """
            duration: 100
            layers: [{name: a, binaural: {carrier: 200, beat: 10}, gain: -20}, {name: silent, tone: {}, gain: -120}]
            chapters: [{at: 20, over: 1, set: {a.gain: -120}}, {at: 60, over: 1, set: {a.gain: -30}}]

            """)
        let beat = try #require(course.layers[0].lines["beat"])
        #expect(beat.map { $0.first } == [0, 60])
        #expect(beat.map { $0[$0.count - 2] } == [21, 100])
        #expect(course.layers[1].lines.keys.sorted() == ["gain"])
    }

    @Test("a patch without end has an axis that ends after its last move; only one with an end can begin again")
    func ends() throws {
        let endless = try course("layers: [{name: a, tone: {}}]\nchapters: [{at: 100, over: 50, set: {a.carrier: 300}}]\n")
        #expect(endless.endless)
        #expect(endless.end == 180)
        let looped = try course("duration: 10\nloop: true\nlayers: [{tone: {}}]\n")
        #expect(looped.loops)
        #expect(!looped.endless)
        #expect(try course("duration: 0.001\nlayers: [{tone: {}}]\n").end == 0.001)
    }

    @Test("a patch of noise alone has levels alone")
    func noise() throws {
        #expect(try course("layers: [{noise: {color: brown}}]\n").units == ["gain": "dB"])
    }

    @Test("64 layers with 4000 chapters need some 40 kB, in which all layers have their lines, and chapters the starts that they have")
    func large() throws {
        let layers = (0..<80).map { "  - {name: l\($0), binaural: {carrier: \(100 + $0), beat: 10}}\n" }.joined()
        let chapters = (0..<4000).map { index in
            "  - {at: \(Double(index) * 2.5), over: 1, title: Chapter \(index) 東京, set: {l\(index % 64).beat: \(1 + index % 30), "
                + "l\(index % 64).carrier: \(100 + index % 400), l\(index % 7).gain: -\(20 + index % 30)}}\n"
        }
        let course = try course("duration: 10000\nlayers:\n\(layers)chapters:\n\(chapters.joined())")
        #expect(course.json.count < 44_000)
        #expect(course.layers.count == PatchCourse.layerLimit)
        #expect(course.moreLayers == 16)
        for layer in course.layers { #expect(layer.lines.keys.sorted() == ["beat", "carrier", "gain"], "\(layer.name)") }
        #expect(course.chapters.count > 200)
        #expect(course.chapters.count <= PatchCourse.chapterLimit)
        #expect(course.chapters.count + course.moreChapters == 4000)
        for chapter in course.chapters { #expect(chapter.title.hasPrefix("Chapter \(Int(chapter.start / 2.5))".prefix(9)), "\(chapter)") }
        // Few points lie at the extremes.
        let beats = try #require(course.layers[0].lines["beat"])
        #expect(values(beats).allSatisfy { 1...30 ~= $0 })
    }

    @Test("a bell with thousands of strikes is still drawn from its softest to its loudest")
    func manyStrikes() throws {
        let strikes = (0..<2000).map { "  - {at: \($0 * 2), set: {gong.gain: -20}}\n" }.joined()
        let course = try course("duration: 4000\nlayers: [{name: gong, bell: {carrier: 300, decay: 1}}]\ncues:\n\(strikes)")
        let levels = values(try #require(course.layers[0].lines["gain"]))
        #expect(levels.count <= PatchCourse.pointLimit)
        #expect(levels.min().map { $0 <= -71 } == true)
        #expect(levels.max().map { $0 >= -24 } == true)
    }

    @Test("titles of 300 letters, or of several lines, are cut off and on one line", arguments: ["long", "éé\\n東京"])
    func titles(word: String) throws {
        let title = String(repeating: word + " ", count: 60)
        let course = try course("duration: 10\nlayers: [{tone: {}}]\nchapters: [{at: 1, title: \"\(title)\"}]\n")
        let cut = try #require(course.chapters.first?.title)
        #expect(cut.hasSuffix("…"))
        #expect(cut.count == PatchCourse.titleLimit + 1)
        #expect(!cut.contains("\n"))
    }

    @Test(
        "any valid patch has a course, in which all numbers are finite and all times in order",
        arguments: PatchPictureTests.strangePatches.map { $0.value })
    func strange(text: String) throws {
        let course = try course(text)
        #expect(course.json.count > 2)
        for piece in course.layers.flatMap({ $0.lines.values.joined() }) {
            let times = stride(from: 0, to: piece.count, by: 2).map { piece[$0] }
            #expect(piece.allSatisfy { $0.isFinite })
            #expect(times == times.sorted())
            #expect(times.allSatisfy { 0...course.end ~= $0 })
        }
    }
}
