// Render thread: what the ears hear of a sound that circles the head.

/// The levels and the low-pass of a sound around the head; their memory is owned elsewhere.
package struct OrbitShape: BitwiseCopyable {
    /// The level of an ear for places from the other side of the head, -``widest``, to its own side, in steps of 1/``steps``.
    private let levels: UnsafePointer<Float>
    /// The frames by which the low-pass delays the lowest frequencies, for cutoffs from ``lowest`` on in steps of ``step`` Hz.
    private let delays: UnsafePointer<Float>
    /// The largest delay of an ear at distance 1, in frames.
    private let delay: Float

    package init(levels: UnsafePointer<Float>, delays: UnsafePointer<Float>, delay: Float) {
        self.levels = levels
        self.delays = delays
        self.delay = delay
    }

    // The constants are those of SBaGenX's `orbitbeat`.
    package static var widest: Float { @_noLocks @_noAllocation get { 1.45 } }
    package static var steps: Float { @_noLocks @_noAllocation get { 1024 } }
    package static var lowest: Float { @_noLocks @_noAllocation get { 4500 } }
    package static var highest: Float { @_noLocks @_noAllocation get { 18_000 } }
    package static var step: Float { @_noLocks @_noAllocation get { 16 } }

    /// The sound of one ear.
    package struct Ear: BitwiseCopyable {
        /// Frames by which the sound is late.
        package var lateness: UnsafeMutablePointer<Float>
        package var levels: UnsafeMutablePointer<Float>

        @_noLocks @_noAllocation
        package init(lateness: UnsafeMutablePointer<Float>, levels: UnsafeMutablePointer<Float>) {
            self.lateness = lateness
            self.levels = levels
        }
    }

    /// Fills in what both ears hear of a tone.
    ///
    /// The low-pass has the phase and the level that it has at the tone's frequency. All buffers are readable and writable up to the next multiple
    /// of 8.
    ///
    /// - Parameters:
    ///   - sines: The sines of the azimuth: 0 in front, 1 right, -1 left.
    ///   - cosines: Its cosines.
    ///   - distances: From 0.25 to 10; they are limited to that.
    ///   - isSteady: Whether all frames have the first distance.
    @_noLocks @_noAllocation
    package func fill(
        _ left: Ear, _ right: Ear, count: Int, sines: UnsafePointer<Float>, cosines: UnsafePointer<Float>, distances: UnsafePointer<Float>,
        isSteady: Bool, carrier: PhaseDifferences
    ) {
        var carrier = carrier
        let isSteadyTone = carrier.d2 | carrier.d3 | carrier.d4 == 0
        var (place, tone) = (Place(distance: Eight(repeating: distances[0])), Tone(angle: Eight(repeating: carrier.halfAngle)))
        var i = 0
        while i < count {
            if !isSteady { place = Place(distance: load(distances, at: i)) }
            if !isSteadyTone { tone = Tone(angle: carrier.nextHalfAngles()) }
            let sine = limited(load(sines, at: i), -1, 1)
            let side = sine * place.closeness
            let behind = limited(-load(cosines, at: i), 0, 1)
            let cutoff = limited(place.cutoff - 8500 * behind, OrbitShape.lowest, OrbitShape.highest)
            let (late, gain) = tone.passed(delay: values(delays, at: (cutoff - OrbitShape.lowest) * (1 / OrbitShape.step)))
            let passed = place.loudness * gain
            let reach = place.closeness * OrbitShape.magnitude(sine)
            store(late + 0.5 * delay * (reach + side), to: left.lateness, at: i)
            store(late + 0.5 * delay * (reach - side), to: right.lateness, at: i)
            store(passed * values(levels, at: (OrbitShape.widest - side) * OrbitShape.steps), to: left.levels, at: i)
            store(passed * values(levels, at: (OrbitShape.widest + side) * OrbitShape.steps), to: right.levels, at: i)
            i &+= 8
        }
    }

    /// The magnitude of a number with its corner at 0 rounded, by a polynomial with the same value, slope and curvature where it begins and ends: where the sound
    /// passes the front and the back, a corner would be heard as a click.
    @_noLocks @_noAllocation
    @inline(__always)
    private static func magnitude(_ x: Eight) -> Eight {
        let width: Float = 0.006
        let magnitude = x.replacing(with: -x, where: x .< 0)
        let t2 = (x * (1 / width)) * (x * (1 / width))
        return (width * t2 * (1.875 + t2 * (0.375 * t2 - 1.25))).replacing(with: magnitude, where: magnitude .>= width)
    }

    /// The values of a table at places, which are in the table.
    @_noLocks @_noAllocation
    @inline(__always)
    private func values(_ table: UnsafePointer<Float>, at places: Eight) -> Eight {
        // A float of this size has no bits for fractions, and its last bits are the number. Half of one rounds to 0.
        // SAFETY: places are from 0 on, whatever the azimuth, distance and frequency, and end before the tables do.
        let whole = (places - 0.5) + 0x1.8p23
        let indices = unsafeBitCast(whole, to: SIMD8<Int32>.self) & 0x3f_ffff
        var (here, next) = (Eight(), Eight())
        for lane in 0..<8 {
            let value = table + Int(indices[lane])
            (here[lane], next[lane]) = (value[0], value[1])
        }
        return here + (next - here) * (places - (whole - 0x1.8p23))
    }

    /// The values that follow from a distance.
    private struct Place {
        /// Factor of what differs between the ears.
        let closeness: Eight
        let loudness: Eight
        /// In front, in Hz.
        let cutoff: Eight

        @_noLocks @_noAllocation
        @inline(__always)
        init(distance: Eight) {
            let distance = limited(distance, 0.25, 10)
            closeness = limited(inverseRoot(distance), 0.35, OrbitShape.widest)
            let beyond = distance - 1
            let far = 1 / (1 + 0.18 * limited(beyond, 0, 9))
            loudness = far.replacing(with: 1 - 0.2 * beyond, where: beyond .< 0)
            cutoff = OrbitShape.highest - (7000 / 9) * limited(beyond, 0, 9)
        }
    }

    /// The values of a low-pass that follow from a sine's frequency.
    private struct Tone {
        /// Half of its radians per frame, 0...pi/2.
        private let angle: Eight
        private let inverse: Eight
        /// With x radians per frame, (1 - cos x) / 2.
        private let square: Eight
        /// sin x.
        private let sine: Eight

        @_noLocks @_noAllocation
        @inline(__always)
        init(angle: Eight) {
            self.angle = angle
            inverse = 0.5 / limited(angle, 1e-6, .pi)
            let half = Tone.sine(angle)
            square = half * half
            let rest = limited(1 - square, 0, 1)
            sine = 2 * half * rest * inverseRoot(rest)
        }

        /// The frames by which a low-pass delays the sine, and its level. With q for `delay`, its response is 1 / (1 + q (1 - exp(-ix))).
        ///
        /// - Parameter delay: The frames by which it delays the lowest frequencies.
        @_noLocks @_noAllocation
        @inline(__always)
        func passed(delay: Eight) -> (delay: Eight, level: Eight) {
            let level = inverseRoot(1 + 4 * delay * (1 + delay) * square)
            let late = Tone.arctangent(delay * sine, over: 1 + 2 * delay * square) * inverse
            return (late.replacing(with: delay, where: angle .<= 1e-6), level)
        }

        /// The arc tangent of y / x, both from 0 on, right to 3e-8: Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.49.
        @_noLocks @_noAllocation
        @inline(__always)
        private static func arctangent(_ y: Eight, over x: Eight) -> Eight {
            let isSteep = y .> x
            let t = y.replacing(with: x, where: isSteep) / x.replacing(with: y, where: isSteep)
            let t2 = t * t
            var sum = t2 * 0.0028662257 - 0.0161657367
            sum = sum * t2 + 0.0429096138
            sum = sum * t2 - 0.0752896400
            sum = sum * t2 + 0.1065626393
            sum = sum * t2 - 0.1420889944
            sum = sum * t2 + 0.1999355085
            sum = sum * t2 - 0.3333314528
            let angle = t + t * (t2 * sum)
            return angle.replacing(with: .pi / 2 - angle, where: isSteep)
        }

        /// The sine of an angle of 0 to a quarter of a cycle, in radians, by its series: right to 4e-6, and relatively far better in the bass.
        @_noLocks @_noAllocation
        @inline(__always)
        private static func sine(_ x: Eight) -> Eight {
            let x2 = x * x
            var sum = 1 - x2 * (1 / 72 as Float)
            sum = 1 - x2 * (1 / 42 as Float) * sum
            sum = 1 - x2 * (1 / 20 as Float) * sum
            sum = 1 - x2 * (1 / 6 as Float) * sum
            return x * sum
        }
    }
}

/// The values of eight frames.
private typealias Eight = SIMD8<Float>

@inline(__always)
private func load(_ source: UnsafePointer<Float>, at index: Int) -> Eight { UnsafeRawPointer(source + index).loadUnaligned(as: Eight.self) }

@inline(__always)
private func store(_ value: Eight, to out: UnsafeMutablePointer<Float>, at index: Int) {
    UnsafeMutableRawPointer(out + index).storeBytes(of: value, as: Eight.self)
}

/// Values within limits; NaN becomes the lower one.
@_noLocks @_noAllocation
@inline(__always)
private func limited(_ x: Eight, _ low: Float, _ high: Float) -> Eight {
    let above = Eight(repeating: low).replacing(with: x, where: x .> low)
    return above.replacing(with: high, where: x .> high)
}

/// The reciprocals of the square roots of positive numbers, by Newton's method from a guess by the bits of the exponent.
@_noLocks @_noAllocation
@inline(__always)
private func inverseRoot(_ x: Eight) -> Eight {
    let bits = unsafeBitCast(x, to: SIMD8<UInt32>.self)
    var root = unsafeBitCast(SIMD8<UInt32>(repeating: 0x5F37_59DF) &- bits &>> 1, to: Eight.self)
    for _ in 0..<3 { root *= 1.5 - 0.5 * x * root * root }
    return root
}

extension PhaseDifferences {
    /// Half of the radians per frame, 0...pi/2.
    fileprivate var halfAngle: Float { @_noLocks @_noAllocation @inline(__always) get { Float(frequency) * .pi } }

    /// The half angles of the next eight frames.
    @_noLocks @_noAllocation
    @inline(__always)
    fileprivate mutating func nextHalfAngles() -> Eight {
        var angles = Eight()
        for lane in 0..<8 {
            angles[lane] = halfAngle
            step()
        }
        return angles
    }
}
