import Synthesis

/// Cuts the course of a frequency, or of a phase itself, into pieces of integer phase.
struct PhaseCutter {
    enum Source: Equatable, Sendable {
        /// The value is a frequency in Hz; the phase is its integral.
        case frequency
        /// The value is a phase in degrees.
        case degrees
    }

    let source: Source
    /// Cycles per frame (for a frequency) or cycles (for degrees) per unit of the value.
    let scale: Double
    /// Whether the pieces go twice as fast as their polynomials say.
    private let doubles: Bool

    /// A cutter for a frequency in Hz, which is multiplied by `factor`.
    ///
    /// - Parameter leadingFactor: The factor of the frequency that it follows, if any: the pieces of both then have the same ends, so that
    ///   their errors are the same share of a cycle. If it is half the factor, as that of a beat is of a rate, they are the leader's, doubled.
    init(frequency factor: Double, following leadingFactor: Double? = nil, sampleRate: Double) {
        source = .frequency
        doubles = leadingFactor.map { 2 * $0 == factor } ?? false
        let factor = doubles ? factor / 2 : factor
        scale = factor / sampleRate
        tolerance = 1e-5 / sampleRate * (doubles ? 1 : factor / (leadingFactor ?? factor))
    }

    init(degrees: Void) {
        source = .degrees
        doubles = false
        scale = 1.0 / 360
        tolerance = 1e-8
    }

    /// Largest error of a piece: 1e-5 Hz (a tenth of it in a move by ratio), or 1e-8 cycles.
    private let tolerance: Double

    /// Adds the pieces of a movement that begin before `limit`, continuing the phase of the pieces before.
    func pieces(of movement: Movement, until limit: Int64, into result: inout [PhasePiece]) {
        guard movement.isMoving else {
            append(SIMD4(movement.value(at: Double(movement.start)) * scale, 0, 0, 0), at: movement.start, into: &result)
            if doubles { result[result.count - 1].differences.double() }
            return
        }
        let ends = SIMD2(Double(movement.start), Double(movement.start + movement.frames))
        cut(
            movement, from: 0, to: movement.frames, ends: SIMD2(movement.value(at: ends.x), movement.value(at: ends.y)) * scale,
            until: limit, into: &result)
    }

    /// The most frames of a piece by degree: its highest difference is rounded to 2^-64 cycle, and that error grows with the frames of the
    /// piece. With these it stays below 3e-6 Hz, or 2e-8 cycles.
    private func longest(degree: Int) -> Int64 {
        switch (source, degree) {
        case (_, 1): 1 << 31
        case (.frequency, 2): 1 << 16
        case (.frequency, _): 1600
        case (.degrees, 2): 1 << 20
        case (.degrees, _): 1 << 14
        }
    }

    /// Below twice this many frames a piece is not cut further, even where the course bends.
    private static let shortestPiece: Int64 = 8

    /// - Parameters:
    ///   - ends: The values at both ends, which neighbouring stretches share.
    ///   - isSmooth: Whether a longer stretch that this one is a part of stays near one parabola, so that one fits here.
    private func cut(
        _ movement: Movement, from: Int64, to: Int64, ends: SIMD2<Double>, isSmooth: Bool = false, until limit: Int64,
        into result: inout [PhasePiece]
    ) {
        let start = movement.start + from
        guard start < limit else { return }
        let length = to - from
        func value(_ t: Double) -> Double { movement.value(at: Double(start) + t * Double(length)) * scale }
        let isGliding = if case .gliding = movement.shape { true } else { false }
        let tolerance = isGliding ? self.tolerance / 10 : self.tolerance
        var checked = CheckedValues()
        func fits(_ c: SIMD4<Double>, within tolerance: Double) -> Bool {
            for index in PhaseCutter.checks.indices {
                let t = PhaseCutter.checks[index]
                guard abs(((c[3] * t + c[2]) * t + c[1]) * t + c[0] - checked.value(index, value)) <= tolerance else { return false }
            }
            return true
        }
        func parabola() -> SIMD4<Double> { PhaseCutter.parabola(ends, middle: checked.value(0, value)) }
        for degree in 1...3 where length <= longest(degree: degree) {
            let polynomial =
                switch degree {
                case 1: SIMD4(ends.x, ends.y - ends.x, 0, 0)
                case 2: parabola()
                default:
                    Polynomial(nodes: PhaseCutter.cubicNodes) { t in t == 0 ? ends.x : t == 1 ? ends.y : value(t) }.coefficients.lowHalf
                }
            if degree == 2 && isSmooth || fits(polynomial, within: tolerance) || degree == 3 && length < 2 * PhaseCutter.shortestPiece {
                // Scale the coefficients from t = 0...1 to frames.
                let frames = Double(length)
                append(polynomial * SIMD4(1, 1 / frames, 1 / frames / frames, 1 / frames / frames / frames), at: start, into: &result)
                result[result.count - 1].isBrief = degree == 3 && length < NodeGrid.frames
                if isGliding { meet(mean(value) * frames, in: length, &result[result.count - 1].differences) }
                if doubles { result[result.count - 1].differences.double() }
                return
            }
        }
        let middle = NodeGrid.middle(from: start, to: start + length) - movement.start
        let between = movement.value(at: Double(movement.start + middle)) * scale
        // Most pieces of a slow move are short for their rounding errors alone. Where a course stays so near a parabola, those through three of
        // its points in either half differ from it by at most 2.25 times as much.
        let fitsHalves = isSmooth || length > longest(degree: 2) && fits(parabola(), within: tolerance / 4)
        cut(movement, from: from, to: middle, ends: SIMD2(ends.x, between), isSmooth: fitsHalves, until: limit, into: &result)
        cut(movement, from: middle, to: to, ends: SIMD2(between, ends.y), isSmooth: fitsHalves, until: limit, into: &result)
    }

    /// The coefficients of the parabola through both ends and the middle.
    private static func parabola(_ ends: SIMD2<Double>, middle: Double) -> SIMD4<Double> {
        let (first, second) = ((middle - ends.x) / 0.5, (ends.y - middle) / 0.5)
        let bend = second - first
        return SIMD4(ends.x, first - bend * 0.5, bend, 0)
    }

    /// Values at the checks of a stretch, each computed once: an easing costs more than all else.
    private struct CheckedValues {
        private var values = InlineArray<7, Double>(repeating: 0)
        private var known = 0

        @inline(__always)
        mutating func value(_ index: Int, _ compute: (Double) -> Double) -> Double {
            if known & 1 << index == 0 {
                values[index] = compute(PhaseCutter.checks[index])
                known |= 1 << index
            }
            return values[index]
        }
    }

    /// Changes the frequency of a piece so that its phase advances by `cycles` in `length` frames. An exponential is not a polynomial, and
    /// highest differences are rounded: without this, the errors of the pieces would add up in the phase.
    private func meet(_ cycles: Double, in length: Int64, _ differences: inout PhaseDifferences) {
        let advance = differences.advanced(by: length).phase &- differences.phase
        let error = Int64(bitPattern: fixedPoint(cycles) &- advance)
        differences.d1 &+= UInt64(bitPattern: error / length)
    }

    /// The mean over 0...1, exact for polynomials up to the ninth degree (Gauss-Legendre quadrature with five nodes, Abramowitz and Stegun,
    /// table 25.4).
    private func mean(_ value: (Double) -> Double) -> Double {
        PhaseCutter.quadrature.reduce(0) { $0 + $1.weight * (value(0.5 - $1.distance) + value(0.5 + $1.distance)) } / 2
    }

    /// Half the weight of the middle node, which stands for both of its sides.
    private static let quadrature: [(distance: Double, weight: Double)] = [
        (0, 0.284_444_444_444_444_4), (0.269_234_655_052_841_5, 0.478_628_670_499_366_5), (0.453_089_922_969_332, 0.236_926_885_056_189_1),
    ]

    /// The extrema of a Chebyshev polynomial, both ends among them.
    private static let cubicNodes: [Double] = [0, 0.25, 0.75, 1]
    /// The middle first: a straight line has its largest error there, and a parabola goes through it.
    private static let checks: InlineArray<7, Double> = [0.5, 0.07, 0.15, 0.37, 0.61, 0.86, 0.94]

    /// Appends a piece in which the value is a polynomial of the frame k (from the lowest power up).
    private func append(_ c: SIMD4<Double>, at start: Int64, into result: inout [PhasePiece]) {
        var differences: PhaseDifferences
        switch source {
        case .frequency:
            // The phase is the integral from 0 to k of the frequency, not the sum of its values, so that a glide has no lag. In terms of
            // binomials, k^2 = 2C2 + k, k^3 = 6C3 + 6C2 + k, k^4 = 24C4 + 36C3 + 14C2 + k.
            differences = PhaseDifferences(
                d1: fixedPoint(c[0] + c[1] / 2 + c[2] / 3 + c[3] / 4),
                d2: fixedPoint(c[1] + 2 * c[2] + 3.5 * c[3]),
                d3: fixedPoint(2 * c[2] + 9 * c[3]),
                d4: fixedPoint(6 * c[3]))
            if let last = result.last {
                differences.phase = last.differences.advanced(by: start - last.start).phase
            }
        case .degrees:
            differences = PhaseDifferences(
                phase: fixedPoint(c[0]),
                d1: fixedPoint(c[1] + c[2] + c[3]),
                d2: fixedPoint(2 * c[2] + 6 * c[3]),
                d3: fixedPoint(6 * c[3]))
        }
        result.append(PhasePiece(start: start, differences: differences))
    }
}

extension PhaseDifferences {
    /// Doubles its speed; its phase stays, which continues that of a piece that has been doubled.
    fileprivate mutating func double() {
        d1 &+= d1
        d2 &+= d2
        d3 &+= d3
        d4 &+= d4
    }
}

/// Cycles in units of 2^-64, whole cycles dropped. A `Double` in 0..<1 loses nothing; the result is exact to 2^-64 or to the 53 bits of
/// the argument.
func fixedPoint(_ cycles: Double) -> UInt64 {
    let magnitude = cycles.magnitude
    // Most are below a cycle, and to round down is a call on a baseline processor.
    let fraction = magnitude < 1 ? magnitude : magnitude - magnitude.rounded(.down)
    let scaled = UInt64((fraction * 0x1p64).rounded())
    return cycles < 0 ? 0 &- scaled : scaled
}
