import Patches

/// All 31 easings, a family in each row: in, out, inOut.
package struct EasingPicture {
    private let palette: Palette

    package init(isDark: Bool = false) { palette = isDark ? .dark : .light }

    private static let cell = (width: 168.0, height: 128.0)
    private static let columns = 6
    private static let left = 24.0
    private static let top = 16.0

    package func bytes(_ format: PictureFormat) throws(PictureError) -> [UInt8] {
        let places = Self.places
        let rows = (places.map(\.row).max() ?? 0) + 1
        let canvas = Canvas(
            width: 2 * Self.left + Double(Self.columns) * Self.cell.width, height: Self.top + Double(rows) * Self.cell.height + 8,
            format: format, paper: palette.paper)
        canvas.write("Easings", at: Point(x: Self.left + 8, y: 52), Type(size: 24, isBold: true), palette.text)
        for (index, line) in [
            "How a move goes from its old value (below) to its new one (above), after Robert Penner.",
            "In a chapter write  ease: sineInOut",
        ].enumerated() {
            canvas.write(line, at: Point(x: Self.left + 8, y: 78 + 20 * Double(index)), Type(size: 13), palette.softText)
        }
        for place in places { draw(place, on: canvas) }
        return try canvas.finish()
    }

    /// Linear, which has but one curve, stands beside the title; below it two families side by side in each row.
    private static var places: [(easing: Easing, row: Int, column: Int)] {
        let curved = Easing.allCases.filter { $0 != .linear }
        return [(.linear, 0, columns - 1)] + curved.enumerated().map { ($1, 1 + $0 / columns, $0 % columns) }
    }

    private func draw(_ place: (easing: Easing, row: Int, column: Int), on canvas: Canvas) {
        let left = Self.left + Double(place.column) * Self.cell.width
        let top = Self.top + Double(place.row) * Self.cell.height
        let box = Area(left: left + 8, top: top + 4, right: left + Self.cell.width - 8, bottom: top + Self.cell.height - 24)
        canvas.fill(box, palette.panel)
        // Back and elastic leave 0...1.
        let axis = ValueAxis.linear(-0.45...1.45, in: box)
        for value in [0.0, 1.0] {
            canvas.line([Point(x: box.left, y: axis.y(value)), Point(x: box.right, y: axis.y(value))], palette.rule, width: 0.8)
        }
        let count = 280
        let points = (0...count).map { index in
            let t = Double(index) / Double(count)
            return Point(
                x: box.left + 8 + t * (box.width - 16), y: (axis.y(place.easing.value(at: t)) * 100).rounded() / 100)
        }
        // What was before and what is after.
        let ends = (Point(x: box.left, y: axis.y(0)), Point(x: box.right, y: axis.y(1)))
        let family = ((place.row - 1) * Self.columns + place.column) / 3
        canvas.line([ends.0] + points + [ends.1], palette.ink(ofLayer: place.easing == .linear ? 7 : family), width: 2)
        canvas.write(
            place.easing.rawValue, at: Point(x: (box.left + box.right) / 2, y: box.bottom + 15), Type(size: 12), palette.text,
            anchor: .middle)
    }
}
