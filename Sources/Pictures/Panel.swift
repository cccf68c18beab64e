import Patches

/// One set of lines above the time axis, with its scale at the left and the names of its lines at the right.
struct Panel {
    var title: String
    var area: Area
    var axis: ValueAxis
    /// The text for a value at the end of a line and where it rests.
    var words: (Double) -> String
    var lines: [Line] = []
    /// Whether its values are levels, of which nothing is drawn at the bottom.
    var isLevel = false

    struct Line {
        var name: String
        var ink: Ink
        var curve: Curve
        var automation: Automation
        /// The filling of the area down to the bottom.
        var filling = Filling.none
        /// Two courses between which the area is tinted; `nil` for none.
        var band: (low: Curve, high: Curve)?
        /// The bell's strikes and decays, or `nil` if the layer is not a bell.
        var bell: RingingBell?
        /// Whether the line is a level that includes the ring.
        var isRinging = false
        /// Opacity at a time in seconds, 0...1; 0 where the layer is off.
        var strength: (Double) -> Double = { _ in 1 }

        /// Opacity between two points of its course, at times in seconds; 0 if the layer is off there. One that is off at the first point may rise
        /// from there.
        func strength(from start: Double, to end: Double) -> Double {
            let first = strength(start)
            return first > 0 ? first : strength((start + end) / 2)
        }

        func liesOn(_ other: Line) -> Bool {
            automation == other.automation && (isRinging ? bell : nil) == (other.isRinging ? other.bell : nil)
        }

        /// Audible strikes of the bell, with the value of the line just after: a chapter that strikes it sets its gain, usually at once.
        var strikes: [(time: Double, value: Double)] {
            (bell?.strikes ?? []).filter(\.isAudible).map { ($0.time, automation.value(at: $0.time + RingingBell.onset)) }
        }
    }

    /// The area below a line: noise is tinted, and sounds from elsewhere are hatched.
    enum Filling {
        case none, plain, hatched
    }

    /// Lines that coincide all the time; they share dashes and a label.
    private struct Bundle {
        /// A line that is drawn, by its index, and its opacity.
        struct Part: Equatable {
            var line: Int
            var strength: Double
        }

        var course: Curve
        var outline: [Point]
        var lines: [Line]
        /// Where it is drawn, as ranges of its points, and which lines share it there.
        var stretches: [(points: ClosedRange<Int>, parts: [Part])] = []

        /// The times at which it is drawn, in seconds.
        var spans: [(from: Double, to: Double)] {
            stretches.reduce(into: []) { spans, stretch in
                let (from, to) = (course.points[stretch.points.lowerBound].time, course.points[stretch.points.upperBound].time)
                if spans.last?.to == from { spans[spans.count - 1].to = to } else { spans.append((from, to)) }
            }
        }

        /// The value at the end, without a fade of the whole patch.
        var end: Double {
            let time = lines[0].curve.points.last?.time ?? 0
            return lines[0].automation.value(at: time) + (lines[0].isRinging ? lines[0].bell?.decibels(at: time) ?? 0 : 0)
        }
    }

    private static let titleType = Type(size: 12, isBold: true)
    private static let labelType = Type(size: 12)
    private static let valueType = Type(size: 11)
    private static let labelStep = 15.0
    /// The most coinciding lines that are drawn, as dashes.
    private static let sharedDashes = 4

    func draw(on canvas: Canvas, _ time: TimeAxis, _ palette: Palette) {
        let bundles = bundled(time)
        canvas.clipped(to: area) {
            for (index, bundle) in bundles.enumerated() { tint(bundle, index, on: canvas, time) }
            for bundle in bundles { stroke(bundle, on: canvas) }
        }
        for mark in marks(time) { canvas.dot(at: mark.place, mark.ink) }
        canvas.write(title, at: Point(x: area.left, y: area.top - 7), Self.titleType, palette.softText)
        if bundles.count <= 5 { writeRests(of: bundles, on: canvas, time) }
        writeLabels(of: bundles, on: canvas, palette)
    }

    private func bundled(_ time: TimeAxis) -> [Bundle] {
        var groups: [[Line]] = []
        for line in lines {
            if let index = groups.firstIndex(where: { $0[0].liesOn(line) }) { groups[index].append(line) } else { groups.append([line]) }
        }
        return groups.map { lines in
            let course = lines.dropFirst().reduce(lines[0].curve) { $0.joined(with: $1.curve) }
            var bundle = Bundle(course: course, outline: course.outline(time, axis), lines: lines)
            bundle.stretches = stretches(of: bundle)
            return bundle
        }
    }

    /// Where a bundle is drawn, and which of its lines are: those of layers that are not off there.
    private func stretches(of bundle: Bundle) -> [(points: ClosedRange<Int>, parts: [Bundle.Part])] {
        let points = bundle.course.points
        let strengths = bundle.lines.map { line in zip(points, points.dropFirst()).map { line.strength(from: $0.time, to: $1.time) } }
        let most = strengths.map { $0.max() ?? 0 }
        var stretches: [(points: ClosedRange<Int>, parts: [Bundle.Part])] = []
        for index in points.indices.dropLast() {
            if isLevel, axis.place(points[index].value) <= 0, axis.place(points[index + 1].value) <= 0 { continue }
            let sounding = strengths.indices.filter { strengths[$0][index] > 0 }.prefix(Self.sharedDashes)
            // Dashes keep one opacity: a change would restart them.
            let parts = sounding.map { Bundle.Part(line: $0, strength: sounding.count > 1 ? most[$0] : strengths[$0][index]) }
            guard !parts.isEmpty else { continue }
            if let last = stretches.last, last.points.upperBound == index, last.parts == parts {
                stretches[stretches.count - 1].points = last.points.lowerBound...index + 1
            } else {
                stretches.append((index...index + 1, parts))
            }
        }
        return stretches
    }

    // MARK: Lines

    private func tint(_ bundle: Bundle, _ index: Int, on canvas: Canvas, _ time: TimeAxis) {
        for line in bundle.lines {
            let ends = [Point(x: bundle.outline.last?.x ?? area.right, y: area.bottom), Point(x: area.left, y: area.bottom)]
            switch line.filling {
            case .none: break
            case .plain: canvas.fill(bundle.outline + ends, line.ink.covering(0.16))
            case .hatched: canvas.hatch(bundle.outline + ends, line.ink.covering(0.45), offset: Double(index % 3) / 3)
            }
            if let band = line.band {
                let (high, low) = (band.high.outline(time, axis), band.low.outline(time, axis))
                for range in sounding(line, at: band.low.points.map(\.time)) {
                    canvas.fill(high[range] + low[range].reversed(), line.ink.covering(0.2))
                }
            }
        }
    }

    /// The ranges of points, by their times, between which a line's layer is not off.
    private func sounding(_ line: Line, at times: [Double]) -> [ClosedRange<Int>] {
        times.indices.dropLast().reduce(into: []) { ranges, index in
            guard line.strength(from: times[index], to: times[index + 1]) > 0 else { return }
            if let last = ranges.last, last.upperBound == index {
                ranges[ranges.count - 1] = last.lowerBound...index + 1
            } else {
                ranges.append(index...index + 1)
            }
        }
    }

    private func stroke(_ bundle: Bundle, on canvas: Canvas) {
        let dash = 7.0
        for (range, parts) in bundle.stretches {
            let outline = Array(bundle.outline[range])
            for (place, part) in parts.enumerated() {
                let dashes: (lengths: [Double], start: Double)? =
                    parts.count > 1 ? ([dash, dash * Double(parts.count - 1)], dash * Double(parts.count - place)) : nil
                canvas.line(outline, bundle.lines[part.line].ink.covering(part.strength), width: 2.2, dashes: dashes)
            }
        }
    }

    /// Dots at each strike of a bell, since one that rings long is struck again at nearly the same level.
    func marks(_ time: TimeAxis) -> [(place: Point, ink: Ink)] {
        lines.flatMap { line in
            line.strikes.compactMap { strike in
                guard axis.place(strike.value) > 0 else { return nil }
                return (Point(x: time.x(strike.time), y: axis.y(strike.value)), line.ink)
            }
        }
    }

    // MARK: Words

    /// Writes the value at each place where a line rests or a move ends, as far as there is room.
    private func writeRests(of bundles: [Bundle], on canvas: Canvas, _ time: TimeAxis) {
        var taken: [Area] = []
        for bundle in bundles {
            for rest in rests(of: bundle, time) where axis.place(rest.value) > 0 {
                let text = words(rest.value)
                let width = canvas.width(of: text, Self.valueType)
                let (left, right) = (time.x(rest.from), time.x(rest.to))
                let line = axis.y(rest.value)
                // Above the line or below it; in the middle of the rest, else nearer to one of its ends, else beside it.
                let middle = (left + right) / 2
                let aside = width / 2 + 6
                let places = [
                    middle, left + (right - left) / 4, right - (right - left) / 4, left + aside, right - aside, right + aside, left - aside,
                ]
                .flatMap { x in [line - 5, line + 14].map { Point(x: x, y: $0) } }
                for place in places {
                    let box = Area(left: place.x - width / 2 - 3, top: place.y - 10, right: place.x + width / 2 + 3, bottom: place.y + 2)
                    guard area.contains(box), !taken.contains(where: box.overlaps),
                        !bundles.contains(where: { box.isCrossed(by: $0.outline) })
                    else { continue }
                    taken.append(box)
                    canvas.write(text, at: place, Self.valueType, bundle.lines[0].ink, anchor: .middle)
                    break
                }
            }
        }
    }

    /// A bell never rests, so the values of its strikes are shown. Of the rests of others, it is the longest part that is drawn.
    private func rests(of bundle: Bundle, _ time: TimeAxis) -> [(from: Double, to: Double, value: Double)] {
        let line = bundle.lines[0]
        if line.isRinging { return line.strikes.map { ($0.time, $0.time, $0.value) } }
        let spans = bundle.spans
        return Curve.rests(of: line.automation, until: time.end).compactMap { rest in
            let parts = spans.map { (from: max(rest.from, $0.from), to: min(rest.to, $0.to), value: rest.value) }
                .filter { $0.from < $0.to || rest.from == rest.to && $0.from == $0.to }
            return parts.max { $0.to - $0.from < $1.to - $1.from }
        }
    }

    /// Writes the names of the lines at their ends; names that overlap are moved apart. One that is never drawn has no dash before its name.
    private func writeLabels(of bundles: [Bundle], on canvas: Canvas, _ palette: Palette) {
        let left = area.right + 14
        let room = max(1, Int((area.height + 6) / Self.labelStep))
        let named = bundles.count > room ? room - 1 : bundles.count
        var labels = bundles.prefix(named).map { bundle in
            (
                place: axis.y(bundle.end), y: 0.0, text: label(bundle, on: canvas, canvas.width - left - 8), ink: bundle.lines[0].ink,
                isDrawn: !bundle.stretches.isEmpty
            )
        }
        let rest = bundles.dropFirst(named).reduce(0) { $0 + $1.lines.count }
        if rest > 0 { labels.append((area.bottom, 0, "and \(rest) more", palette.softText, false)) }
        // From top to bottom; lines at the same place in order of the layers.
        let order = labels.indices.sorted { (labels[$0].place, $0) < (labels[$1].place, $1) }
        var lowest = area.top - 3
        for index in order {
            labels[index].y = max(labels[index].place, lowest)
            lowest = labels[index].y + Self.labelStep
        }
        var highest = area.bottom + 3
        for index in order.reversed() {
            labels[index].y = min(labels[index].y, highest)
            highest = labels[index].y - Self.labelStep
        }
        for label in labels {
            if label.isDrawn {
                canvas.line([Point(x: area.right + 2, y: label.place), Point(x: left - 3, y: label.y)], label.ink.covering(0.6))
            }
            canvas.write(label.text, at: Point(x: left, y: label.y + 4), Self.labelType, label.ink)
        }
    }

    /// The names of a bundle and the value at its end, or the decay of a bell that is heard; if room is short, names are left out first.
    private func label(_ bundle: Bundle, on canvas: Canvas, _ width: Double) -> String {
        let line = bundle.lines[0]
        let decay = line.isRinging && !line.strikes.isEmpty ? line.bell?.strikes.last?.decay : nil
        let value = decay.map { ", decay \($0.text(decimals: 1)) s" } ?? " " + words(bundle.end)
        let room = width - canvas.width(of: value, Self.labelType)
        let names = bundle.lines.map(\.name)
        for count in (1...min(names.count, 6)).reversed() {
            let more = names.count > count ? " +\(names.count - count)" : ""
            let text = names.prefix(count).joined(separator: ", ") + more
            if canvas.width(of: text, Self.labelType) <= room { return text + value }
        }
        let more = names.count > 1 ? " +\(names.count - 1)" : ""
        return canvas.cut(names[0], to: room - canvas.width(of: more, Self.labelType), Self.labelType) + more + value
    }
}
