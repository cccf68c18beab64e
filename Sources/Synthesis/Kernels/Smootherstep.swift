// Render thread: the curve of edges and fades. Compiled for the baseline and for AVX2.

/// `t^3(6t^2-15t+10)`: from 0 to 1 for `t` of 0 to 1, with no slope or curvature at either end.
@_noLocks @_noAllocation
@inline(__always)
func smootherstep(_ t: Double) -> Double {
    t * t * t * (t * (6 * t - 15) + 10)
}
