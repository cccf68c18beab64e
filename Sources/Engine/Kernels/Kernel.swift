// Either thread: control chooses a kernel, the render thread calls it.

import Glibc
import Synthesis
import SynthesisAVX2

/// The instruction set that the sound is computed with. The same kernel gives the same bits on every machine.
package enum Kernel: String, CaseIterable, Sendable {
    case baseline
    /// AVX2 and fused multiply-add (x86-64 only).
    case avx2

    /// Whether this machine can run it. Reads `/proc/cpuinfo`, so not for the render thread.
    package var isAvailable: Bool {
        switch self {
        case .baseline: true
        case .avx2: Kernel.processorFlags().isSuperset(of: ["avx2", "fma"])
        }
    }

    /// The fastest one that this machine can run.
    package static var best: Kernel { Kernel.avx2.isAvailable ? .avx2 : .baseline }

    /// Flags of the first processor; empty if they cannot be read.
    private static func processorFlags() -> Set<String> {
        guard let file = fopen("/proc/cpuinfo", "r") else { return [] }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0, let text = line {
            let parts = String(cString: text).split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].hasPrefix("flags") {
                return Set(parts[1].split(whereSeparator: \.isWhitespace).map(String.init))
            }
        }
        return []
    }
}

// Render thread: calls of the kernels, chosen by `switch` since a function pointer could not be checked for locks and allocations.
extension Kernel {
    @_noLocks @_noAllocation
    func addSine(to out: UnsafeMutablePointer<Float>, count: Int, phase p: PhaseDifferences, gain: Float) {
        switch self {
        case .baseline:
            Synthesis.addSine(to: out, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4, gain: gain)
        case .avx2:
            SynthesisAVX2.addSine(to: out, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4, gain: gain)
        }
    }

    @_noLocks @_noAllocation
    func addSine(to out: UnsafeMutablePointer<Float>, count: Int, phase p: PhaseDifferences, gains: UnsafePointer<Float>) {
        switch self {
        case .baseline:
            Synthesis.addSine(to: out, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4, gains: gains)
        case .avx2:
            SynthesisAVX2.addSine(to: out, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4, gains: gains)
        }
    }

    /// Adds two sines, one for each ear.
    @_noLocks @_noAllocation
    @inline(__always)
    func addSines(
        to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int,
        _ l: PhaseDifferences, _ r: PhaseDifferences, leftGain: Float, rightGain: Float
    ) {
        switch self {
        case .baseline:
            Synthesis.addSines(
                to: left, right, count: count, leftPhase: l.phase, l.d1, l.d2, l.d3, l.d4, rightPhase: r.phase, r.d1, r.d2, r.d3, r.d4,
                leftGain: leftGain, rightGain: rightGain)
        case .avx2:
            SynthesisAVX2.addSines(
                to: left, right, count: count, leftPhase: l.phase, l.d1, l.d2, l.d3, l.d4, rightPhase: r.phase, r.d1, r.d2, r.d3, r.d4,
                leftGain: leftGain, rightGain: rightGain)
        }
    }

    /// Adds two sines, one for each ear, with a moving gain; `gains` is scratch space.
    @_noLocks @_noAllocation
    @inline(__always)
    func addSines(
        to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int,
        _ l: PhaseDifferences, _ r: PhaseDifferences, gain p: UnsafePointer<ValuePiece>, frame: Int64, gains: UnsafeMutablePointer<Float>
    ) {
        let first = Int32(truncatingIfNeeded: frame &- p.pointee.start)
        let scale = p.pointee.inverseLength
        switch self {
        case .baseline:
            Synthesis.addSines(
                to: left, right, count: count, leftPhase: l.phase, l.d1, l.d2, l.d3, l.d4, rightPhase: r.phase, r.d1, r.d2, r.d3, r.d4,
                gains: gains, first: first, inverseLength: scale, p.pointee.c0, p.pointee.c1, p.pointee.c2, p.pointee.c3, p.pointee.c4,
                p.pointee.c5)
        case .avx2:
            SynthesisAVX2.addSines(
                to: left, right, count: count, leftPhase: l.phase, l.d1, l.d2, l.d3, l.d4, rightPhase: r.phase, r.d1, r.d2, r.d3, r.d4,
                gains: gains, first: first, inverseLength: scale, p.pointee.c0, p.pointee.c1, p.pointee.c2, p.pointee.c3, p.pointee.c4,
                p.pointee.c5)
        }
    }

    /// Fills the frames of a cell from the values at its nodes.
    @_noLocks @_noAllocation
    func interpolate(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, leftNodes: UnsafePointer<Float>,
        rightNodes: UnsafePointer<Float>, weights: UnsafePointer<Double>
    ) {
        switch self {
        case .baseline: Synthesis.interpolate(left, right, leftNodes: leftNodes, rightNodes: rightNodes, weights: weights)
        case .avx2: SynthesisAVX2.interpolate(left, right, leftNodes: leftNodes, rightNodes: rightNodes, weights: weights)
        }
    }

    @_noLocks @_noAllocation
    func fillSine(_ out: UnsafeMutablePointer<Float>, count: Int, phase p: PhaseDifferences) {
        switch self {
        case .baseline: Synthesis.fillSine(out, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4)
        case .avx2: SynthesisAVX2.fillSine(out, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4)
        }
    }

    /// The same, with the bits of the baseline kernel: where a sine moves something else, kernels would differ by more than their sines do.
    @_noLocks @_noAllocation
    func fillBaselineSine(_ out: UnsafeMutablePointer<Float>, count: Int, phase p: PhaseDifferences) {
        switch self {
        case .baseline: Synthesis.fillSine(out, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4)
        case .avx2: SynthesisAVX2.fillBaselineSine(out, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4)
        }
    }

    @_noLocks @_noAllocation
    func fillShiftedSines(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, phase p: PhaseDifferences,
        shifts: UnsafePointer<Float>
    ) {
        switch self {
        case .baseline:
            Synthesis.fillShiftedSines(left, right, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4, shifts: shifts)
        case .avx2:
            SynthesisAVX2.fillShiftedSines(
                left, right, count: count, phase: p.phase, d1: p.d1, d2: p.d2, d3: p.d3, d4: p.d4, shifts: shifts)
        }
    }

    @_noLocks @_noAllocation
    func addProduct(to out: UnsafeMutablePointer<Float>, count: Int, source: UnsafePointer<Float>, gain: Float) {
        switch self {
        case .baseline: Synthesis.addProduct(to: out, count: count, source: source, gain: gain)
        case .avx2: SynthesisAVX2.addProduct(to: out, count: count, source: source, gain: gain)
        }
    }

    @_noLocks @_noAllocation
    func addProduct(
        to out: UnsafeMutablePointer<Float>, count: Int, source: UnsafePointer<Float>, gains: UnsafePointer<Float>
    ) {
        switch self {
        case .baseline: Synthesis.addProduct(to: out, count: count, source: source, gains: gains)
        case .avx2: SynthesisAVX2.addProduct(to: out, count: count, source: source, gains: gains)
        }
    }

    /// Fills `out` with the values of a piece from plan frame `frame` on, all of them inside the piece.
    @_noLocks @_noAllocation
    func fill(_ out: UnsafeMutablePointer<Float>, count: Int, piece: UnsafePointer<ValuePiece>, frame: Int64) {
        let p = piece.pointee
        let first = Int32(truncatingIfNeeded: frame &- p.start)
        switch self {
        case .baseline:
            Synthesis.fillPolynomial(
                out, count: count, first: first, inverseLength: p.inverseLength, p.c0, p.c1, p.c2, p.c3, p.c4, p.c5)
        case .avx2:
            SynthesisAVX2.fillPolynomial(
                out, count: count, first: first, inverseLength: p.inverseLength, p.c0, p.c1, p.c2, p.c3, p.c4, p.c5)
        }
    }

    /// Fills `out` with the levels on an edge of a pulse.
    @_noLocks @_noAllocation
    func fillEdge(
        _ out: UnsafeMutablePointer<Float>, count: Int, phase: UInt64, step: UInt64, from start: Double, sign: Double, scale: Double
    ) {
        switch self {
        case .baseline: Synthesis.fillEdge(out, count: count, phase: phase, step: step, from: start, sign: sign, scale: scale)
        case .avx2: SynthesisAVX2.fillEdge(out, count: count, phase: phase, step: step, from: start, sign: sign, scale: scale)
        }
    }
}
