import Patches

/// A polynomial in t = 0...1, of at most fifth degree. It takes no memory of its own, since a long patch is cut into thousands of pieces.
struct Polynomial {
    let degree: Int
    /// Coefficients from the lowest power up, with zeros beyond the degree.
    private(set) var coefficients: SIMD8<Double>

    /// Interpolation nodes of the fifth degree: the extrema of a Chebyshev polynomial, both ends among them, so that neighbouring pieces meet.
    static let nodes: [Double] = (0...5).map { index -> Double in
        (1 - PortableMath.sine(turns: 0.25 - Double(index) / 10)) / 2
    }
    /// The points at which its error is checked: between the nodes, but not in the middle.
    static let checks: [Double] = (1...5).flatMap { index -> [Double] in
        let step = nodes[index] - nodes[index - 1]
        return [nodes[index] - 0.55 * step, nodes[index] - 0.1 * step]
    }

    /// A polynomial of fifth degree.
    init(coefficients: SIMD8<Double>) { (degree, self.coefficients) = (5, coefficients) }

    /// The polynomial with the values of a function at the nodes, one more than its degree (Newton's divided differences, then multiplied
    /// out).
    init(nodes: [Double] = Self.nodes, of value: (Double) -> Double) {
        let degree = nodes.count - 1
        var (differences, coefficients) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
        // Lanes by a variable index go through memory, a whole vector each time.
        withLanes(of: &differences) { d in
            for index in 0...degree { d[index] = value(nodes[index]) }
            for order in 1...degree {
                for i in stride(from: degree, through: order, by: -1) { d[i] = (d[i] - d[i - 1]) / (nodes[i] - nodes[i - order]) }
            }
            withLanes(of: &coefficients) { c in
                for i in stride(from: degree, through: 0, by: -1) {
                    // c = c * (t - nodes[i]) + d[i]
                    for power in stride(from: degree, through: 1, by: -1) { c[power] = c[power - 1] - c[power] * nodes[i] }
                    c[0] = d[i] - c[0] * nodes[i]
                }
            }
        }
        (self.degree, self.coefficients) = (degree, coefficients)
    }

    func callAsFunction(_ t: Double) -> Double {
        var value = 0.0
        for power in stride(from: degree, through: 0, by: -1) { value = value * t + coefficients[power] }
        return value
    }

    /// A range that contains all of its values for t = 0...1: that of its Bernstein coefficients, hardly too wide for a flat polynomial.
    var bounds: ClosedRange<Double> {
        var (lowest, highest) = (Double.infinity, -Double.infinity)
        for i in 0...degree {
            // Σ C(i,k) / C(degree,k) c[k]
            var (sum, ratio) = (coefficients[0], 1.0)
            for k in stride(from: 1, through: i, by: 1) {
                ratio *= Double(i - k + 1) / Double(degree - k + 1)
                sum += ratio * coefficients[k]
            }
            (lowest, highest) = (min(lowest, sum), max(highest, sum))
        }
        return .holding(lowest, highest)
    }

    /// Sum of the magnitudes of all coefficients but the first.
    var variation: Double {
        var sum = 0.0
        for power in stride(from: 1, through: degree, by: 1) { sum += abs(coefficients[power]) }
        return sum
    }
}

@inline(__always)
private func withLanes(of vector: inout SIMD8<Double>, _ body: (UnsafeMutablePointer<Double>) -> Void) {
    withUnsafeMutablePointer(to: &vector) { $0.withMemoryRebound(to: Double.self, capacity: 8, body) }
}

extension ClosedRange<Double> {
    /// The range between two bounds; infinite if one of them is NaN.
    static func holding(_ lower: Double, _ upper: Double) -> ClosedRange { lower <= upper ? lower...upper : -.infinity ... .infinity }
}
