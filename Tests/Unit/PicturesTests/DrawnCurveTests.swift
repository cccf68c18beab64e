import Foundation
import PatchFiles
import Patches
import Testing

@testable import Pictures

@Suite("drawn curves show the values")
struct DrawnCurveTests {
    // MARK: Easings

    @Test("all 31 easings are on one page, each under its name, with its own values", arguments: [false, true])
    func easings(isDark: Bool) throws {
        let picture = EasingPicture(isDark: isDark)
        let page = DrawnPage(try picture.bytes(.svg))
        #expect(picture.places.map(\.easing) == Easing.allCases)
        #expect(picture.places.count == 31)
        for place in picture.places {
            let name = place.easing.rawValue
            let lines = page.lines(place.ink).filter {
                $0.width == 2 && $0.points.first?.x == place.box.left
                    && $0.points.allSatisfy { place.box.top...place.box.bottom ~= $0.y && place.box.left...place.box.right ~= $0.x }
            }
            try #require(lines.count == 1, "\(name)")
            for step in 0...40 {
                let progress = Double(step) / 40
                let point = Point(x: place.x(progress), y: place.axis.y(place.easing.value(at: progress)))
                #expect(point.distance(to: lines[0].points) < 0.1, "\(name) at \(progress)")
            }
            // A move starts below and ends above, and there is room for overshoots.
            #expect(place.axis.place(0) > 0.2)
            #expect(place.axis.place(1) < 0.8)
            #expect(place.axis.place(1) - place.axis.place(0) > 0.5)
            #expect(place.name.y > place.box.bottom)
            #expect(page.glyphs(within: place.box.left...place.box.right, baseline: place.name.y) == name.count, "\(name)")
        }
        for (index, place) in picture.places.enumerated() {
            for other in picture.places.dropFirst(index + 1) { #expect(!place.box.overlaps(other.box)) }
        }
    }

    @Test("every family of easings has its own color", arguments: [false, true])
    func families(isDark: Bool) {
        let places = EasingPicture(isDark: isDark).places
        func family(_ easing: Easing) -> String { easing.rawValue.replacing(/(In|Out|InOut)$/, with: "") }
        for place in places {
            for other in places {
                #expect((place.ink == other.ink) == (family(place.easing) == family(other.easing)), "\(place.easing), \(other.easing)")
            }
        }
    }

    // MARK: Patches

    private static func parse(_ text: String) throws -> Patch { try Patch.parse(text, file: "p.yaml") }

    /// The contents of the picture, read back from its bytes.
    private static func drawn(_ patch: Patch, isDark: Bool = false) throws -> (picture: PatchPicture, panels: [Panel], page: DrawnPage) {
        let picture = PatchPicture(patch, isDark: isDark)
        let canvas = picture.page(.svg)
        let panels = picture.draw(on: canvas)
        return (picture, panels, DrawnPage(try canvas.finish()))
    }

    @Test("a curve goes through the known values of its moves")
    func course() throws {
        let patch = try Self.parse(
            """
            duration: 60
            layers: [{name: a, binaural: {carrier: 200, beat: 10}, gain: -20}]
            chapters:
              - {at: 10, over: 20, ease: linear, set: {a.beat: 4, a.carrier: 100}}
              - {at: 40, over: 10, ease: quadIn, set: {a.beat: -6}}

            """)
        // Ten points a second, a point each Hz, 0 Hz at 50.
        let time = TimeAxis(patch, from: 100, to: 700)
        let axis = ValueAxis.linear(-50...50, in: Area(left: 100, top: 0, right: 700, bottom: 100))
        let curves = LayerCurves(patch, layer: 0, time: time, palette: .light)
        let outline = curves.beats[0].curve.outline(time, axis)
        // quadIn of a half is a quarter.
        for (seconds, beat) in [(0.0, 10.0), (10, 10), (15, 8.5), (20, 7), (30, 4), (40, 4), (45, 1.5), (50, -6), (60, -6)] {
            #expect(Point(x: 100 + 10 * seconds, y: 50 - beat).distance(to: outline) < 0.02, "\(seconds) s")
        }
        let pitch = try #require(curves.carrier).outline(time, .linear(0...200, in: Area(left: 100, top: 0, right: 700, bottom: 200)))
        for (seconds, carrier) in [(0.0, 200.0), (20, 150), (60, 100)] {
            #expect(Point(x: 100 + 10 * seconds, y: 200 - carrier).distance(to: pitch) < 0.02, "\(seconds) s")
        }
        #expect(zip(outline, outline.dropFirst()).allSatisfy { $0.x <= $1.x })
    }

    /// The expected level of a patch in dBFS, computed independently of the drawing code.
    private static func level(_ patch: Patch, layer: Int, at time: Double) -> Double {
        var level = unfadedLevel(patch, layer: layer, at: time)
        if let fade = patch.fade {
            func decibels(_ factor: Double) -> Double { factor > 0 ? 20 * log10(factor) : -200 }
            if fade.fadeIn > 0 { level += decibels(fade.easeIn.value(at: min(time / fade.fadeIn, 1))) }
            if let duration = patch.duration, fade.fadeOut > 0 {
                level += decibels(1 - fade.easeOut.value(at: min(max((time - duration + fade.fadeOut) / fade.fadeOut, 0), 1)))
            }
        }
        return max(level, Parameter.off)
    }

    private static func unfadedLevel(_ patch: Patch, layer: Int, at time: Double) -> Double {
        let gain = patch.value(of: .gain, layer: layer, at: time, edits: []) ?? 0
        guard patch.layers[layer].kind == .bell else { return gain }
        let strike = patch.strikes(ofLayer: layer).filter { $0 <= time }.max() ?? 0
        return gain - 60 * (time - strike) / (patch.value(of: .decay, layer: layer, at: strike, edits: []) ?? 1)
    }

    static let ownPatches = [
        (
            "bells",
            """
            duration: 5:00
            layers: [{name: gong, bell: {carrier: 300, decay: 40}, gain: -22}, {name: short, bell: {carrier: 500, decay: 0.5}, gain: -22}]
            chapters: [{at: 60, set: {gong.gain: -30}}, {at: 90, set: {gong.gain: -30, short.gain: -10}}, {at: 200, over: 30, set: {gong.decay: 20}}]

            """
        ),
        (
            "signs",
            """
            duration: 60
            layers: [{name: a, binaural: {carrier: 200, beat: -10}}, {name: b, binaural: {carrier: 100, beat: 10}, gain: -40}]
            chapters: [{at: 10, over: 40, ease: sineInOut, set: {a.beat: 20, a.pan: 0.5}}]

            """
        ),
        ("below 0", "duration: 60\nlayers: [{name: a, binaural: {carrier: 200, beat: -10}}, {name: b, spin: {beat: -0.5}}]\n"),
    ]

    @Test(
        "all curves of a patch go through the values of its parameters",
        arguments: try Patch.shipped() + ownPatches.map { ($0.0, try parse($0.1)) })
    func patches(name: String, patch: Patch) throws {
        let (picture, panels, page) = try Self.drawn(patch)
        var compared = 0
        for panel in panels {
            for line in panel.lines {
                let layer = try #require(
                    picture.layers.firstIndex { [$0.name, $0.nameOfLevel].contains(line.name) || line.name.hasPrefix($0.name + " ") })
                let drawn = page.lines(line.ink).filter { $0.width == 2.2 }
                for step in 0...60 {
                    let time = picture.time.end * Double(step) / 60 * 0.999
                    let values: [Double] =
                        switch panel.title {
                        case "Pitch": [patch.value(of: .carrier, layer: layer, at: time, edits: [])].compactMap { $0 }
                        case "Level": [Self.level(patch, layer: layer, at: time)]
                        case picture.beatTitle:
                            [Parameter.beat, .pulseRate, .amRate, .spinRate].filter {
                                // A file and an input always have it.
                                $0 != .pulseRate || !patch.layers[layer].kind.isForeign || patch.layers[layer].effects.contains(.pulses)
                            }.compactMap { patch.value(of: $0, layer: layer, at: time, edits: []) }
                        default:
                            Parameter.allCases.filter { $0.title == panel.title }.compactMap {
                                patch.value(of: $0, layer: layer, at: time, edits: [])
                            }
                        }
                    let isOff = Self.unfadedLevel(patch, layer: layer, at: time) <= Parameter.off
                    for value in values {
                        compared += 1
                        // A layer that is off has no pitch and no beat, and no level is drawn at the bottom.
                        let isLevel = panel.title == "Level"
                        if isLevel ? panel.axis.place(value) <= 0 : isOff && ["Pitch", picture.beatTitle].contains(panel.title) {
                            continue
                        }
                        let point = Point(x: picture.time.x(time), y: panel.axis.y(value))
                        let distance = drawn.map { point.distance(to: $0.points) }.min() ?? .infinity
                        #expect(distance < 1, "\(panel.title) of \(line.name) at \(time) s, \(value)")
                    }
                }
            }
        }
        #expect(compared >= 40 * patch.layers.count)
        // A dot at each strike, in the panels of pitch and level.
        let dots = panels.flatMap { $0.marks(picture.time) }
        #expect(page.dots.count == dots.count)
        for dot in dots { #expect(page.dots.contains { abs($0.x - dot.place.x) < 3.5 && abs($0.y - dot.place.y) < 3.5 }) }
    }

    @Test("a bell is drawn decaying by 60 dB in its decay from each strike on, and each strike has a dot, also at the level before")
    func bells() throws {
        let (picture, panels, _) = try Self.drawn(try Self.parse(Self.ownPatches[0].1))
        let panel = try #require(panels.first { $0.title == "Level" })
        let gong = try #require(panel.lines.first { $0.name == "gong" })
        let outline = gong.curve.outline(picture.time, panel.axis)
        for (time, level) in [(0.5, -22.75), (20, -52), (59.5, -111.25), (60.5, -30.75), (80, -60), (91, -31.5), (110, -60)] {
            #expect(Point(x: picture.time.x(time), y: panel.axis.y(level)).distance(to: outline) < 0.3, "\(time) s")
        }
        let marks = panel.marks(picture.time).filter { $0.ink == gong.ink }.map(\.place)
        #expect(marks == [(0.0, -22.0), (60, -30), (90, -30)].map { Point(x: picture.time.x($0.0), y: panel.axis.y($0.1)) })
    }

    @Test("a bell that is off has no dot until it is struck")
    func bellThatIsOff() throws {
        let (picture, panels, page) = try Self.drawn(
            try Self.parse(
                """
                duration: 100
                layers: [{name: gong, bell: {carrier: 300}, gain: -120}, {name: bed, tone: {carrier: 200}}]
                chapters: [{at: 30, set: {gong.gain: -30}}, {at: 50, set: {gong.gain: -120}}, {at: 70, over: 10, set: {gong.gain: -20}}]

                """))
        for title in ["Pitch", "Level"] {
            let panel = try #require(panels.first { $0.title == title })
            let times = title == "Pitch" ? [30.0, 70] : [30]
            #expect(panel.marks(picture.time).map(\.place.x) == times.map(picture.time.x), "\(title)")
        }
        #expect(page.dots.count == 3)
    }

    @Test("a layer has lines only where it sounds, also where others have the same pitch; one that is never heard has none")
    func layersThatAreOff() throws {
        let (picture, panels, page) = try Self.drawn(
            try Self.parse(
                """
                duration: 100
                layers:
                  - {name: gong, bell: {carrier: 300, decay: 4}, gain: -120}
                  - {name: twin, bell: {carrier: 300, decay: 4}, gain: -120}
                  - {name: never, bell: {carrier: 500, decay: 4}, gain: -120}
                  - {name: pulse, isochronic: {carrier: 300, pulseRate: 6}, gain: -120}
                  - {name: bed, tone: {carrier: 300}, gain: -20}
                chapters:
                  - {at: 30, set: {gong.gain: -30, twin.gain: -30}}
                  - {at: 50, set: {gong.gain: -120, twin.gain: -120, pulse.gain: -25}}
                  - {at: 70, set: {pulse.gain: -120}}

                """))
        let level = try #require(panels.first { $0.title == "Level" })
        func drawn(_ name: String) throws -> [(points: [Point], width: Double)] {
            page.lines(try #require(level.lines.first { $0.name == name }).ink)
        }
        #expect(try drawn("never").isEmpty)
        // Until its gain and its decay together are at -120 dB.
        for (name, times) in [("gong", 30...36.1), ("pulse", 50...70.1), ("bed", 0...100)] {
            let lines = try drawn(name).filter { $0.width == 2.2 }
            let places = lines.flatMap(\.points).map(\.x)
            let (left, right) = (try #require(places.min()), try #require(places.max()))
            #expect(abs(left - picture.time.x(times.lowerBound)) < 2, "\(name)")
            #expect(abs(right - picture.time.x(times.upperBound)) < 2, "\(name)")
            for panel in panels where panel.lines.contains(where: { $0.name == name }) {
                let heights = panel.area.top...panel.area.bottom + 1
                #expect(lines.contains { $0.points.allSatisfy { heights ~= $0.y } }, "\(name), \(panel.title)")
            }
        }
        // Alone among sounds without pitch, it has no louder tone beside it.
        let (_, alone, other) = try Self.drawn(try Self.parse("layers: [{name: a, bell: {}, gain: -120}, {name: b, noise: {}}]\n"))
        #expect(other.lines(alone[0].lines[0].ink).isEmpty)
    }

    @Test("a beat below 0 is drawn as far below 0 as its counterpart above it")
    func signs() throws {
        let (_, panels, _) = try Self.drawn(try Self.parse(Self.ownPatches[1].1))
        let axis = try #require(panels.first { $0.title == "Beat" }).axis
        #expect(axis.y(-10) > axis.y(0) + 20)
        #expect(axis.y(10) < axis.y(0) - 20)
        #expect(abs(axis.y(-10) + axis.y(10) - 2 * axis.y(0)) < 1e-9)
        // Without negative beats there is no room for them.
        let plain = try Self.drawn(try Self.parse("layers: [{binaural: {beat: 10}}]\n")).panels
        #expect(try #require(plain.first { $0.title == "Beat" }).axis.place(0) == 0)
    }

    @Test("keys, inputs and files are distinguished by colors, by names and by hatching", arguments: [false, true])
    func foreign(isDark: Bool) throws {
        let patch = try Self.parse(
            "layers: [{name: a, keys: {beat: 3}}, {name: b, input: {}}, {name: c, file: {path: x.wav}}, {name: d, noise: {}}, {name: e, tone: {}}]\n"
        )
        let (_, panels, page) = try Self.drawn(patch, isDark: isDark)
        let level = try #require(panels.first { $0.title == "Level" })
        #expect(level.lines.map(\.name) == ["a (played)", "b (input)", "c (file)", "d", "e"])
        for (index, line) in level.lines.enumerated() {
            #expect(!level.lines.dropFirst(index + 1).contains { $0.ink == line.ink })
            let hatches = page.lines(line.ink).filter { $0.width == 0.8 && ($0.points.first?.y ?? 0) > level.area.bottom - 1 }
            #expect((hatches.count > 20) == (index < 3), "\(line.name)")
        }
        // Layers without pulses are not drawn among the pulses.
        #expect(panels.first { $0.title == "Beat" }?.lines.map(\.name) == ["a"])
    }

    @Test("the scales of pitch, beat and level show their units")
    func units() throws {
        let (_, panels, page) = try Self.drawn(try Self.parse("layers: [{binaural: {}}]\n"))
        #expect(panels.map { page.glyphs(within: 0...$0.area.left - 1, baseline: $0.area.top - 7) } == ["Hz", "Hz", "dBFS"].map(\.count))
    }
}
