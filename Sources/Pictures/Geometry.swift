import Patches

/// A place on the page in points; x grows to the right, y downwards.
struct Point: Equatable {
    var x: Double
    var y: Double
}

/// A rectangle on the page, in points.
struct Area: Equatable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    var width: Double { right - left }
    var height: Double { bottom - top }

    func overlaps(_ other: Area) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    func contains(_ other: Area) -> Bool {
        left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom
    }

    /// Whether a line from left to right crosses it.
    func isCrossed(by line: [Point]) -> Bool {
        zip(line, line.dropFirst()).contains { from, to in
            guard to.x >= left, from.x <= right else { return false }
            func y(at x: Double) -> Double { to.x > from.x ? from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x) : to.y }
            let (first, last) = (y(at: max(left, from.x)), y(at: min(right, to.x)))
            return max(first, last, to.x > from.x ? first : from.y) > top && min(first, last, to.x > from.x ? first : from.y) < bottom
        }
    }
}

/// The style of a line of text.
struct Type: Equatable {
    /// Size in points.
    var size: Double
    var isBold = false
}

/// The alignment of a text to its point.
enum Anchor {
    case start, middle, end

    /// The part of its width that lies to the left of the point.
    var share: Double {
        switch self {
        case .start: 0
        case .middle: 0.5
        case .end: 1
        }
    }
}

extension String {
    /// The text on one line: line ends and control characters, as in titles, become blanks. Nothing is so narrow that more than its first 1000
    /// scalars would fit on a page.
    var onOneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.prefix(1000).map {
                    switch $0.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: " "
                    default: $0
                    }
                }))
    }

    /// The text in its own direction, by its first letter, in the middle of any other. Unicode Standard Annex #9, 2.4
    var isolated: String { "\u{2068}\(self)\u{2069}" }
}

extension Double {
    /// The number with at most this many decimals, without trailing zeros.
    func text(decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return NumberText.string(from: (self * scale).rounded() / scale)
    }
}
