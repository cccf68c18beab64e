// Render thread: calls of the kernels of noises.

import Synthesis
import SynthesisAVX2

extension Kernel {
    @_noLocks @_noAllocation
    func fillUniform(
        _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int, keys: SIMD2<UInt64>, counter: UInt32
    ) {
        switch self {
        case .baseline: Synthesis.fillUniform(first, second, count: count, keys: keys, counter: counter)
        case .avx2: SynthesisAVX2.fillUniform(first, second, count: count, keys: keys, counter: counter)
        }
    }

    @_noLocks @_noAllocation
    func addUniform(
        to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, keys: SIMD2<UInt64>, counter: UInt32,
        gain: Float, shared: Float, own: Float
    ) {
        switch self {
        case .baseline:
            Synthesis.addUniform(to: left, right, count: count, keys: keys, counter: counter, gain: gain, shared: shared, own: own)
        case .avx2:
            SynthesisAVX2.addUniform(to: left, right, count: count, keys: keys, counter: counter, gain: gain, shared: shared, own: own)
        }
    }

    @_noLocks @_noAllocation
    func drawLines(
        _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, first: Int, units: Int,
        magnitudes: UnsafePointer<Float>, key: UInt64
    ) {
        switch self {
        case .baseline: Synthesis.drawLines(real, imaginary, first: first, units: units, magnitudes: magnitudes, key: key)
        case .avx2: SynthesisAVX2.drawLines(real, imaginary, first: first, units: units, magnitudes: magnitudes, key: key)
        }
    }

    @_noLocks @_noAllocation
    func transformByTwo(
        _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, first: Int, units: Int,
        twiddles: UnsafePointer<Float>
    ) {
        switch self {
        case .baseline: Synthesis.transformByTwo(real, imaginary, first: first, units: units, twiddles: twiddles)
        case .avx2: SynthesisAVX2.transformByTwo(real, imaginary, first: first, units: units, twiddles: twiddles)
        }
    }

    @_noLocks @_noAllocation
    func transformByFour(
        _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, first: Int, units: Int, span: Int,
        twiddles: UnsafePointer<Float>
    ) {
        switch self {
        case .baseline: Synthesis.transformByFour(real, imaginary, first: first, units: units, span: span, twiddles: twiddles)
        case .avx2: SynthesisAVX2.transformByFour(real, imaginary, first: first, units: units, span: span, twiddles: twiddles)
        }
    }

    @_noLocks @_noAllocation
    func addOverlaps(
        to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, ending: UnsafePointer<Float>,
        falling: UnsafePointer<Float>, beginning: UnsafePointer<Float>, rising: UnsafePointer<Float>, distance: Int, gain: Float,
        shared: Float, own: Float
    ) {
        switch self {
        case .baseline:
            Synthesis.addOverlaps(
                to: left, right, count: count, ending: ending, falling: falling, beginning: beginning, rising: rising, distance: distance,
                gain: gain, shared: shared, own: own)
        case .avx2:
            SynthesisAVX2.addOverlaps(
                to: left, right, count: count, ending: ending, falling: falling, beginning: beginning, rising: rising, distance: distance,
                gain: gain, shared: shared, own: own)
        }
    }

    @_noLocks @_noAllocation
    func convolve(
        _ out: UnsafeMutablePointer<Float>, count: Int, samples: UnsafePointer<Float>, taps: UnsafePointer<Float>, tapCount: Int
    ) {
        switch self {
        case .baseline: Synthesis.convolve(out, count: count, samples: samples, taps: taps, tapCount: tapCount)
        case .avx2: SynthesisAVX2.convolve(out, count: count, samples: samples, taps: taps, tapCount: tapCount)
        }
    }

    @_noLocks @_noAllocation
    func overlap(
        _ out: UnsafeMutablePointer<Float>, count: Int, ending: UnsafePointer<Float>, falling: UnsafePointer<Float>,
        beginning: UnsafePointer<Float>, rising: UnsafePointer<Float>
    ) {
        switch self {
        case .baseline:
            Synthesis.overlap(out, count: count, ending: ending, falling: falling, beginning: beginning, rising: rising)
        case .avx2:
            SynthesisAVX2.overlap(out, count: count, ending: ending, falling: falling, beginning: beginning, rising: rising)
        }
    }

    /// Reads a sound `lateness[i]` frames late in the left ear and as much early in the right one. The ring must hold all of these frames;
    /// at index 0, the frame at `middle` is the one in the middle of the head.
    @_noLocks @_noAllocation
    func fillSpin(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, ring: UnsafePointer<Float>, capacity: Int,
        shape: SpinShape, lateness: UnsafePointer<Float>, middle: Int64, scratch: UnsafeMutablePointer<Float>
    ) {
        switch self {
        case .baseline:
            Synthesis.fillSpin(
                left, right, count: count, ring: ring, capacity: capacity, taps: shape.taps, phases: SpinShape.phases,
                reach: shape.reach, lateness: lateness, middle: middle, scratch: scratch)
        case .avx2:
            SynthesisAVX2.fillSpin(
                left, right, count: count, ring: ring, capacity: capacity, taps: shape.taps, phases: SpinShape.phases,
                reach: shape.reach, lateness: lateness, middle: middle, scratch: scratch)
        }
    }
}
