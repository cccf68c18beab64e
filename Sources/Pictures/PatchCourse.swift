import class Foundation.JSONEncoder
import Patches

/// The curves of ``PatchPicture`` in numbers, for a page that draws them itself.
///
/// Its JSON is an object:
/// - `end`: seconds at the right end of the time axis: the length of the patch, or, if that is without end, a while after its last move.
/// - `endless`: whether the patch continues beyond it. `loops`: whether it begins again there.
/// - `layers`: for each layer `name`, `kind`, and `lines`: for each parameter that is shown its pieces, each a list of time, value, time,
///   value and so on, with times in seconds, ascending, and values in the parameter's unit. Between two times the line is straight on the
///   parameter's scale, so that it is exact at any zoom of the time. Before, between and after its pieces the layer is off. Levels have the
///   fades of the patch and the decay of a bell, and are at least -72 dBFS.
/// - `units`: the unit of each parameter, such as `Hz`.
/// - `chapters`: for each its start in seconds, its title, and the seconds that its moves take, if it says so.
/// - `moreLayers`, `moreChapters`: how many are left out.
///
/// A patch with a few moves needs about 2 kB; none needs more than some 40 kB, since there is a limit of layers, chapters, titles and points.
/// The scales are those of the picture: pitches are even in octaves, levels in dB; a beat of `b` Hz is at `log2(1 + |b| / 3)`, with the sign
/// of `b`; all other parameters are even in their unit.
package struct PatchCourse: Equatable, Sendable, Encodable {
    package var end: Double
    package var endless: Bool
    package var loops: Bool
    package var layers: [LayerLines]
    package var units: [String: String]
    package var chapters: [Mark]
    package var moreLayers: Int
    package var moreChapters: Int

    package struct LayerLines: Equatable, Sendable, Encodable {
        package var name: String
        package var kind: String
        package var lines: [String: [[Double]]] = [:]
    }

    /// The start of a chapter.
    package struct Mark: Equatable, Sendable {
        /// Seconds from the start of the patch.
        package var start: Double
        /// On one line, cut off if it is long.
        package var title: String
        /// Seconds that its moves take; `nil` if that depends on the parameter, or nothing moves.
        package var over: Double?
    }

    static let (layerLimit, chapterLimit, pointLimit) = (64, 500, 1600)
    /// Letters of a title, and bytes in UTF-8 of all titles.
    static let (titleLimit, titlesLimit) = (60, 6000)

    package init(_ patch: Patch) {
        let shown = Array(patch.layers.indices.prefix(Self.layerLimit))
        // A zoom shows what a whole picture has no room for; many layers have to be done in the same time.
        let time = TimeAxis(patch, from: 0, to: min(30_000, 120_000 / Double(max(1, shown.count))))
        end = time.end
        endless = time.isEndless
        loops = patch.loops && !time.isEndless
        layers = shown.map { LayerLines(name: patch.layers[$0].name, kind: patch.layers[$0].kind.rawValue) }
        moreLayers = patch.layers.count - shown.count
        units = [:]
        (chapters, moreChapters) = Self.marks(patch.chapters.filter { $0.start < time.end }, until: time.end)
        let courses = shown.flatMap { Self.courses(LayerCurves(patch, layer: $0, time: time, palette: .light), layer: $0) }
        for course in Self.fitted(courses, until: time.end) {
            layers[course.layer].lines[course.parameter.rawValue] = course.pieces.map { $0.flatMap { [$0.time, $0.value] } }
            units[course.parameter.rawValue] = course.unit.rawValue
        }
    }

    /// The JSON; the same patch gives the same bytes.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // There is no number in it that JSON cannot write.
        return (try? encoder.encode(self)).map { Array($0) } ?? Array("{}".utf8)
    }

    // MARK: Chapters

    /// The chapters as marks; of those that are too many, the ones that lie closest behind another one are left out.
    private static func marks(_ chapters: [Chapter], until end: Double) -> (marks: [Mark], left: Int) {
        var shown = chapters
        var gap = end / 4000
        while shown.count > chapterLimit {
            var last = -Double.infinity
            shown = shown.filter {
                guard $0.start - last >= gap else { return false }
                last = $0.start
                return true
            }
            gap *= 1.5
        }
        let room = titlesLimit / max(1, shown.count)
        let marks = shown.map {
            Mark(start: $0.start, title: title($0.title, room: room), over: $0.settings.isEmpty ? nil : $0.over.map { rounded($0, 3) })
        }
        return (marks, chapters.count - shown.count)
    }

    /// - Parameter room: Bytes that it may have, unless all titles together are short.
    private static func title(_ title: String, room: Int) -> String {
        let line = title.onOneLine
        var cut = String(line.prefix(titleLimit))
        while cut.utf8.count > max(room, 12) { cut.removeLast() }
        return cut.count < line.count ? cut + "…" : cut
    }

    // MARK: Lines

    /// The line of a parameter of a layer.
    struct ParameterLine {
        typealias Piece = [(time: Double, value: Double)]

        var layer: Int
        var parameter: Parameter
        var unit: Unit
        var pieces: [Piece]
        /// The distance from a line that nobody sees, on the parameter's scale.
        var tolerance: Double

        /// The place of a value on the parameter's scale.
        func place(_ value: Double) -> Double {
            switch parameter {
            case .carrier: PortableMath.log2(max(value, 1e-3))
            case _ where unit == .hertz: ValueAxis.beatPlace(value)
            default: value
            }
        }

        /// The same with fewer points, each piece within a multiple of the tolerance, and gaps closed that nobody would see.
        func simplified(_ factor: Double, until end: Double) -> ParameterLine {
            var course = self
            course.pieces = pieces.reduce(into: []) { joined, piece in
                if let last = joined.last?.last, let first = piece.first, first.time - last.time < end * factor / 20_000 {
                    joined[joined.count - 1] += piece
                } else {
                    joined.append(piece)
                }
            }
            course.pieces = course.pieces.map { PatchCourse.simplified($0, within: tolerance * factor, place: place) }
            return course
        }

        var pointCount: Int { pieces.reduce(0) { $0 + $1.count } }

        /// The same in one piece with its first point, its last two, since it often rests between them, and the lowest and the highest point of
        /// each of some stretches in between, which is what a narrow picture shows.
        func thinned(to count: Int) -> ParameterLine {
            let points = pieces.flatMap { $0 }
            guard points.count > count, points.count > 3 else { return self }
            let inner = points.dropFirst().dropLast(2)
            let stretches = max(0, (count - 3) / 2)
            var thinned = self
            thinned.pieces = [[points[0]]]
            for number in 0..<stretches {
                let (from, to) = (inner.count * number / stretches, inner.count * (number + 1) / stretches)
                let stretch = inner.dropFirst(from).prefix(to - from)
                guard let low = stretch.min(by: { $0.value < $1.value }), let high = stretch.max(by: { $0.value < $1.value }) else {
                    continue
                }
                thinned.pieces[0] += low.time == high.time ? [low] : low.time < high.time ? [low, high] : [high, low]
            }
            thinned.pieces[0] += points.suffix(2)
            return thinned
        }
    }

    /// The lines of a layer, the most important ones first.
    private static func courses(_ curves: LayerCurves, layer: Int) -> [ParameterLine] {
        var courses = curves.beats.map {
            ParameterLine(layer: layer, parameter: $0.parameter, unit: .hertz, pieces: pieces(of: $0.curve, curves), tolerance: 0.002)
        }
        if let carrier = curves.carrier {
            courses.append(
                ParameterLine(layer: layer, parameter: .carrier, unit: .hertz, pieces: pieces(of: carrier, curves), tolerance: 0.001))
        }
        var level = curves.level
        level.change { max($1, PatchPicture.floor) }
        courses.append(ParameterLine(layer: layer, parameter: .gain, unit: .decibels, pieces: [level.points], tolerance: 0.1))
        for other in curves.others {
            let range = other.curve.range.map { $0.upperBound - $0.lowerBound } ?? 0
            courses.append(
                ParameterLine(
                    layer: layer, parameter: other.description.parameter, unit: other.description.unit, pieces: [other.curve.points],
                    tolerance: range / 800))
        }
        return courses
    }

    /// The parts of a curve in which its layer sounds.
    private static func pieces(of curve: Curve, _ layer: LayerCurves) -> [ParameterLine.Piece] {
        let points = curve.points
        var pieces: [ParameterLine.Piece] = []
        var isOpen = false
        for index in points.indices.dropLast() {
            let (start, end) = (points[index].time, points[index + 1].time)
            guard layer.strength(at: start, loudest: 0) > 0 || layer.strength(at: (start + end) / 2, loudest: 0) > 0 else {
                isOpen = false
                continue
            }
            if !isOpen { pieces.append([points[index]]) }
            pieces[pieces.count - 1].append(points[index + 1])
            isOpen = true
        }
        return pieces
    }

    /// The lines with as many points as nobody sees a difference, or, if these are too many, as there is room for.
    private static func fitted(_ courses: [ParameterLine], until end: Double) -> [ParameterLine] {
        var fitted = courses.map { $0.simplified(1, until: end) }.filter { !$0.pieces.isEmpty }
        // A difference that is hardly seen is better than fewer stretches.
        for factor in [2.0, 4, 8, 16] where fitted.reduce(0, { $0 + $1.pointCount }) > pointLimit {
            fitted = fitted.map { $0.simplified(factor, until: end) }
        }
        let share = share(of: fitted.map(\.pointCount).sorted())
        fitted = fitted.map { $0.thinned(to: share) }
        // Beats and pitches of all layers before their other parameters.
        let order: [Parameter: Int] = [.beat: 0, .pulseRate: 1, .carrier: 2, .gain: 3]
        fitted = fitted.enumerated()
            .sorted { (order[$0.element.parameter] ?? 4, $0.offset) < (order[$1.element.parameter] ?? 4, $1.offset) }.map(\.element)
        var room = pointLimit
        return fitted.filter {
            room -= $0.pointCount
            return room >= 0
        }.map { course in
            let digits = course.unit == .decibels || course.parameter == .carrier ? 2 : 3
            var rounded = course
            rounded.pieces = course.pieces.map { $0.map { (Self.rounded($0.time, 3), Self.rounded($0.value, digits)) } }
            return rounded
        }
    }

    /// How many points a line may have, so that all fit.
    ///
    /// - Parameter counts: The points of each line, ascending.
    private static func share(of counts: [Int]) -> Int {
        var room = pointLimit
        for (index, count) in counts.enumerated() {
            let share = room / (counts.count - index)
            if count > share { return max(2, share) }
            room -= count
        }
        return .max
    }

    /// Some of the points, between which straight lines on the scale are within a tolerance of all others: from each on the line goes as far as
    /// there is one through the points between.
    static func simplified(_ points: ParameterLine.Piece, within tolerance: Double, place: (Double) -> Double) -> ParameterLine.Piece {
        guard points.count > 2 else { return points }
        let places = points.map { place($0.value) }
        var kept = [points[0]]
        var anchor = 0
        // The slopes of lines from the last point that is kept past all those since.
        var (low, high) = (-Double.infinity, Double.infinity)
        for index in points.indices.dropFirst() {
            func slope(_ offset: Double) -> Double {
                (places[index] + offset - places[anchor]) / (points[index].time - points[anchor].time)
            }
            let wanted = slope(0)
            if !(low <= wanted && wanted <= high) {
                anchor = index - 1
                kept.append(points[anchor])
                (low, high) = (-.infinity, .infinity)
            }
            (low, high) = (max(low, slope(-tolerance)), min(high, slope(tolerance)))
            // Two points at one time have no slope.
            if !(low <= high) { (low, high) = (-.infinity, .infinity) }
        }
        kept.append(points[points.count - 1])
        return kept
    }

    private static func rounded(_ value: Double, _ digits: Int) -> Double {
        let scale = digits == 2 ? 100.0 : 1000.0
        let rounded = (value * scale).rounded() / scale
        return rounded.isFinite ? rounded : 0
    }
}

extension PatchCourse.Mark: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(start)
        try list.encode(title)
        if let over { try list.encode(over) }
    }
}
