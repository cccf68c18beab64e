import Patches
import Synthesis

/// The conversion of a parameter's value for rendering.
enum ValueLaw: Equatable, Sendable {
    case identity
    /// Level in dB to linear gain. Exactly 0 at -120 and below; between -120 and -119 it leaves the law smoothly to get there. Above 0 dB,
    /// where easings may lead it, it levels off at 6 dB.
    case decibels
    /// A gain that is linear already; it levels off beyond 1, at 2.
    case amplitude
    /// Balance -1...1 to the gain of an ear: 1 up to the middle, from there down to 0 as smootherstep, so that nothing kinks.
    case leftBalance, rightBalance
    /// Width 0...1 to an ear's share of its own tone and of the other one; together 1. Easings may lead it to -1 and 2.
    case ownTone, otherTone
    /// Correlation 0...1 to the shares of the left ear's noise and of a second noise in the right ear; their squares add up to 1.
    case sharedNoise, ownNoise
    /// Microseconds to frames.
    case lateness(sampleRate: Double)
    /// Seconds to frames.
    case duration(sampleRate: Double)
    /// Seconds of a pulse's edge to multiples of the usual 20 ms.
    case edgeScale
    /// Degrees between the ears to cycles at each.
    case phaseShift
    /// Pulse rate in Hz to the fraction of a period that 20 ms take.
    case pulseEdge
    /// A sum of levels, divided by the ceiling, to the gain that keeps it under the ceiling.
    case reciprocal

    func callAsFunction(_ value: Double) -> Double {
        switch self {
        case .identity: value
        case .decibels:
            value <= Parameter.off
                ? 0
                : PortableMath.exp2(levelled(value, above: 0, over: 12) * ValueLaw.log2PerDecibel)
                    * smootherstep(value - Parameter.off)
        case .amplitude: value < 0 ? -levelled(-value, above: 1, over: 2) : levelled(value, above: 1, over: 2)
        case .leftBalance: 1 - smootherstep(value)
        case .rightBalance: 1 - smootherstep(-value)
        case .ownTone: (1 + min(max(value, -1), 2)) / 2
        case .otherTone: (1 - min(max(value, -1), 2)) / 2
        case .sharedNoise: min(max(value, 0), 1)
        case .ownNoise: (1 - min(max(value * value, 0), 1)).squareRoot()
        case .lateness(let sampleRate): value * 1e-6 * sampleRate
        case .duration(let sampleRate): value * sampleRate
        case .edgeScale: value / 0.02
        case .phaseShift: value / 720
        case .pulseEdge: 0.02 * value
        case .reciprocal: 1 / max(value, 0.5)
        }
    }

    /// log2(10) / 20
    private static let log2PerDecibel = 0.16609640474436811739
}

/// The smootherstep of `t` limited to 0...1.
func smootherstep(_ t: Double) -> Double { PortableMath.smootherstep(min(max(t, 0), 1)) }

/// `value` up to `limit`; beyond it, levels off within a stretch of `width` at half of that above the limit, with continuous slope and
/// curvature at both ends: t - t^3 + t^4/2.
private func levelled(_ value: Double, above limit: Double, over width: Double) -> Double {
    guard value > limit else { return value }
    let t = min((value - limit) / width, 1)
    return limit + width * (t - t * t * t + t * t * t * t / 2)
}

/// Cuts the course of a value into polynomials of fifth degree.
struct ValueCutter {
    let law: ValueLaw

    /// Adds the pieces of a movement that begin before `limit`.
    func pieces(of movement: Movement, until limit: Int64, into result: inout [ValuePiece]) {
        guard movement.isMoving else {
            result.append(ValuePiece(start: movement.start, constant: Float(law(movement.value(at: Double(movement.start))))))
            return
        }
        cut(movement, from: 0, to: movement.frames, until: limit, into: &result)
    }

    /// Largest error of a piece, as a fraction of the value and of full scale. `Float` does not resolve much less.
    private static let relativeTolerance = 1e-7
    private static let absoluteTolerance = 1e-9
    /// A `Float` counts frames up to 2^24.
    private static let longestPiece: Int64 = 1 << 22
    /// Below twice this many frames a piece is not cut further, even where the course bends.
    private static let shortestPiece: Int64 = 8

    private func cut(_ movement: Movement, from: Int64, to: Int64, until limit: Int64, into result: inout [ValuePiece]) {
        guard movement.start + from < limit else { return }
        let length = Double(to - from)
        func value(_ t: Double) -> Double { law(movement.value(at: Double(movement.start + from) + t * length)) }
        var size = 0.0
        let polynomial = Polynomial { t in
            let value = value(t)
            size = max(size, abs(value))
            return value
        }
        let tolerance = ValueCutter.absoluteTolerance + ValueCutter.relativeTolerance * size
        let isShort = to - from < 2 * ValueCutter.shortestPiece
        // Large coefficients that cancel each other would lose the digits of a `Float`.
        let isTame = polynomial.variation <= 2 * size
        let fits =
            isTame && to - from <= ValueCutter.longestPiece
            && Polynomial.checks.allSatisfy { abs(polynomial($0) - value($0)) <= tolerance }
        if fits || isShort {
            result.append(ValuePiece(start: movement.start + from, inverseLength: Float(1 / length), polynomial))
        } else {
            let middle = NodeGrid.middle(from: movement.start + from, to: movement.start + to) - movement.start
            cut(movement, from: from, to: middle, until: limit, into: &result)
            cut(movement, from: middle, to: to, until: limit, into: &result)
        }
    }
}

extension ValuePiece {
    /// A piece in which a polynomial of fifth degree runs from t = 0 to 1.
    init(start: Int64, inverseLength: Float, _ polynomial: Polynomial) {
        let c = SIMD8<Float>(polynomial.coefficients)
        self.init(start: start, inverseLength: inverseLength, c[0], c[1], c[2], c[3], c[4], c[5])
    }
}
