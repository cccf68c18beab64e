import Foundation

@testable import Pictures

/// The contents of a page, read back from the SVG of any version of cairo.
struct DrawnPage {
    /// Open lines with their widths and colors, in points.
    private(set) var lines: [(points: [Point], width: Double, ink: [Double])] = []
    /// A glyph with its position; on one page, the same glyph of the same font and size has the same shape.
    struct Glyph {
        var shape: String
        var x: Double
        var y: Double
    }

    private(set) var glyphs: [Glyph] = []
    /// Filled shapes of curves, by their starting points.
    private(set) var dots: [Point] = []

    init(_ svg: [UInt8]) {
        for element in String(decoding: svg, as: UTF8.self).split(separator: "<") {
            if element.hasPrefix("use "), element.contains("#glyph") {
                let places = [" x=\"", " y=\""].compactMap { Self.text(after: [$0], in: element).flatMap { Double($0) } }
                let shape = Self.text(after: ["#glyph"], in: element)
                if let shape, places.count == 2 { glyphs.append(Glyph(shape: shape, x: places[0], y: places[1])) }
            } else if element.hasPrefix("path "), let drawn = Self.text(after: [" d=\""], in: element) {
                let words = drawn.split(separator: " ")
                if let width = Self.text(after: ["stroke-width:", "stroke-width=\""], in: element).flatMap({ Double($0) }),
                    let ink = Self.text(after: ["stroke:rgb(", "stroke=\"rgb("], in: element)
                {
                    lines.append((Self.points(words), width, ink.split(separator: ",").compactMap { Double($0.dropLast()) }))
                } else if words.contains("C"), let first = Self.points(words.prefix(3)).first, !element.contains("clip-rule") {
                    dots.append(first)
                }
            }
        }
        // The shapes of glyphs are curves too, around their own origin.
        dots.removeAll { abs($0.x) < 60 }
    }

    private static func text(after beginnings: [String], in element: Substring) -> String? {
        for beginning in beginnings {
            if let range = element.range(of: beginning) {
                return String(element[range.upperBound...].prefix { !"\";)".contains($0) })
            }
        }
        return nil
    }

    private static func points(_ words: some Sequence<Substring>) -> [Point] {
        let numbers = words.compactMap { Double($0) }
        return stride(from: 0, to: numbers.count - 1, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    /// Lines in a color.
    func lines(_ ink: Ink) -> [(points: [Point], width: Double)] {
        let wanted = [ink.red, ink.green, ink.blue].map { $0 * 100 }
        return lines.filter { zip($0.ink, wanted).allSatisfy { abs($0 - $1) < 0.01 } }.map { ($0.points, $0.width) }
    }

    func glyphs(within x: ClosedRange<Double>, baseline y: Double) -> Int {
        glyphs.count { x.contains($0.x) && abs($0.y - y) < 0.01 }
    }

    /// The shapes of the glyphs on a baseline, from left to right.
    func shapes(onBaseline y: Double) -> [String] { glyphs.filter { abs($0.y - y) < 0.01 }.sorted { $0.x < $1.x }.map(\.shape) }
}

extension Point {
    /// The distance in points to the nearest point of a line.
    func distance(to line: [Point]) -> Double {
        zip(line, line.dropFirst()).reduce(.infinity) { least, ends in
            let (from, to) = ends
            let (width, height) = (to.x - from.x, to.y - from.y)
            let square = width * width + height * height
            let part = square > 0 ? min(max(((x - from.x) * width + (y - from.y) * height) / square, 0), 1) : 0
            return min(least, hypot(from.x + part * width - x, from.y + part * height - y))
        }
    }
}
