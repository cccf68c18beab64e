import Patches

/// The functions of SBaGenX's formulas.
enum CurveFunction: String, CaseIterable {
    case abs, acos, asin, atan, atan2, ceil, cos, cosh, e, exp, fac, floor, ln, log, log10, ncr, npr, pi, pow, sin, sinh, sqrt, tan, tanh
    case ifelse, step, clamp, lerp, ramp, smoothstep, smootherstep, between, pulse, seg, lt, le, gt, ge, eq, ne, min2, max2

    /// The number of arguments.
    var count: Int {
        switch self {
        case .e, .pi: 0
        case .abs, .acos, .asin, .atan, .ceil, .cos, .cosh, .exp, .fac, .floor, .ln, .log, .log10, .sin, .sinh, .sqrt, .tan, .tanh, .step: 1
        case .atan2, .ncr, .npr, .pow, .lt, .le, .gt, .ge, .eq, .ne, .min2, .max2: 2
        case .ifelse, .clamp, .lerp, .ramp, .smoothstep, .smootherstep, .between, .pulse: 3
        case .seg: 5
        }
    }

    /// Its approximate cost, in additions.
    var effort: Int {
        switch self {
        case .fac, .ncr, .npr: 100
        case .acos, .asin, .atan, .atan2, .cos, .cosh, .exp, .ln, .log, .log10, .pow, .sin, .sinh, .tan, .tanh: 10
        default: 3
        }
    }

    /// The value; infinite or NaN where the function is undefined. `x` has ``count`` numbers.
    func value(_ x: [Double]) -> Double {
        func truth(_ isTrue: Bool) -> Double { isTrue ? 1 : 0 }
        switch self {
        case .e: return 2.718281828459045
        case .pi: return .pi
        case .abs: return Swift.abs(x[0])
        case .ceil: return x[0].rounded(.up)
        case .floor: return x[0].rounded(.down)
        case .sqrt: return x[0].squareRoot()
        case .sin: return CurveMath.sine(x[0])
        case .cos: return CurveMath.sine(x[0] + .pi / 2)
        case .tan: return CurveMath.sine(x[0]) / CurveMath.sine(x[0] + .pi / 2)
        case .asin: return CurveMath.arcsine(x[0])
        case .acos: return .pi / 2 - CurveMath.arcsine(x[0])
        case .atan: return CurveMath.arctangent(x[0])
        case .atan2: return CurveMath.arctangent(x[0], x[1])
        case .exp: return CurveMath.exponential(x[0])
        case .sinh: return (CurveMath.exponential(x[0]) - CurveMath.exponential(-x[0])) / 2
        case .cosh: return (CurveMath.exponential(x[0]) + CurveMath.exponential(-x[0])) / 2
        case .tanh:
            let power = CurveMath.exponential(min(max(2 * x[0], -80), 80))
            return (power - 1) / (power + 1)
        case .ln: return CurveMath.logarithm(x[0])
        case .log, .log10: return CurveMath.logarithm(x[0]) / 2.302585092994046
        case .pow: return CurveMath.power(x[0], x[1])
        case .fac: return CurveMath.product(from: 1, to: x[0])
        case .npr: return x[1] > x[0] || x[1] < 0 ? .nan : CurveMath.product(from: x[0] - x[1] + 1, to: x[0])
        case .ncr:
            return x[1] > x[0] || x[1] < 0
                ? .nan : CurveMath.product(from: x[0] - x[1] + 1, to: x[0]) / CurveMath.product(from: 1, to: x[1])
        case .ifelse: return x[0] != 0 ? x[1] : x[2]
        case .step: return truth(x[0] >= 0)
        case .clamp: return min(max(x[0], min(x[1], x[2])), max(x[1], x[2]))
        case .lerp: return x[0] + (x[1] - x[0]) * x[2]
        case .ramp: return CurveMath.part(x[0], x[1], x[2])
        case .smoothstep:
            let t = CurveMath.part(x[2], x[0], x[1])
            return t * t * (3 - 2 * t)
        case .smootherstep: return PortableMath.smootherstep(CurveMath.part(x[2], x[0], x[1]))
        case .between, .pulse: return truth(x[0] >= x[1] && x[0] <= x[2])
        case .seg: return x[3] + (x[4] - x[3]) * CurveMath.part(x[0], x[1], x[2])
        case .lt: return truth(x[0] < x[1])
        case .le: return truth(x[0] <= x[1])
        case .gt: return truth(x[0] > x[1])
        case .ge: return truth(x[0] >= x[1])
        case .eq: return truth(x[0] == x[1])
        case .ne: return truth(x[0] != x[1])
        case .min2: return min(x[0], x[1])
        case .max2: return max(x[0], x[1])
        }
    }
}

/// Functions with the same bits on every machine. What cannot be computed is not a number.
enum CurveMath {
    private static let log2e = 1.442695040888963407

    static func exponential(_ x: Double) -> Double { PortableMath.exp2(x * log2e) }

    static func logarithm(_ x: Double) -> Double { x < 0 ? .nan : PortableMath.log2(x) / log2e }

    /// Accurate to 1e-12 for angles of up to some thousand turns; not a number where turns are lost in the last digit.
    static func sine(_ angle: Double) -> Double {
        guard abs(angle) < 0x1p53 else { return .nan }
        let turns = angle / (2 * .pi)
        return PortableMath.sine(turns: turns - turns.rounded())
    }

    static func power(_ base: Double, _ exponent: Double) -> Double {
        if exponent == 0 { return 1 }
        if base == 0 { return exponent > 0 ? 0 : .infinity }
        let power = PortableMath.exp2(exponent * PortableMath.log2(abs(base)))
        // Small whole numbers come out exactly.
        let size =
            exponent == exponent.rounded() && abs(power) < 0x1p52 && abs(base) == abs(base).rounded() && exponent > 0
            ? power.rounded() : power
        guard base < 0 else { return size }
        guard exponent == exponent.rounded(), abs(exponent) < 0x1p53 else { return .nan }
        return exponent.truncatingRemainder(dividingBy: 2) == 0 ? size : -size
    }

    static func arcsine(_ x: Double) -> Double {
        abs(x) > 1 ? .nan : arctangent(x, ((1 - x) * (1 + x)).squareRoot())
    }

    /// The angle of the point (x, y), -π...π.
    static func arctangent(_ y: Double, _ x: Double) -> Double {
        if x > 0 { return arctangent(y / x) }
        if x == 0 { return y == 0 ? 0 : y > 0 ? .pi / 2 : -.pi / 2 }
        return arctangent(y / x) + (y < 0 ? -.pi : .pi)
    }

    /// Halved three times, then the series of Gregory up to the 23rd power.
    static func arctangent(_ x: Double) -> Double {
        guard x.isFinite else { return x.isNaN ? .nan : x > 0 ? .pi / 2 : -.pi / 2 }
        if abs(x) > 1 { return (x > 0 ? .pi / 2 : -.pi / 2) - arctangent(1 / x) }
        var t = x
        for _ in 0..<3 { t /= 1 + (1 + t * t).squareRoot() }
        let square = t * t
        var series = 0.0
        for n in stride(from: 23, through: 1, by: -2) { series = (n % 4 == 1 ? 1 : -1) / Double(n) + square * series }
        return 8 * t * series
    }

    /// The remainder of a division towards 0; not a number where the quotient has no whole part.
    static func remainder(_ a: Double, _ b: Double) -> Double {
        let quotient = a / b
        return abs(quotient) < 0x1p53 ? a - b * quotient.rounded(.towardZero) : .nan
    }

    /// The product of the whole numbers from one to another; not a number for others, and beyond 170!.
    static func product(from first: Double, to last: Double) -> Double {
        guard first == first.rounded(), last == last.rounded(), last >= 0, last - first < 171, last < 1e15 else { return .nan }
        return stride(from: first, through: last, by: 1).reduce(1) { $0 * $1 }
    }

    /// How far `x` is from one value to another, 0...1; a step where they are equal.
    static func part(_ x: Double, _ from: Double, _ to: Double) -> Double {
        from == to ? (x >= from ? 1 : 0) : min(max((x - from) / (to - from), 0), 1)
    }
}
