/// Quantises samples with triangular dither of two steps' width, which makes the error independent of the signal in mean and variance
/// (Lipshitz, Wannamaker and Vanderkooy 1992). The noise is the same for every file, so that a rendering can be repeated bit for bit.
struct Dither {
    private var state: UInt64 = 0

    /// Quantises a sample: full scale 1 becomes 2^(bits-1), and values beyond are clipped.
    @inline(__always)
    mutating func quantise(_ sample: Float, bits: Int) -> Int32 {
        let fullScale = Double(1 << (bits - 1))
        let word = next()
        // Two independent uniform numbers of 32 bits; their difference is triangular over -1...1.
        let noise = (Double(word >> 32) - Double(word & 0xFFFF_FFFF)) * 0x1p-32
        let value = max(-fullScale, min(fullScale - 1, Double(sample) * fullScale + noise))
        // At this magnitude a Double has no room for fractions: adding rounds to the nearest, without the library call that `rounded()` is
        // on a baseline processor.
        return Int32(truncatingIfNeeded: Int64(bitPattern: (value + 0x1.8p52).bitPattern))
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    @inline(__always)
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
