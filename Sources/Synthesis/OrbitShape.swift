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
    /// The low-pass has the phase and the level that it has at the tone's frequency.
    ///
    /// - Parameters:
    ///   - sines: The sines of the azimuth: 0 in front, 1 right, -1 left.
    ///   - cosines: Its cosines.
    ///   - distances: From 0.25 to 10; they are limited to that.
    @_noLocks @_noAllocation
    package func fill(
        _ left: Ear, _ right: Ear, count: Int, sines: UnsafePointer<Float>, cosines: UnsafePointer<Float>, distances: UnsafePointer<Float>,
        carrier: PhaseDifferences
    ) {
        var carrier = carrier
        // Both rarely change.
        var (place, tone) = (Place(distance: 1), Tone(angle: 0))
        for i in 0..<count {
            let (distance, angle) = (min(max(0.25, distances[i]), 10), Float(carrier.frequency) * .pi)
            if distance != place.distance { place = Place(distance: distance) }
            if angle != tone.angle { tone = Tone(angle: angle) }
            let sine = min(max(-1, sines[i]), 1)
            let side = sine * place.closeness
            let cutoff = max(place.cutoff - 8500 * min(max(0, -cosines[i]), 1), OrbitShape.lowest)
            let (late, gain) = tone.passed(delay: value(delays, at: (cutoff - OrbitShape.lowest) * (1 / OrbitShape.step)))
            let passed = place.loudness * gain
            let reach = place.closeness * OrbitShape.magnitude(sine)
            left.lateness[i] = late + 0.5 * delay * (reach + side)
            right.lateness[i] = late + 0.5 * delay * (reach - side)
            left.levels[i] = passed * value(levels, at: (OrbitShape.widest - side) * OrbitShape.steps)
            right.levels[i] = passed * value(levels, at: (OrbitShape.widest + side) * OrbitShape.steps)
            carrier.step()
        }
    }

    /// The magnitude of a number with its corner at 0 rounded, by a polynomial with the same value, slope and curvature where it begins and ends: where the sound
    /// passes the front and the back, a corner would be heard as a click.
    @_noLocks @_noAllocation
    @inline(__always)
    private static func magnitude(_ x: Float) -> Float {
        let width: Float = 0.006
        if abs(x) >= width { return abs(x) }
        let t2 = (x / width) * (x / width)
        return width * t2 * (1.875 + t2 * (0.375 * t2 - 1.25))
    }

    /// The value of a table at a place, which is in the table.
    @_noLocks @_noAllocation
    @inline(__always)
    private func value(_ table: UnsafePointer<Float>, at place: Float) -> Float {
        let index = Int(place)
        return table[index] + (table[index + 1] - table[index]) * (place - Float(index))
    }

    /// The reciprocal of the square root of a positive number, by Newton's method from a guess by the bits of the exponent.
    @_noLocks @_noAllocation
    @inline(__always)
    private static func inverseRoot(_ x: Float) -> Float {
        var root = Float(bitPattern: 0x5F37_59DF &- x.bitPattern &>> 1)
        for _ in 0..<4 { root *= 1.5 - 0.5 * x * root * root }
        return root
    }

    /// The values that follow from a distance, 0.25...10.
    private struct Place {
        let distance: Float
        /// Factor of what differs between the ears.
        let closeness: Float
        let loudness: Float
        /// In front, in Hz.
        let cutoff: Float

        @_noLocks @_noAllocation
        init(distance: Float) {
            self.distance = distance
            closeness = min(max(OrbitShape.inverseRoot(distance), 0.35), OrbitShape.widest)
            loudness = distance < 1 ? 1 + 0.2 * (1 - distance) : 1 / (1 + 0.18 * (distance - 1))
            cutoff = OrbitShape.highest - 7000 * min(max((distance - 1) / 9, 0), 1)
        }
    }

    /// The values of a low-pass that follow from a sine's frequency.
    private struct Tone {
        /// Half of its radians per frame, 0...pi/2.
        let angle: Float
        private let inverse: Float
        /// With x radians per frame, (1 - cos x) / 2.
        private let square: Float
        /// sin x.
        private let sine: Float

        @_noLocks @_noAllocation
        init(angle: Float) {
            self.angle = angle
            inverse = 0.5 / max(angle, 1e-6)
            let half = OrbitShape.sine(angle)
            let rest = max(1 - half * half, 0)
            square = half * half
            sine = 2 * half * rest * OrbitShape.inverseRoot(rest)
        }

        /// The frames by which a low-pass delays the sine, and its level. With q for `delay`, its response is 1 / (1 + q (1 - exp(-ix))).
        ///
        /// - Parameter delay: The frames by which it delays the lowest frequencies.
        @_noLocks @_noAllocation
        @inline(__always)
        func passed(delay: Float) -> (delay: Float, level: Float) {
            let level = OrbitShape.inverseRoot(1 + 4 * delay * (1 + delay) * square)
            if angle <= 1e-6 { return (delay, level) }
            return (OrbitShape.arctangent(delay * sine / (1 + 2 * delay * square)) * inverse, level)
        }
    }

    /// The arc tangent of a number from 0 on, right to 3e-8: Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.49.
    @_noLocks @_noAllocation
    @inline(__always)
    private static func arctangent(_ x: Float) -> Float {
        let t = x > 1 ? 1 / x : x
        let t2 = t * t
        let low = t2 * (-0.3333314528 + t2 * (0.1999355085 + t2 * (-0.1420889944 + t2 * 0.1065626393)))
        let high = t2 * (-0.0752896400 + t2 * (0.0429096138 + t2 * (-0.0161657367 + t2 * 0.0028662257)))
        let angle = t * (1 + low + t2 * t2 * t2 * t2 * high)
        return x > 1 ? .pi / 2 - angle : angle
    }

    /// The sine of an angle of 0 to a quarter of a cycle, in radians, by its series: right to 4e-6, and relatively far better in the bass.
    @_noLocks @_noAllocation
    @inline(__always)
    private static func sine(_ x: Float) -> Float {
        let x2 = x * x
        return x * (1 - x2 * (1 / 6 as Float) * (1 - x2 * (1 / 20 as Float) * (1 - x2 * (1 / 42 as Float) * (1 - x2 * (1 / 72 as Float)))))
    }
}

/// Fills in shifts in cycles, -0.5...0.5, that delay a phase by some frames each.
@_noLocks @_noAllocation
package func fillDelays(_ shifts: UnsafeMutablePointer<Float>, count: Int, phase: PhaseDifferences, lateness: UnsafePointer<Float>) {
    var phase = phase
    for i in 0..<count {
        shifts[i] = -phase.cycles(in: lateness[i])
        phase.step()
    }
}

extension PhaseDifferences {
    /// The cycles in some frames at the frequency of this one, without whole cycles: -0.5...0.5.
    @_noLocks @_noAllocation
    @inline(__always)
    func cycles(in frames: Float) -> Float {
        let cycles = Double(Int64(bitPattern: d1)) * 0x1p-64 * Double(frames)
        return Float(cycles - ((cycles + 0x1.8p52) - 0x1.8p52))
    }

    /// The phase some frames ago, at the frequency of this one.
    @_noLocks @_noAllocation
    @inline(__always)
    func phase(before frames: Float) -> UInt64 { phase &- UInt64(bitPattern: Int64(cycles(in: frames) * 0x1p62)) &<< 2 }
}
