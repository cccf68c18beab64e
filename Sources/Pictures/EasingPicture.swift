import Patches

/// A picture of all 31 easings, by family: in, out, inOut.
package struct EasingPicture {
    private let palette: Palette

    package init(isDark: Bool = false) { palette = isDark ? .dark : .light }

    /// An easing's place on the page.
    struct Place {
        let easing: Easing
        let box: Area
        /// 0 is where a move begins, 1 where it ends.
        let axis: ValueAxis
        let ink: Ink

        init(_ easing: Easing, row: Int, column: Int, ink: Ink) {
            self.easing = easing
            self.ink = ink
            let left = EasingPicture.left + Double(column) * EasingPicture.cell.width
            let top = EasingPicture.top + Double(row) * EasingPicture.cell.height
            box = Area(
                left: left + 8, top: top + 4, right: left + EasingPicture.cell.width - 8, bottom: top + EasingPicture.cell.height - 24)
            // Back and elastic leave 0...1.
            axis = .linear(-0.45...1.45, in: box)
        }

        /// The middle of the baseline of its name.
        var name: Point { Point(x: (box.left + box.right) / 2, y: box.bottom + 15) }

        func x(_ progress: Double) -> Double { box.left + 8 + progress * (box.width - 16) }

        /// The curve of the move, with the values before and after it.
        var outline: [Point] {
            let count = 280
            let move = (0...count).map { index in
                let progress = Double(index) / Double(count)
                return Point(x: x(progress), y: (axis.y(easing.value(at: progress)) * 100).rounded() / 100)
            }
            return [Point(x: box.left, y: axis.y(0))] + move + [Point(x: box.right, y: axis.y(1))]
        }
    }

    private static let cell = (width: 168.0, height: 128.0)
    private static let columns = 6
    private static let left = 24.0
    private static let top = 16.0

    package func bytes(_ format: PictureFormat) throws(PictureError) -> [UInt8] {
        let places = places
        let bottom = places.map(\.box.bottom).max() ?? 0
        let canvas = Canvas(
            width: 2 * Self.left + Double(Self.columns) * Self.cell.width, height: bottom + 32,
            format: format, paper: palette.paper)
        canvas.write("Easings", at: Point(x: Self.left + 8, y: 52), Type(size: 24, isBold: true), palette.text)
        for (index, line) in [
            "How a value moves from old (below) to new (above), after Robert Penner.",
            "In a chapter write  ease: sineInOut",
        ].enumerated() {
            canvas.write(line, at: Point(x: Self.left + 8, y: 78 + 20 * Double(index)), Type(size: 13), palette.softText)
        }
        for place in places { draw(place, on: canvas) }
        return try canvas.finish()
    }

    /// Linear, which has one curve, is beside the title; below it are two families in each row, each in an ink of its own.
    var places: [Place] {
        let curved = Easing.allCases.filter { $0 != .linear }
        return [Place(.linear, row: 0, column: Self.columns - 1, ink: palette.text)]
            + curved.enumerated().map { index, easing in
                Place(easing, row: 1 + index / Self.columns, column: index % Self.columns, ink: palette.ink(ofLayer: index / 3))
            }
    }

    private func draw(_ place: Place, on canvas: Canvas) {
        canvas.fill(place.box, palette.panel)
        for value in [0.0, 1.0] {
            let y = place.axis.y(value)
            canvas.line([Point(x: place.box.left, y: y), Point(x: place.box.right, y: y)], palette.rule, width: 0.8)
        }
        canvas.line(place.outline, place.ink, width: 2)
        canvas.write(place.easing.rawValue, at: place.name, Type(size: 12), palette.text, anchor: .middle)
    }
}
