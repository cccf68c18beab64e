// Render thread: the loop of filters. Like SineKernels.swift, this file is compiled twice.

/// Fills `out` with sums of products: frame i is the sum of `taps[k] * samples[i + k]`.
///
/// - Parameters:
///   - out: Writable up to the next multiple of 32.
///   - samples: Readable for `count`, rounded up to a multiple of 32, and `tapCount` frames.
@_noLocks @_noAllocation
@inline(never)
package func convolve(
    _ out: UnsafeMutablePointer<Float>, count: Int, samples: UnsafePointer<Float>, taps: UnsafePointer<Float>, tapCount: Int
) {
    var i = 0
    while i < count {
        // Four sums at once: a sum has to wait for its last product.
        var sums: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>) = (.zero, .zero, .zero, .zero)
        for k in 0..<tapCount {
            let tap = SIMD8(repeating: taps[k])
            let place = samples + i + k
            sums.0 = adding(sums.0, place, tap)
            sums.1 = adding(sums.1, place + 8, tap)
            sums.2 = adding(sums.2, place + 16, tap)
            sums.3 = adding(sums.3, place + 24, tap)
        }
        // SAFETY: see above.
        UnsafeMutableRawPointer(out + i).storeBytes(of: sums.0, as: SIMD8<Float>.self)
        UnsafeMutableRawPointer(out + i + 8).storeBytes(of: sums.1, as: SIMD8<Float>.self)
        UnsafeMutableRawPointer(out + i + 16).storeBytes(of: sums.2, as: SIMD8<Float>.self)
        UnsafeMutableRawPointer(out + i + 24).storeBytes(of: sums.3, as: SIMD8<Float>.self)
        i &+= 32
    }
}

@inline(__always)
private func adding(_ sum: SIMD8<Float>, _ samples: UnsafePointer<Float>, _ tap: SIMD8<Float>) -> SIMD8<Float> {
    let values = UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self)
    #if FUSED_MULTIPLY_ADD
        return sum.addingProduct(values, tap)
    #else
        return sum + values * tap
    #endif
}
