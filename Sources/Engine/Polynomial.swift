import Patches

/// A polynomial of fifth degree in t = 0...1.
struct Polynomial {
    /// Coefficients from the lowest power up.
    private(set) var coefficients: [Double]

    /// Interpolation nodes: the extrema of a Chebyshev polynomial, both ends among them, so that neighbouring pieces meet.
    static let nodes: [Double] = (0...5).map { index -> Double in
        (1 - PortableMath.sine(turns: 0.25 - Double(index) / 10)) / 2
    }
    /// The points at which its error is checked: between the nodes, but not in the middle.
    static let checks: [Double] = (1...5).flatMap { index -> [Double] in
        let step = nodes[index] - nodes[index - 1]
        return [nodes[index] - 0.55 * step, nodes[index] - 0.1 * step]
    }

    /// - Parameter coefficients: Six, from the lowest power up.
    init(coefficients: [Double]) { self.coefficients = coefficients }

    /// The polynomial with these values at `nodes` (Newton's divided differences, then multiplied out).
    init(through values: [Double]) {
        self.init(nodes: Polynomial.nodes, values: values)
    }

    /// The polynomial with these values at these nodes.
    init(nodes: [Double], values: [Double]) {
        var differences = values
        for order in 1..<nodes.count {
            for i in stride(from: nodes.count - 1, through: order, by: -1) {
                differences[i] = (differences[i] - differences[i - 1]) / (nodes[i] - nodes[i - order])
            }
        }
        coefficients = [Double](repeating: 0, count: nodes.count)
        for i in stride(from: nodes.count - 1, through: 0, by: -1) {
            // coefficients = coefficients * (t - nodes[i]) + differences[i]
            for power in stride(from: nodes.count - 1, through: 1, by: -1) {
                coefficients[power] = coefficients[power - 1] - coefficients[power] * nodes[i]
            }
            coefficients[0] = differences[i] - coefficients[0] * nodes[i]
        }
    }

    func callAsFunction(_ t: Double) -> Double {
        coefficients.reversed().reduce(0) { $0 * t + $1 }
    }

    /// A range that contains all of its values for t = 0...1: that of its Bernstein coefficients, hardly too wide for a flat polynomial.
    var bounds: ClosedRange<Double> {
        let degree = coefficients.count - 1
        let bernstein = (0...degree).map { i -> Double in
            // Σ C(i,k) / C(degree,k) c[k]
            var (sum, ratio) = (coefficients[0], 1.0)
            for k in stride(from: 1, through: i, by: 1) {
                ratio *= Double(i - k + 1) / Double(degree - k + 1)
                sum += ratio * coefficients[k]
            }
            return sum
        }
        return .holding(bernstein.reduce(.infinity) { Swift.min($0, $1) }, bernstein.reduce(-.infinity) { Swift.max($0, $1) })
    }

    /// Sum of the magnitudes of all coefficients but the first.
    var variation: Double {
        coefficients.dropFirst().reduce(0) { $0 + abs($1) }
    }
}

extension ClosedRange<Double> {
    /// The range between two bounds; infinite if one of them is NaN.
    static func holding(_ lower: Double, _ upper: Double) -> ClosedRange { lower <= upper ? lower...upper : -.infinity ... .infinity }
}
