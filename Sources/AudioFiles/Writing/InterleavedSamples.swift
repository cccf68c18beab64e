import Patches

/// Interleaved samples on their way into a file, and the dither with which they become integers.
struct InterleavedSamples {
    /// Samples of both channels by turns.
    var floats: [Float] = []
    /// The largest magnitude of a sample; the dither does not lead beyond it.
    private let ceiling: Double
    private var dither: Dither
    private var integers: [Int32] = []
    private var shorts: [Int16] = []

    /// - Parameters:
    ///   - ceiling: In dBFS, at most 0.
    ///   - firstFrame: The frame of the whole with which they begin.
    init(ceiling: Double = 0, firstFrame: Int64 = 0) {
        self.ceiling = Amplitude.ratio(min(ceiling, 0))
        dither = Dither(from: 2 * firstFrame)
    }

    /// Replaces the samples by those of two channels of the same length.
    mutating func interleave(_ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>) {
        let count = left.count
        if floats.count != 2 * count { floats = [Float](repeating: 0, count: 2 * count) }
        floats.withUnsafeMutableBufferPointer { floats in
            for frame in 0..<count {
                floats[2 * frame] = left[frame]
                floats[2 * frame + 1] = right[frame]
            }
        }
    }

    /// The samples as integers of 16 bits.
    mutating func quantised16() -> [Int16] {
        quantise(bits: 16)
        if shorts.count != integers.count { shorts = [Int16](repeating: 0, count: integers.count) }
        integers.withUnsafeBufferPointer { integers in
            shorts.withUnsafeMutableBufferPointer { shorts in
                for index in integers.indices { shorts[index] = Int16(truncatingIfNeeded: integers[index]) }
            }
        }
        return shorts
    }

    /// The samples as integers of 24 bits, shifted left.
    mutating func quantised24(shiftedBy shift: Int32 = 0) -> [Int32] {
        quantise(bits: 24)
        integers.withUnsafeMutableBufferPointer { integers in
            for index in integers.indices { integers[index] &<<= shift }
        }
        return integers
    }

    private mutating func quantise(bits: Int) {
        if integers.count != floats.count { integers = [Int32](repeating: 0, count: floats.count) }
        // A local value, so that it can stay in registers.
        var dither = dither
        let limit = Int32((ceiling * Double(1 << (bits - 1))).rounded(.down))
        floats.withUnsafeBufferPointer { floats in
            integers.withUnsafeMutableBufferPointer { integers in
                guard let start = integers.baseAddress else { return }
                dither.quantise(floats, bits: bits, limit: limit, into: start)
            }
        }
        self.dither = dither
    }
}
