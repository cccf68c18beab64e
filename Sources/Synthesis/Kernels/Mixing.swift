// Render thread: sums and products of buffers, element by element.

@_noLocks @_noAllocation
package func clear(_ out: UnsafeMutablePointer<Float>, count: Int) {
    for i in 0..<count { out[i] = 0 }
}

@_noLocks @_noAllocation
package func fill(_ out: UnsafeMutablePointer<Float>, count: Int, with value: Float) {
    for i in 0..<count { out[i] = value }
}

@_noLocks @_noAllocation
package func scale(_ out: UnsafeMutablePointer<Float>, count: Int, source: UnsafePointer<Float>, by factor: Float) {
    for i in 0..<count { out[i] = source[i] * factor }
}

@_noLocks @_noAllocation
package func multiply(_ out: UnsafeMutablePointer<Float>, count: Int, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) {
    for i in 0..<count { out[i] = a[i] * b[i] }
}

@_noLocks @_noAllocation
package func add(to out: UnsafeMutablePointer<Float>, count: Int, source: UnsafePointer<Float>) {
    for i in 0..<count { out[i] += source[i] }
}

/// Copies samples; NaN and infinity become 0.
@_noLocks @_noAllocation
package func copyFinite(_ out: UnsafeMutablePointer<Float>, count: Int, source: UnsafePointer<Float>) {
    for i in 0..<count {
        let sample = source[i]
        out[i] = sample - sample == 0 ? sample : 0
    }
}

/// The sum of samples, for measuring: its rounding depends on the block.
@_noLocks @_noAllocation
package func sum(_ source: UnsafePointer<Float>, count: Int) -> Float {
    var sum: Float = 0
    for i in 0..<count { sum += source[i] }
    return sum
}
