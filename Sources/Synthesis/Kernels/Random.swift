// Either thread: keys of random streams.

/// Mixes 64 bits (two rounds of xor-shift and multiply; the constants are those of splitmix64, after Stafford's Mix13).
@_noLocks @_noAllocation
@inlinable @inline(__always)
func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z &>> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z &>> 31)
}

/// The key of a seed, from which those of its streams are made.
package func seedKey(_ seed: UInt64) -> UInt64 { mixed(seed &+ 0x9e37_79b9_7f4a_7c15) }

/// The key of a stream; streams of different seeds are unrelated.
@_noLocks @_noAllocation
@inlinable @inline(__always)
public func streamKey(_ seedKey: UInt64, _ stream: UInt64 = 0) -> UInt64 { mixed(seedKey ^ (stream &* 0xd6e8_feb8_6659_fd93)) }
