// Render thread: the last step for the samples. The guards measure and mute; they never filter.

/// How often a guard had to act.
package struct GuardActions: BitwiseCopyable, Equatable, Sendable {
    /// Samples that were NaN or infinite and became silence.
    package var nonFinite: UInt64
    /// Samples cut down to the ceiling because they were above it by more than rounding explains.
    package var ceiling: UInt64
    /// Layers muted because they put out a DC offset.
    package var dc: UInt64

    package init(nonFinite: UInt64 = 0, ceiling: UInt64 = 0, dc: UInt64 = 0) {
        self.nonFinite = nonFinite
        self.ceiling = ceiling
        self.dc = dc
    }
}

/// Measurements of a channel over some frames.
package struct ChannelMeasure: BitwiseCopyable, Equatable, Sendable {
    package var peak: Float = 0
    package var sum: Double = 0
    package var squareSum: Double = 0

    @_noLocks @_noAllocation
    package init() {}
}

/// Makes every sample finite and at most `ceiling` (0...1) in magnitude, counts the samples it changes, and measures the result.
@_noLocks @_noAllocation
package func guardOutput(
    _ samples: UnsafeMutablePointer<Float>, count: Int, ceiling: Float,
    actions: UnsafeMutablePointer<GuardActions>, measure: UnsafeMutablePointer<ChannelMeasure>
) {
    var start = 0
    while start < count {
        // Short parts, since a part in which a sample is changed is read again, and a `Float` adds up only so many exactly.
        let length = min(64, count &- start)
        var part = measured(samples + start, count: length)
        // The bits of NaN and of infinity are above those of every number.
        if part.peak.bitPattern > ceiling.bitPattern {
            clip(samples + start, count: length, ceiling: ceiling, actions: actions)
            part = measured(samples + start, count: length)
        }
        measure.pointee.peak = max(measure.pointee.peak, part.peak)
        measure.pointee.sum += part.sum
        measure.pointee.squareSum += part.squareSum
        start &+= length
    }
}

/// The peak is the largest magnitude in the order of bits, in which NaN and infinity come last.
@_noLocks @_noAllocation
@inline(__always)
private func measured(_ samples: UnsafePointer<Float>, count: Int) -> ChannelMeasure {
    var peaks = SIMD8<Int32>()
    var sums = SIMD8<Float>()
    var squareSums = SIMD8<Float>()
    var i = 0
    while i &+ 8 <= count {
        let wide = UnsafeRawPointer(samples + i).loadUnaligned(as: SIMD8<Float>.self)
        let magnitudes = unsafeBitCast(wide, to: SIMD8<Int32>.self) & SIMD8(repeating: 0x7fff_ffff)
        peaks.replace(with: magnitudes, where: magnitudes .> peaks)
        sums += wide
        squareSums += wide * wide
        i &+= 8
    }
    var (peak, sum, squareSum) = (Int32(), Float(), Float())
    for lane in 0..<8 {
        peak = max(peak, peaks[lane])
        sum += sums[lane]
        squareSum += squareSums[lane]
    }
    while i < count {
        let sample = samples[i]
        peak = max(peak, Int32(bitPattern: sample.magnitude.bitPattern))
        sum += sample
        squareSum += sample * sample
        i &+= 1
    }
    var measure = ChannelMeasure()
    measure.peak = Float(bitPattern: UInt32(bitPattern: peak))
    measure.sum = Double(sum)
    measure.squareSum = Double(squareSum)
    return measure
}

@_noLocks @_noAllocation
private func clip(
    _ samples: UnsafeMutablePointer<Float>, count: Int, ceiling: Float, actions: UnsafeMutablePointer<GuardActions>
) {
    for i in 0..<count where !(samples[i].magnitude <= ceiling) {
        let sample = samples[i]
        if sample.bitPattern & 0x7f80_0000 == 0x7f80_0000 {
            samples[i] = 0
            actions.pointee.nonFinite &+= 1
        } else {
            if sample.magnitude > ceiling * 1.000_01 { actions.pointee.ceiling &+= 1 }
            samples[i] = sample < 0 ? -ceiling : ceiling
        }
    }
}
