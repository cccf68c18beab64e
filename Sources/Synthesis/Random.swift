// Render thread: random numbers as a function of seed and counter, available in any order.

/// Mixes 64 bits (two rounds of xor-shift and multiply; the constants are those of splitmix64, after Stafford's Mix13).
@_noLocks @_noAllocation
@inline(__always)
func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z &>> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z &>> 31)
}

/// The key of a stream; streams of different seeds are unrelated.
@_noLocks @_noAllocation
@inline(__always)
func streamKey(_ seed: UInt64, _ stream: UInt64 = 0) -> UInt64 {
    mixed(mixed(seed &+ 0x9e37_79b9_7f4a_7c15) ^ (stream &* 0xd6e8_feb8_6659_fd93))
}

/// Random number `counter` of a stream, 64 bits.
@_noLocks @_noAllocation
@inline(__always)
func random(key: UInt64, counter: UInt64) -> UInt64 {
    mixed(key &+ counter &* 0x9e37_79b9_7f4a_7c15)
}

/// Fills in white noise for two ears from `frame` on: independent, uniform, with the power of a sine of amplitude 1 (so at most 1.23).
@_noLocks @_noAllocation
package func fillWhiteNoise(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int, seed: UInt64, frame: Int64
) {
    let key = streamKey(seed)
    // A uniform value in -1...1 has the power 1/3, a sine 1/2.
    let scale: Float = 0x1p-31 * 1.2247449
    for i in 0..<count {
        let bits = random(key: key, counter: UInt64(truncatingIfNeeded: frame &+ Int64(i)))
        first[i] = Float(Int32(truncatingIfNeeded: bits)) * scale
        second[i] = Float(Int32(truncatingIfNeeded: bits &>> 32)) * scale
    }
}
