import Foundation
import Patches
import Testing

@Suite("Easing curves") struct EasingTests {
    @Test("every curve is exactly 0 at 0 and before, exactly 1 at 1 and after", arguments: Easing.allCases)
    func ends(easing: Easing) {
        for t in [0, -0.0, -1, -.infinity, .nan] { #expect(easing.value(at: t) == 0, "at \(t)") }
        for t in [1, 2, .infinity] { #expect(easing.value(at: t) == 1, "at \(t)") }
    }

    @Test("every curve is within 1e-12 of the formula computed with libm", arguments: Easing.allCases)
    func followsFormula(easing: Easing) {
        var worst = 0.0
        for step in 1..<10_000 {
            let t = Double(step) / 10_000
            worst = max(worst, abs(easing.value(at: t) - reference(easing, t)))
        }
        #expect(worst < 1e-12, "differs by \(worst)")
    }

    @Test("every curve is within 1e-12 of the formula computed with 50 digits", arguments: Easing.allCases)
    func followsDecimals(easing: Easing) throws {
        let values = try #require(EasingValues.values[easing.rawValue])
        #expect(values.count == EasingValues.times.count)
        for (time, value) in zip(EasingValues.times, values) {
            let difference = abs(easing.value(at: time) - value)
            #expect(difference < 1e-12, "at \(time) by \(difference)")
        }
    }

    @Test("there are 31 curves, each different from the others")
    func count() {
        #expect(Easing.allCases.count == 31)
        let shapes = Set(Easing.allCases.map { easing in [0.1, 0.3, 0.7].map { easing.value(at: $0) } })
        #expect(shapes.count == 31)
    }

    @Test("no curve steps by more than its steepest slope allows, except for elastic's own step", arguments: Easing.allCases)
    func continuity(easing: Easing) {
        // Steepest: circ, whose slope is infinite at one end: sqrt(2h) over a step h.
        let step = 1e-6
        for n in 0..<1_000_000 where n % 97 == 0 || n < 100 || n > 999_900 || abs(n - 500_000) < 100 {
            let t = Double(n) * step
            let difference = abs(easing.value(at: t + step) - easing.value(at: t))
            #expect(difference < 0.0015, "at \(t)")
        }
    }

    @Test("breakpoints are in order, inside the range, and each marks a jump of some derivative", arguments: Easing.allCases)
    func breakpoints(easing: Easing) {
        let points = easing.breakpoints
        #expect(points == points.sorted())
        #expect(points.allSatisfy { $0 > 0 && $0 < 1 })
        if "\(easing)".hasPrefix("bounce") {
            for point in points where point != 0.5 || easing != .bounceInOut {
                let h = 1e-6
                let left = (easing.value(at: point) - easing.value(at: point - h)) / h
                let right = (easing.value(at: point + h) - easing.value(at: point)) / h
                #expect(abs(left - right) > 1, "no kink at \(point)")
            }
            // And nowhere else: away from them the second difference is that of a parabola (at half the time, half the height, twice it).
            var previous = 0.0
            for n in 1..<1000 {
                let t = Double(n) / 1000
                defer { previous = t }
                guard !points.contains(where: { $0 > previous - 0.001 && $0 < t + 0.001 }) else { continue }
                let curvature = easing.value(at: t + 0.0005) - 2 * easing.value(at: t) + easing.value(at: t - 0.0005)
                #expect(abs(curvature) < 2.1 * 7.5625 * 2 * 0.0005 * 0.0005, "kink at \(t)")
            }
        }
    }
}

/// Penner's formulas as he wrote them, t from 0 to 1, with the system's own functions.
private func reference(_ easing: Easing, _ t: Double) -> Double {
    func bounceOut(_ t: Double) -> Double {
        if t < 1 / 2.75 { return 7.5625 * t * t }
        if t < 2 / 2.75 { return 7.5625 * pow(t - 1.5 / 2.75, 2) + 0.75 }
        if t < 2.5 / 2.75 { return 7.5625 * pow(t - 2.25 / 2.75, 2) + 0.9375 }
        return 7.5625 * pow(t - 2.625 / 2.75, 2) + 0.984375
    }
    func power(_ n: Double) -> Double { t < 0.5 ? pow(2 * t, n) / 2 : 1 - pow(2 - 2 * t, n) / 2 }
    let s = 1.70158
    let low = pow(2, -10.0)
    func expoIn(_ t: Double) -> Double { (pow(2, 10 * (t - 1)) - low) / (1 - low) }
    let u = 2 * t
    switch easing {
    case .linear: return t
    case .sineIn: return -cos(t * .pi / 2) + 1
    case .sineOut: return sin(t * .pi / 2)
    case .sineInOut: return -0.5 * (cos(.pi * t) - 1)
    case .quadIn: return t * t
    case .quadOut: return -t * (t - 2)
    case .quadInOut: return power(2)
    case .cubicIn: return pow(t, 3)
    case .cubicOut: return pow(t - 1, 3) + 1
    case .cubicInOut: return power(3)
    case .quartIn: return pow(t, 4)
    case .quartOut: return -(pow(t - 1, 4) - 1)
    case .quartInOut: return power(4)
    case .quintIn: return pow(t, 5)
    case .quintOut: return pow(t - 1, 5) + 1
    case .quintInOut: return power(5)
    case .expoIn: return expoIn(t)
    case .expoOut: return 1 - expoIn(1 - t)
    case .expoInOut: return u < 1 ? expoIn(u) / 2 : 1 - expoIn(2 - u) / 2
    case .circIn: return -(sqrt(1 - t * t) - 1)
    case .circOut: return sqrt(1 - (t - 1) * (t - 1))
    case .circInOut: return u < 1 ? -0.5 * (sqrt(1 - u * u) - 1) : 0.5 * (sqrt(1 - (u - 2) * (u - 2)) + 1)
    case .backIn: return t * t * ((s + 1) * t - s)
    case .backOut: return pow(t - 1, 2) * ((s + 1) * (t - 1) + s) + 1
    case .backInOut:
        let s = s * 1.525
        return u < 1 ? 0.5 * (u * u * ((s + 1) * u - s)) : 0.5 * (pow(u - 2, 2) * ((s + 1) * (u - 2) + s) + 2)
    case .elasticIn: return -(pow(2, 10 * (t - 1)) * sin((t - 1 - 0.3 / 4) * 2 * .pi / 0.3))
    case .elasticOut: return pow(2, -10 * t) * sin((t - 0.3 / 4) * 2 * .pi / 0.3) + 1
    case .elasticInOut:
        let wave = sin((u - 1 - 0.45 / 4) * 2 * .pi / 0.45)
        return u < 1 ? -0.5 * pow(2, 10 * (u - 1)) * wave : pow(2, -10 * (u - 1)) * wave * 0.5 + 1
    case .bounceIn: return 1 - bounceOut(1 - t)
    case .bounceOut: return bounceOut(t)
    case .bounceInOut: return t < 0.5 ? (1 - bounceOut(1 - 2 * t)) / 2 : bounceOut(2 * t - 1) / 2 + 0.5
    }
}
