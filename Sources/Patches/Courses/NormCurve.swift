extension NormCurve {
    /// The value at `norm`, clamped to 0...1 (NaN is 0), in the unit of the parameter.
    package func value(atNorm norm: Double) -> Double {
        let n = norm > 0 ? min(norm, 1) : 0
        switch self {
        case .linear(let range):
            return n == 1 ? range.upperBound : range.lowerBound + n * (range.upperBound - range.lowerBound)
        case .exponential(let range):
            if n == 0 { return range.lowerBound }
            if n == 1 { return range.upperBound }
            return range.lowerBound * PortableMath.exp2(n * PortableMath.log2(range.upperBound / range.lowerBound))
        case .fader(let range):
            if n == 0 { return Parameter.off }
            return n == 1 ? range.upperBound : range.lowerBound + n * (range.upperBound - range.lowerBound)
        case .time(let range): return n == 0 ? 0 : NormCurve.exponential(range).value(atNorm: n)
        }
    }

    /// The position of `value` on 0...1; beyond the curve's range the nearer end (NaN is 0). The inverse of ``value(atNorm:)``, except that
    /// a fader at its lowest audible level reads 0, which is off. A time above 0 never reads 0, however short it is.
    package func norm(of value: Double) -> Double {
        switch self {
        case .linear(let range), .fader(let range):
            guard value > range.lowerBound else { return 0 }
            guard value < range.upperBound else { return 1 }
            return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        case .time(let range):
            return value > 0 ? max(Self.shortestTime, NormCurve.exponential(range).norm(of: value)) : 0
        case .exponential(let range):
            guard value > range.lowerBound else { return 0 }
            guard value < range.upperBound else { return 1 }
            return PortableMath.log2(value / range.lowerBound) / PortableMath.log2(range.upperBound / range.lowerBound)
        }
    }
}

extension NormCurve {
    /// The lowest position of a time above 0.
    private static let shortestTime = 0.001
}

extension ParameterDescription {
    /// The value at `norm` of the parameter's fader, within ``range`` (the fader of a pulse rate begins below it).
    package func value(atNorm norm: Double) -> Double {
        clamped(self.norm.value(atNorm: norm))
    }

    /// The nearest value within the range; the default for NaN.
    package func clamped(_ value: Double) -> Double {
        value.isNaN ? defaultValue : min(max(value, range.lowerBound), range.upperBound)
    }
}
