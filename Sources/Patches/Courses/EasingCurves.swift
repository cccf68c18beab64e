/// The curves themselves, after Robert Penner, "Motion, Tweening, and Easing" (2002), chapter 7.
extension Easing {
    /// The progress of a move at `t`, the fraction of its time that has passed.
    ///
    /// Exactly 0 for t <= 0 (and for NaN), exactly 1 for t >= 1; between them within 1e-12 of Penner's formula, and the same bits on
    /// every system. Back and elastic leave 0...1 on their way. Expo is shifted and scaled to reach 0 and 1, which Penner's misses by
    /// 2^-10; elastic is left as it is and has a step of at most 2^-11 at its quiet end (at both ends for `elasticInOut`).
    package func value(at t: Double) -> Double {
        guard t > 0 else { return 0 }
        guard t < 1 else { return 1 }
        return switch self {
        case .linear: t
        case .sineIn: 1 - PortableMath.sine(turns: (1 - t) / 4)
        case .sineOut: PortableMath.sine(turns: t / 4)
        case .sineInOut: (1 - PortableMath.sine(turns: 0.25 - t / 2)) / 2
        case .quadIn, .cubicIn, .quartIn, .quintIn, .expoIn, .circIn, .backIn, .elasticIn: rise(t)
        case .quadOut, .cubicOut, .quartOut, .quintOut, .expoOut, .circOut, .backOut, .elasticOut: 1 - rise(1 - t)
        case .quadInOut, .cubicInOut, .quartInOut, .quintInOut, .expoInOut, .circInOut, .backInOut, .elasticInOut:
            t < 0.5 ? rise(2 * t) / 2 : 1 - rise(2 - 2 * t) / 2
        case .bounceIn: 1 - Self.bounce(1 - t)
        case .bounceOut: Self.bounce(t)
        case .bounceInOut: t < 0.5 ? (1 - Self.bounce(1 - 2 * t)) / 2 : (1 + Self.bounce(2 * t - 1)) / 2
        }
    }

    /// Points between 0 and 1 at which the curve is not smooth (one of its derivatives jumps), ascending.
    ///
    /// Between two of them, and up to the ends, a curve may be approximated by polynomials; across one it may not. Circ has an infinite
    /// slope at its steep end (1 for in, 0 for out, 0.5 for inOut).
    package var breakpoints: [Double] {
        switch self {
        case .quadInOut, .cubicInOut, .quartInOut, .quintInOut, .expoInOut, .circInOut, .backInOut, .elasticInOut: [0.5]
        case .bounceOut: Self.bounceEnds
        case .bounceIn: Self.bounceEnds.reversed().map { 1 - $0 }
        case .bounceInOut:
            Self.bounceEnds.reversed().map { (1 - $0) / 2 } + [0.5] + Self.bounceEnds.map { (1 + $0) / 2 }
        default: []
        }
    }

    /// The in curve of a family; its out and inOut are the same curve reversed.
    private func rise(_ t: Double) -> Double {
        switch self {
        case .quadIn, .quadOut, .quadInOut: return t * t
        case .cubicIn, .cubicOut, .cubicInOut: return t * t * t
        case .quartIn, .quartOut, .quartInOut: return (t * t) * (t * t)
        case .quintIn, .quintOut, .quintInOut: return (t * t) * (t * t) * t
        case .expoIn, .expoOut, .expoInOut: return (PortableMath.exp2(10 * t) - 1) / 1023
        case .circIn, .circOut, .circInOut: return 1 - (1 - t * t).squareRoot()
        case .backIn, .backOut: return Self.back(t, overshoot: 1.70158)
        case .backInOut: return Self.back(t, overshoot: 1.70158 * 1.525)
        case .elasticIn, .elasticOut: return Self.elastic(t, period: 0.3)
        case .elasticInOut: return Self.elastic(t, period: 0.3 * 1.5)
        default: return t
        }
    }

    private static func back(_ t: Double, overshoot s: Double) -> Double {
        t * t * ((s + 1) * t - s)
    }

    /// A sine wave of `period` under an exponential, a quarter period out so that it ends on its crest.
    private static func elastic(_ t: Double, period: Double) -> Double {
        -PortableMath.exp2(10 * (t - 1)) * PortableMath.sine(turns: (t - 1 - period / 4) / period)
    }

    /// Times at which one bounce ends and the next begins.
    private static let bounceEnds = [1 / 2.75, 2 / 2.75, 2.5 / 2.75]

    /// Four parabolas, each with its crest at 1.
    private static func bounce(_ t: Double) -> Double {
        let (centre, height) =
            switch t * 2.75 {
            case ..<1: (0.0, 0.0)
            case ..<2: (1.5 / 2.75, 0.75)
            case ..<2.5: (2.25 / 2.75, 0.9375)
            default: (2.625 / 2.75, 0.984375)
            }
        return 7.5625 * (t - centre) * (t - centre) + height
    }
}
