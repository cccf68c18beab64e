/// Quantises samples with triangular dither of two steps' width, which makes the error independent of the signal in mean and variance
/// (Lipshitz, Wannamaker and Vanderkooy 1992). The noise is the same for every file, so that a rendering can be repeated bit for bit.
struct Dither {
    /// Eight generators xorshift128 (Marsaglia 2003), which take turns. They need no rotation, which the compiler does lane by lane.
    private var state: (SIMD8<UInt32>, SIMD8<UInt32>, SIMD8<UInt32>, SIMD8<UInt32>)
    /// A step of all eight, and how many of its words have been used.
    private var words = SIMD8<UInt32>()
    private var used = 8

    /// - Parameter first: The number of samples before the first one.
    init(from first: Int64 = 0) {
        var seeds = SplitMix()
        state = (seeds.next(), seeds.next(), seeds.next(), seeds.next())
        for _ in 0..<first / 8 { words = step() }
        guard first % 8 > 0 else { return }
        words = step()
        used = Int(first % 8)
    }

    /// Quantises samples: full scale 1 becomes 2^(bits-1), and values beyond are clipped. The result does not depend on how the samples are
    /// divided between calls. NaN becomes 0.
    ///
    /// - Parameters:
    ///   - bits: 16 to 24.
    ///   - limit: The largest magnitude of a value, which the dither does not exceed either; 2^(bits-1) for all values.
    ///   - integers: has room for as many values.
    mutating func quantise(
        _ samples: UnsafeBufferPointer<Float>, bits: Int, limit: Int32, into integers: UnsafeMutablePointer<Int32>
    ) {
        let top = SIMD8(repeating: min(limit, 1 &<< (Int32(truncatingIfNeeded: bits) &- 1) &- 1))
        let bottom = SIMD8(repeating: 0 &- limit)
        var index = 0
        while index < samples.count {
            if used == 8 {
                words = step()
                used = 0
            }
            let count = min(8 &- used, samples.count &- index)
            if count == 8 {
                // SAFETY: eight samples are left, in both buffers.
                let wide = UnsafeRawPointer(samples.baseAddress.unsafelyUnwrapped + index).loadUnaligned(as: SIMD8<Float>.self)
                UnsafeMutableRawPointer(integers + index).storeBytes(
                    of: Self.quantised(wide, words, bits: bits, bottom, top), as: SIMD8<Int32>.self)
            } else {
                var part = SIMD8<Float>()
                for lane in 0..<count { part[used &+ lane] = samples[index &+ lane] }
                let values = Self.quantised(part, words, bits: bits, bottom, top)
                for lane in 0..<count { integers[index &+ lane] = values[used &+ lane] }
            }
            used &+= count
            index &+= count
        }
    }

    @inline(__always)
    private static func quantised(
        _ samples: SIMD8<Float>, _ words: SIMD8<UInt32>, bits: Int, _ bottom: SIMD8<Int32>, _ top: SIMD8<Int32>
    ) -> SIMD8<Int32> {
        // Two independent uniform numbers of 16 bits; their difference is triangular over -1...1.
        let noise = uniform(words &>> 16) - uniform(words & 0xffff)
        var values = bits == 16 ? upTo16(samples, noise) : upTo24(samples, noise, bits: bits)
        values.replace(with: top, where: values .> top)
        values.replace(with: bottom, where: values .< bottom)
        values.replace(with: 0, where: samples .!= samples)
        return values
    }

    /// Near full scale, a `Float` holds such a sample to 1/512 of a step, and so the sum with the noise.
    @inline(__always)
    private static func upTo16(_ samples: SIMD8<Float>, _ noise: SIMD8<Float>) -> SIMD8<Int32> {
        rounded(limited(samples * 0x1p15 + noise, -0x1p15, 0x1p15 - 1)).1
    }

    /// The upper 16 bits and what they leave over are rounded apart, so that single precision is enough.
    @inline(__always)
    private static func upTo24(_ samples: SIMD8<Float>, _ noise: SIMD8<Float>, bits: Int) -> SIMD8<Int32> {
        let scaled = limited(samples, -1, 1) * 0x1p15
        let (upper, upperSteps) = rounded(scaled)
        let shift = bits &- 16
        let rest = (scaled - upper) * Float(1 &<< shift)
        let (lower, lowerSteps) = rounded(rest)
        return (upperSteps &<< Int32(truncatingIfNeeded: shift)) &+ lowerSteps &+ rounded(rest - lower + noise).1
    }

    @inline(__always)
    private static func limited(_ values: SIMD8<Float>, _ least: Float, _ most: Float) -> SIMD8<Float> {
        var values = values
        values.replace(with: SIMD8(repeating: most), where: values .> most)
        values.replace(with: SIMD8(repeating: least), where: values .< least)
        return values
    }

    /// The nearest integers, as numbers and as integers; for magnitudes below 2^22: the sum is so large that a `Float` holds no fraction of it.
    @inline(__always)
    private static func rounded(_ values: SIMD8<Float>) -> (SIMD8<Float>, SIMD8<Int32>) {
        let magic = SIMD8<Float>(repeating: 0x1.8p23)
        let sum = values + magic
        return (sum - magic, unsafeBitCast(sum, to: SIMD8<Int32>.self) &- unsafeBitCast(magic, to: SIMD8<Int32>.self))
    }

    /// 16 bits as numbers in 1..<2.
    @inline(__always)
    private static func uniform(_ words: SIMD8<UInt32>) -> SIMD8<Float> {
        unsafeBitCast((words &<< 7) | 0x3f80_0000, to: SIMD8<Float>.self)
    }

    @inline(__always)
    private mutating func step() -> SIMD8<UInt32> {
        let mixed = state.0 ^ (state.0 &<< 11)
        let last = state.3 ^ (state.3 &>> 19) ^ mixed ^ (mixed &>> 8)
        state = (state.1, state.2, state.3, last)
        return last
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    private struct SplitMix {
        private var state: UInt64 = 0

        mutating func next() -> SIMD8<UInt32> {
            var words = SIMD8<UInt32>()
            for lane in 0..<8 { words[lane] = UInt32(truncatingIfNeeded: next()) }
            return words
        }

        private mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }
}
