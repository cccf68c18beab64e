// Render thread: the edges of pulses. Compiled for the baseline and for AVX2, with the same bits.

/// A phase as a part of a period, 0..<1: 52 bits as the fraction of a number from 1 to 2.
@_noLocks @_noAllocation
@inline(__always)
func part(_ phase: UInt64) -> Double { Double(bitPattern: 0x3ff0_0000_0000_0000 | (phase &>> 12)) - 1 }

/// Sets `out[i]` to the level on an edge, which is `sign` times the distance from a part of the period: as one frame by itself, in a loop without
/// branches, which the compiler turns into vectors.
@_noLocks @_noAllocation
@inline(never)
package func fillEdge(
    _ out: UnsafeMutablePointer<Float>, count: Int, phase: UInt64, step: UInt64, from: Double, sign: Double, scale: Double
) {
    var phase = phase
    for i in 0..<count {
        out[i] = Float(smootherstep((part(phase) - from) * sign * scale))
        phase &+= step
    }
}
