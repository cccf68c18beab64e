import Foundation
import Synthesis
import SynthesisAVX2
import Testing

@Suite("Noise kernels")
struct NoiseKernelTests {
    /// A block of which one line has the magnitude 1, transformed by either version.
    private func block(line: Int, length: Int, isWide: Bool) -> (real: [Float], imaginary: [Float]) {
        var (real, imaginary) = ([Float](repeating: 0, count: length), [Float](repeating: 0, count: length))
        let bits = length.trailingZeroBitCount
        let place = (0..<bits).reduce(0) { $0 << 1 | (line >> $1) & 1 }
        var magnitudes = [Float](repeating: 0, count: length)
        // Rows and columns of each 64 places are exchanged.
        magnitudes[place & ~63 | (place & 7) << 3 | (place >> 3) & 7] = 1
        func turns(_ count: Int, _ part: Double) -> [Float] {
            (0..<count).map { Float(cos(2 * .pi * Double($0) * part)) } + (0..<count).map { Float(sin(2 * .pi * Double($0) * part)) }
        }
        // Units one by one, and in runs of several.
        func runs(_ body: (_ unit: Int, _ units: Int) -> Void) {
            var unit = 0
            while unit < length / 64 {
                let units = min(1 + unit % 4, length / 64 - unit)
                body(unit, units)
                unit += units
            }
        }
        runs { unit, units in
            if isWide {
                SynthesisAVX2.drawLines(&real, &imaginary, first: 64 * unit, units: units, magnitudes: magnitudes, key: 7)
            } else {
                Synthesis.drawLines(&real, &imaginary, first: 64 * unit, units: units, magnitudes: magnitudes, key: 7)
            }
        }
        var span = 8
        if bits % 2 == 0 {
            runs { unit, units in
                if isWide {
                    SynthesisAVX2.transformByTwo(&real, &imaginary, first: 32 * unit, units: units, twiddles: turns(8, 1 / 16))
                } else {
                    Synthesis.transformByTwo(&real, &imaginary, first: 32 * unit, units: units, twiddles: turns(8, 1 / 16))
                }
            }
            span = 16
        }
        while span < length {
            let twiddles = [2, 1, 3].flatMap { turns(span, $0 / Double(4 * span)) }
            runs { unit, units in
                if isWide {
                    SynthesisAVX2.transformByFour(&real, &imaginary, first: 16 * unit, units: units, span: span, twiddles: twiddles)
                } else {
                    Synthesis.transformByFour(&real, &imaginary, first: 16 * unit, units: units, span: span, twiddles: twiddles)
                }
            }
            span *= 4
        }
        return (real, imaginary)
    }

    @Test("A spectrum of one line becomes a rotation at that line's frequency, the same in both versions", arguments: [256, 512])
    func transform(length: Int) {
        for line in [0, 1, 2, 3, 7, 8, 65, 100, length / 2, length - 1] {
            let (real, imaginary) = block(line: line, length: length, isWide: false)
            let angle = 2 * Double.pi * Double(line) / Double(length)
            var largest = 0.0
            for n in 0..<length {
                let (c, s) = (cos(angle * Double(n)), sin(angle * Double(n)))
                let (x, y) = (Double(real[0]), Double(imaginary[0]))
                largest = max(largest, abs(Double(real[n]) - (x * c - y * s)), abs(Double(imaginary[n]) - (x * s + y * c)))
            }
            #expect(largest < 2e-6, "line \(line)")
            #expect(abs(real[0] * real[0] + imaginary[0] * imaginary[0] - 1) < 1e-5)
            if KernelTests.hasAVX2 {
                let wide = block(line: line, length: length, isWide: true)
                let pairs = zip(wide.real + wide.imaginary, real + imaginary)
                #expect(pairs.allSatisfy { abs($0 - $1) < 1e-6 }, "line \(line)")
            }
        }
    }

    @Test(
        "Uniform numbers have the same bits in both versions, spins nearly so",
        .enabled(if: KernelTests.hasAVX2, "the processor has no AVX2"))
    func versions() {
        let count = 100
        var outputs: [[Float]] = []
        let keys = SIMD2<UInt64>(0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93)
        let ring = (0..<1040).map { Float(sin(Double($0 % 1024))) }, taps = (0..<513 * 16).map { Float(cos(Double($0))) }
        let lateness = (0..<104).map { Float(sin(Double($0))) * 40 }
        var scratch = [Float](repeating: 0, count: 256)
        for isWide in [false, true] {
            var (one, other) = ([Float](repeating: 0, count: 104), [Float](repeating: 0, count: 104))
            if isWide {
                SynthesisAVX2.fillUniform(&one, &other, count: count, keys: keys, counter: .max - 99)
            } else {
                Synthesis.fillUniform(&one, &other, count: count, keys: keys, counter: .max - 99)
            }
            outputs.append(Array(one[..<count] + other[..<count]))
            if isWide {
                SynthesisAVX2.fillSpin(
                    &one, &other, count: count, ring: ring, capacity: 1024, taps: taps, phases: 512, reach: 48, lateness: lateness,
                    middle: -7, scratch: &scratch)
            } else {
                Synthesis.fillSpin(
                    &one, &other, count: count, ring: ring, capacity: 1024, taps: taps, phases: 512, reach: 48, lateness: lateness,
                    middle: -7, scratch: &scratch)
            }
            outputs.append(Array(one[..<count] + other[..<count]))
        }
        #expect(outputs[0] == outputs[2])
        #expect(zip(outputs[1], outputs[3]).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect(Set(outputs[0]).count > 190)
        #expect(outputs[0].allSatisfy { abs($0) < 1.2248 })
    }

    /// The kernels that add noise, and those whose results they have to have, in one version.
    private struct Adding {
        typealias Samples = UnsafeMutablePointer<Float>
        typealias Source = UnsafePointer<Float>

        let addProduct: (Samples, Int, Source, Float) -> Void
        let fillUniform: (Samples, Samples, Int, SIMD2<UInt64>, UInt32) -> Void
        let addUniform: (Samples, Samples, Int, SIMD2<UInt64>, UInt32, Float, Float, Float) -> Void
        let overlap: (Samples, Int, Source, Source, Source, Source) -> Void
        let addOverlaps: (Samples, Samples, Int, Source, Source, Source, Source, Int, Float, Float, Float) -> Void

        static var baseline: Adding {
            Adding(
                addProduct: Synthesis.addProduct(to:count:source:gain:), fillUniform: Synthesis.fillUniform,
                addUniform: Synthesis.addUniform, overlap: Synthesis.overlap, addOverlaps: Synthesis.addOverlaps)
        }

        static var wide: Adding {
            Adding(
                addProduct: SynthesisAVX2.addProduct(to:count:source:gain:), fillUniform: SynthesisAVX2.fillUniform,
                addUniform: SynthesisAVX2.addUniform, overlap: SynthesisAVX2.overlap, addOverlaps: SynthesisAVX2.addOverlaps)
        }
    }

    @Test(
        "Noise that is added has the bits of noise that is filled in, multiplied and added",
        arguments: KernelTests.hasAVX2 ? [false, true] : [false], [1, 8, 61, 104])
    func additions(isWide: Bool, count: Int) {
        let kernels = isWide ? Adding.wide : .baseline
        let (keys, start) = (SIMD2<UInt64>(0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93), (0..<112).map { Float(sin(Double($0))) })
        let blocks = (0..<2048).map { Float(sin(Double($0) * 0.7)) }, windows = (0..<512).map { Float(cos(Double($0) * 0.01)) }
        var (left, right, first, second) = (start, start, [Float](repeating: 0, count: 112), [Float](repeating: 0, count: 112))
        var (expectedLeft, expectedRight) = (start, start)
        func expect(_ what: String) {
            kernels.addProduct(&expectedLeft, count, first, 0.3)
            kernels.addProduct(&expectedRight, count, first, 0.2)
            kernels.addProduct(&expectedRight, count, second, 0.1)
            #expect(left == expectedLeft && right == expectedRight, "\(what)")
        }
        kernels.fillUniform(&first, &second, count, keys, 7)
        kernels.addUniform(&left, &right, count, keys, 7, 0.3, 0.2, 0.1)
        expect("white noise")
        blocks.withUnsafeBufferPointer { blocks in
            windows.withUnsafeBufferPointer { windows in
                let (ending, beginning) = (blocks.baseAddress! + 3, blocks.baseAddress! + 1030)
                let (falling, rising) = (windows.baseAddress! + 250, windows.baseAddress! + 5)
                kernels.overlap(&first, count, ending, falling, beginning, rising)
                kernels.overlap(&second, count, ending + 512, falling, beginning + 512, rising)
                kernels.addOverlaps(&left, &right, count, ending, falling, beginning, rising, 512, 0.3, 0.2, 0.1)
            }
        }
        expect("coloured noise")
    }

    @Test("A shifted sine is within 4e-7 of the exact one, and finite at any shift")
    func shifted() {
        let count = 4096
        let shifts = (0..<count).map { Float(sin(Double($0) * 0.37)) * 1.25 }
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        let step = UInt64(1) << 53 &+ 12345
        Synthesis.fillShiftedSines(&left, &right, count: count, phase: 99, d1: step, d2: 0, d3: 0, d4: 0, shifts: shifts)
        var largest = 0.0
        for i in 0..<count {
            let phase = Double((99 &+ UInt64(i) &* step) >> 11) * 0x1p-53
            largest = max(largest, abs(Double(left[i]) - sin(2 * .pi * (phase + Double(shifts[i])))))
            largest = max(largest, abs(Double(right[i]) - sin(2 * .pi * (phase - Double(shifts[i])))))
        }
        #expect(largest < 4e-7, "\(largest)")
        let wild: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, 5, -5, .greatestFiniteMagnitude]
        Synthesis.fillShiftedSines(&left, &right, count: 8, phase: 99, d1: step, d2: 1, d3: 2, d4: 3, shifts: wild)
        #expect((left[..<8] + right[..<8]).allSatisfy { abs($0) <= 1.0001 }, "\(left[..<8]) \(right[..<8])")
    }
}
