import Patches

/// Points at which an easing changes direction.
enum TurningPoints {
    /// The turning points as fractions of the easing's time, ascending; between them, and up to the ends, the curve is monotonic.
    static func of(_ easing: Easing) -> [Double] { all[easing] ?? [] }

    private static let all: [Easing: [Double]] = Dictionary(
        uniqueKeysWithValues: Easing.allCases.map { ($0, points(of: $0)) })

    private static func points(of easing: Easing) -> [Double] {
        let count = 1024
        let values = (0...count).map { easing.value(at: Double($0) / Double(count)) }
        return (1..<count).compactMap { index -> Double? in
            let (before, after) = (values[index] - values[index - 1], values[index + 1] - values[index])
            guard before * after < 0 else { return nil }
            return point(of: easing, around: Double(index) / Double(count), within: 1 / Double(count), isHighest: before > 0)
        }
    }

    /// Finds a turning point by ternary search.
    private static func point(of easing: Easing, around middle: Double, within reach: Double, isHighest: Bool) -> Double {
        var (low, high) = (middle - reach, middle + reach)
        for _ in 0..<60 {
            let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
            if (easing.value(at: left) < easing.value(at: right)) == isHighest { low = left } else { high = right }
        }
        return (low + high) / 2
    }
}
