import Patches

/// Value, slope (per frame) and curvature (per frame squared) of a parameter at a frame.
struct Motion: Equatable, Sendable {
    var value: Double
    var slope: Double = 0
    var curvature: Double = 0

    /// How far this slope and curvature can divert a movement of `frames` frames that takes them over: the maxima of the polynomials of
    /// fifth degree (of Hermite) that have one of them at their start.
    func lead(over frames: Double) -> Double { abs(slope) * frames / 5 + abs(curvature) * frames * frames / 57 }

    /// The most frames in which they divert a movement by no more than `distance`.
    func frames(leading distance: Double) -> Double {
        let (b, a) = (abs(slope) / 5, abs(curvature) / 57)
        let divisor = b + (b * b + 4 * a * distance).squareRoot()
        return divisor > 0 ? 2 * distance / divisor : .infinity
    }

    /// The motion with its value clamped to `bounds`, and limited so that it diverts a movement over `frames` by at most their width.
    func limited(to bounds: ClosedRange<Double>, over frames: Int64) -> Motion {
        var motion = limited(leading: bounds.upperBound - bounds.lowerBound, over: frames)
        motion.value = min(max(value, bounds.lowerBound), bounds.upperBound)
        return motion
    }

    /// The motion with slope and curvature reduced so that they divert a movement of `frames` frames by no more than `distance`.
    func limited(leading distance: Double, over frames: Int64) -> Motion {
        let share = distance / lead(over: Double(frames))
        return share < 1 ? Motion(value: value, slope: slope * share, curvature: curvature * share) : self
    }
}

/// A stretch of a parameter's course, up to where the next one begins. The last one keeps the value at its end.
struct Movement: Equatable, Sendable {
    /// First frame.
    var start: Int64
    /// Length in frames, after which the value stays constant; 0 if it does not move.
    var frames: Int64
    var shape: Shape

    enum Shape: Equatable, Sendable {
        case held(Double)
        /// Polynomial in u = 0...1 over the movement, from the lowest power up.
        case quintic(SIMD8<Double>)
        /// Frame k of it is frame `offset + k` of an easing over `total` frames.
        case eased(from: Double, to: Double, Easing, offset: Int64, total: Int64)
        /// The same, of a frequency whose ratio is eased.
        case gliding(Glissando, Easing, offset: Int64, total: Int64)
    }

    var end: Int64 { start + frames }
    var isMoving: Bool { frames > 0 }

    /// Length in frames of a polynomial; 0 for an easing, which may be arbitrarily steep.
    var smoothFrames: Int64 {
        if case .quintic = shape { frames } else { 0 }
    }

    /// Approximate distance between its highest and lowest value.
    var extent: Double {
        switch shape {
        case .held: return 0
        case .eased(let from, let to, _, _, _): return abs(to - from)
        case .gliding(let glissando, _, _, _): return abs(glissando.value(at: 1) - glissando.start)
        case .quintic:
            let values = (0...8).map { value(at: Double(start) + Double(frames) * Double($0) / 8) }
            return values.reduce(-.infinity, max) - values.reduce(.infinity, min)
        }
    }

    /// Elastic easings overshoot the most, by 0.37 of their distance.
    private static let overshoot = 0.4

    /// A range that contains all of its values.
    var bounds: ClosedRange<Double> {
        switch shape {
        case .held(let value): return .holding(value, value)
        case .quintic(let c): return Polynomial(coefficients: c).bounds
        case .eased(let from, let to, _, _, _):
            let beyond = Self.overshoot * abs(to - from)
            return .holding(min(from, to) - beyond, max(from, to) + beyond)
        case .gliding(let glissando, _, _, _):
            let (one, other) = (glissando.value(at: -Self.overshoot), glissando.value(at: 1 + Self.overshoot))
            return .holding(min(one, other), max(one, other))
        }
    }

    func value(at frame: Double) -> Double {
        switch shape {
        case .held(let value):
            return value
        case .quintic(let c):
            let u = min(max((frame - Double(start)) / Double(frames), 0), 1)
            return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5]))))
        case .eased(let from, let to, let easing, let offset, let total):
            return from + (to - from) * easing.value(at: progress(at: frame, offset, total))
        case .gliding(let glissando, let easing, let offset, let total):
            return glissando.value(at: easing.value(at: progress(at: frame, offset, total)))
        }
    }

    /// How much of an easing's time has passed, 0...1.
    private func progress(at frame: Double, _ offset: Int64, _ total: Int64) -> Double {
        let k = min(max(frame - Double(start), 0), Double(frames))
        return min((k + Double(offset)) / Double(total), 1)
    }

    func motion(at frame: Double) -> Motion {
        if frame >= Double(end) || !isMoving { return Motion(value: value(at: Double(end))) }
        switch shape {
        case .held(let value):
            return Motion(value: value)
        case .quintic(let c):
            let length = Double(frames)
            let u = max((frame - Double(start)) / length, 0)
            let slope = c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5])))
            let curvature = 2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5]))
            return Motion(value: value(at: frame), slope: slope / length, curvature: curvature / (length * length))
        case .eased(let from, let to, let easing, let offset, let total):
            let length = Double(total)
            guard let near = neighbourhood(of: easing, at: frame, offset, total) else { return Motion(value: value(at: frame)) }
            return Motion(
                value: from + (to - from) * easing.value(at: near.progress),
                slope: (to - from) * (near.after - near.before) / (2 * near.step) / length,
                curvature: (to - from) * (near.after - 2 * near.here + near.before) / (near.step * near.step) / (length * length))
        case .gliding(let glissando, let easing, let offset, let total):
            let length = Double(total)
            guard let near = neighbourhood(of: easing, at: frame, offset, total) else { return Motion(value: value(at: frame)) }
            let value = glissando.value(at: easing.value(at: near.progress))
            // With f = f0 exp(a e(u)): f' = f a e', f'' = f ((a e')² + a e'').
            let a = glissando.octaves * 0.693_147_180_559_945_309_4
            let first = a * (near.after - near.before) / (2 * near.step) / length
            let second = a * (near.after - 2 * near.here + near.before) / (near.step * near.step) / (length * length)
            return Motion(value: value, slope: value * first, curvature: value * (first * first + second))
        }
    }

    /// Three values of an easing for central differences at a frame, `step` apart; `nil` at the ends of the easing.
    private func neighbourhood(of easing: Easing, at frame: Double, _ offset: Int64, _ total: Int64)
        -> (progress: Double, step: Double, before: Double, here: Double, after: Double)?
    {
        let u = (max(frame - Double(start), 0) + Double(offset)) / Double(total)
        // The step balances the error of the differences against the rounding of the curve's value.
        let h = min(1e-4, u, 1 - u)
        guard h > 0 else { return nil }
        // At a kink there is no curvature: take slope and curvature beside it, before it if the frame is exactly on it.
        let kink = easing.breakpoints.first { abs($0 - u) < h }
        let middle = kink.map { u > $0 ? $0 + h : $0 - h } ?? u
        return (u, h, easing.value(at: middle - h), easing.value(at: middle), easing.value(at: middle + h))
    }

    /// The rest of the movement from a frame on.
    func suffix(from frame: Int64) -> Movement {
        let passed = frame - start
        guard passed > 0 else { return self }
        guard passed < frames else { return Movement(start: frame, frames: 0, shape: .held(value(at: Double(max(frame, end))))) }
        let rest = frames - passed
        switch shape {
        case .held: return Movement(start: frame, frames: rest, shape: shape)
        case .quintic(var c):
            // The same polynomial about another point (Horner's scheme, repeated), over a shorter stretch.
            let u = Double(passed) / Double(frames)
            for low in 0..<5 {
                for power in stride(from: 4, through: low, by: -1) { c[power] += u * c[power + 1] }
            }
            var scale = 1.0
            for power in 1...5 {
                scale *= 1 - u
                c[power] *= scale
            }
            return Movement(start: frame, frames: rest, shape: .quintic(c))
        case .eased(let from, let to, let easing, let offset, let total):
            return Movement(start: frame, frames: rest, shape: .eased(from: from, to: to, easing, offset: offset + passed, total: total))
        case .gliding(let glissando, let easing, let offset, let total):
            return Movement(start: frame, frames: rest, shape: .gliding(glissando, easing, offset: offset + passed, total: total))
        }
    }

    /// A movement from one motion to another over `frames`: a polynomial of fifth degree with value, slope and curvature of both.
    static func joining(_ a: Motion, _ b: Motion, start: Int64, frames: Int64) -> Movement {
        let n = Double(frames)
        let c1 = a.slope * n
        let c2 = a.curvature * n * n / 2
        let value = b.value - a.value - c1 - c2
        let slope = b.slope * n - c1 - 2 * c2
        let curvature = b.curvature * n * n - 2 * c2
        return Movement(
            start: start, frames: frames,
            shape: .quintic(
                SIMD8(
                    a.value, c1, c2,
                    10 * value - 4 * slope + curvature / 2,
                    -15 * value + 7 * slope - curvature,
                    6 * value - 3 * slope + curvature / 2,
                    0, 0)))
    }
}
