import Patches

/// The background of a panel: its paper, its rules and their labels at the left.
struct PanelScale {
    private let part: PatchPicture.Part
    private let panel: Panel
    private let palette: Palette
    private let time: TimeAxis

    init(_ part: PatchPicture.Part, _ panel: Panel, _ palette: Palette, _ time: TimeAxis) {
        (self.part, self.panel, self.palette, self.time) = (part, panel, palette, time)
    }

    func draw(on canvas: Canvas) {
        canvas.fill(panel.area, palette.panel)
        canvas.clipped(to: panel.area) {
            for x in time.ticks.map(time.x) {
                canvas.line([Point(x: x, y: panel.area.top), Point(x: x, y: panel.area.bottom)], palette.rule.covering(0.45), width: 0.5)
            }
        }
        let unit =
            switch part {
            case .pitch, .beat: "Hz"
            case .level: "dBFS"
            case .other: ""
            }
        canvas.write(unit, at: Point(x: panel.area.left - 8, y: panel.area.top - 7), Type(size: 10), palette.softText, anchor: .end)
        switch part {
        case .pitch: drawNotes(on: canvas)
        case .beat: drawBands(on: canvas)
        case .level:
            drawRules(at: stride(from: 0, to: PatchPicture.floor, by: -12).map { $0 }, on: canvas) { "\($0.text(decimals: 0))" }
        case .other: drawRules(at: rounds, on: canvas) { $0.text(decimals: 3) }
        }
    }

    private func drawNotes(on canvas: Canvas) {
        let tuning = Tuning()
        let low = panel.axis.y(0)
        let values = panel.lines.flatMap { line in [line.curve.range?.lowerBound, line.curve.range?.upperBound].compactMap { $0 } }
        guard let least = values.min(), let most = values.max(), low > 0 else { return }
        for note in NoteGrid(around: edges(least...most), height: panel.area.height).notes {
            let frequency = tuning.frequency(ofNote: Double(note.rawValue))
            let y = panel.axis.y(frequency)
            rule(y, on: canvas)
            canvas.write(
                note.name, at: Point(x: panel.area.left - 44, y: y + 4), Type(size: 11, isBold: note.rawValue % 12 == 0), palette.text,
                anchor: .end)
            canvas.write(
                frequency.text(decimals: frequency < 100 ? 1 : 0), at: Point(x: panel.area.left - 8, y: y + 4), Type(size: 10),
                palette.softText, anchor: .end)
        }
    }

    /// The range of the carriers, extended to the tones of both ears.
    private func edges(_ carriers: ClosedRange<Double>) -> ClosedRange<Double> {
        let bands = panel.lines.compactMap(\.band)
        let low = bands.compactMap { $0.low.range?.lowerBound }.min() ?? carriers.lowerBound
        let high = bands.compactMap { $0.high.range?.upperBound }.max() ?? carriers.upperBound
        return min(low, carriers.lowerBound)...max(high, carriers.upperBound)
    }

    private func drawBands(on canvas: Canvas) {
        let hasNegative = panel.axis.place(0) > 0
        var (names, numbers) = (PlacedLabels(height: 11), PlacedLabels(height: 9))
        for (index, band, sign) in BeatBand.all.enumerated().flatMap({ [($0, $1, 1.0)] + (hasNegative ? [($0, $1, -1.0)] : []) }) {
            let edges = [panel.axis.y(sign * band.range.lowerBound), panel.axis.y(sign * band.range.upperBound)]
            let (top, bottom) = (min(edges[0], edges[1]), max(edges[0], edges[1]))
            guard bottom - top > 1 else { continue }
            let area = Area(left: panel.area.left, top: top, right: panel.area.right, bottom: bottom)
            if index % 2 == 0 { canvas.fill(area, palette.band) }
            if bottom - top > 8, names.place(at: (top + bottom) / 2) {
                canvas.write(
                    band.name, at: Point(x: panel.area.left - 36, y: (top + bottom) / 2 + 4), Type(size: 11), palette.text, anchor: .end)
            }
            // The label of 0 is written once.
            guard sign > 0 || band.range.lowerBound > 0, 10..<panel.area.height + 1 ~= edges[0] - panel.area.top,
                numbers.place(at: edges[0])
            else { continue }
            canvas.write(
                (sign * band.range.lowerBound).text(decimals: 0), at: Point(x: panel.area.left - 8, y: edges[0] + 4), Type(size: 10),
                palette.softText, anchor: .end)
        }
        if hasNegative { rule(panel.axis.y(0), on: canvas) }
    }

    private func drawRules(at values: [Double], on canvas: Canvas, words: (Double) -> String) {
        var labels = PlacedLabels(height: 9)
        for value in values {
            let y = panel.axis.y(value)
            guard labels.place(at: y) else { continue }
            rule(y, on: canvas)
            canvas.write(words(value), at: Point(x: panel.area.left - 8, y: y + 4), Type(size: 10), palette.softText, anchor: .end)
        }
    }

    /// The least and the largest value of the lines.
    private var rounds: [Double] {
        let values = panel.lines.compactMap { $0.curve.range }.flatMap { [$0.lowerBound, $0.upperBound] }
        return [values.min(), values.max()].compactMap { $0 }
    }

    private func rule(_ y: Double, on canvas: Canvas) {
        canvas.line([Point(x: panel.area.left, y: y), Point(x: panel.area.right, y: y)], palette.rule, width: 0.6)
    }
}

/// Labels of a scale, one above the other, of which those that would overlap an earlier one are left out.
private struct PlacedLabels {
    private let height: Double
    private var middles: [Double] = []

    init(height: Double) { self.height = height }

    /// - Returns: Whether there is room for one at this height.
    mutating func place(at middle: Double) -> Bool {
        guard middles.allSatisfy({ abs($0 - middle) >= height }) else { return false }
        middles.append(middle)
        return true
    }
}
