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
    var peak: Float = 0
    var sum: Float = 0
    var squareSum: Float = 0
    for i in 0..<count {
        var sample = samples[i]
        if !(sample.magnitude <= ceiling) {
            if sample.bitPattern & 0x7f80_0000 == 0x7f80_0000 {
                sample = 0
                actions.pointee.nonFinite &+= 1
            } else {
                if sample.magnitude > ceiling * 1.000_01 { actions.pointee.ceiling &+= 1 }
                sample = sample < 0 ? -ceiling : ceiling
            }
            samples[i] = sample
        }
        peak = max(peak, sample.magnitude)
        sum += sample
        squareSum += sample * sample
    }
    measure.pointee.peak = max(measure.pointee.peak, peak)
    measure.pointee.sum += Double(sum)
    measure.pointee.squareSum += Double(squareSum)
}
