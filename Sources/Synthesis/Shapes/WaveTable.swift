// Render thread: waves other than the sine, from tables with no more harmonics than the sample rate allows.

/// One cycle of a wave with its harmonics up to a number, as a table.
package struct WaveBand: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: the samples are constant for as long as their owner lives.
    /// `2^sizeBits` samples of the cycle, with one more before and two more after them, which repeat the other end.
    package var samples: UnsafePointer<Float>
    package var sizeBits: UInt64
    /// Frequency in cycles per frame above which its highest harmonic would exceed half the sample rate.
    package var limit: Double

    package init(samples: UnsafePointer<Float>, sizeBits: UInt64, limit: Double) {
        self.samples = samples
        self.sizeBits = sizeBits
        self.limit = limit
    }

    /// The sample at a phase in units of 2^-64 cycle, by the cubic (Lagrange's) through the four samples around it.
    @_noLocks @_noAllocation
    @inline(__always)
    fileprivate func sample(at phase: UInt64) -> Float {
        let index = Int(truncatingIfNeeded: phase &>> (64 &- sizeBits))
        let x = Float((phase &<< sizeBits) &>> 40) * 0x1p-24
        // SAFETY: index is below 2^sizeBits, and the table extends by two samples behind that and one before 0.
        let (a, b, c, d) = (samples[index - 1], samples[index], samples[index + 1], samples[index + 2])
        let third = (d - a) * (1 / 6) + (b - c) * 0.5
        let second = (a + c) * 0.5 - b
        let first = c - b * 0.5 - a * (1 / 3) - d * (1 / 6)
        return ((third * x + second) * x + first) * x + b
    }
}

/// A wave as bands of falling limit, each with more harmonics than the one before; their memory is owned elsewhere.
package struct WaveShape: BitwiseCopyable {
    package var bands: UnsafePointer<WaveBand>
    package var count: Int
    /// Whether an ear of a binaural layer hears the wave backwards.
    package var leftIsBackwards = false
    package var rightIsBackwards = false

    package init(bands: UnsafePointer<WaveBand>, count: Int) {
        self.bands = bands
        self.count = count
    }
}

extension WaveShape {
    /// The wave at a phase in units of 2^-64 cycle, without harmonics above half the sample rate.
    ///
    /// The harmonics that sound depend continuously on the frequency at the frame, and on nothing else: between the limits of two bands the
    /// two bands below are crossfaded, so that a glide makes no step.
    ///
    /// - Parameters:
    ///   - frequency: Cycles per frame.
    ///   - band: The band that was used last, from which the search begins.
    @_noLocks @_noAllocation
    @inline(__always)
    func sample(at phase: UInt64, frequency: Double, band: inout Int) -> Float {
        // The last band whose limit is above the frequency; the next one would alias.
        while band + 1 < count, bands[band + 1].limit > frequency { band += 1 }
        while band > 0, bands[band].limit <= frequency { band -= 1 }
        if band == 0 { return bands[0].sample(at: phase) }
        let low = bands[band - 1].sample(at: phase)
        let high = bands[band].sample(at: phase)
        let end = band + 1 < count ? bands[band + 1].limit : 0
        let share = Float((bands[band].limit - frequency) / (bands[band].limit - end))
        return low + (high - low) * share
    }
}

extension PhaseDifferences {
    /// Magnitude of the frequency, in cycles per frame.
    var frequency: Double {
        @_noLocks @_noAllocation @inline(__always) get { Double(Int64(bitPattern: d1).magnitude) * 0x1p-64 }
    }

    /// Advances by one frame.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func step() {
        phase &+= d1
        d1 &+= d2
        d2 &+= d3
        d3 &+= d4
    }
}

/// `out[i] = wave(phase(i))`
@_noLocks @_noAllocation
package func fillWave(_ out: UnsafeMutablePointer<Float>, count: Int, shape: WaveShape, phase: PhaseDifferences) {
    var phase = phase
    var band = 0
    for i in 0..<count {
        out[i] = shape.sample(at: phase.phase, frequency: phase.frequency, band: &band)
        phase.step()
    }
}

/// `left[i] = wave(phase(i) + shift[i])`, `right[i] = wave(phase(i) - shift[i])`, shifts in cycles, -1...1. The shifts move as `sway` does, and
/// room is left for their sidebands.
@_noLocks @_noAllocation
package func fillShiftedWave(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, shape: WaveShape, phase: PhaseDifferences,
    sway: PhaseDifferences, shift: UnsafePointer<Float>
) {
    var (phase, sway) = (phase, sway)
    var band = 0
    for i in 0..<count {
        let units = UInt64(bitPattern: Int64(max(min(shift[i], 1), -1) * 0x1p62)) &<< 2
        let frequency = phase.frequency + phaseSidebands * sway.frequency
        left[i] = shape.sample(at: phase.phase &+ units, frequency: frequency, band: &band)
        right[i] = shape.sample(at: phase.phase &- units, frequency: frequency, band: &band)
        sway.step()
        phase.step()
    }
}
