// Render thread: the loops that take most of the time. This file is compiled twice, into `Synthesis` for the baseline instruction set and
// (through a link) into `SynthesisAVX2` for AVX2 with fused multiply-add; `Engine` chooses at start-up. It is one long file because debug
// builds inline nothing from another.
//
// Every function works element by element: what is written at index i depends on i alone and not on where the block begins or ends, so
// cutting a sound into blocks differently does not change a bit.
//
// A phase is given as `phase, d1, d2, d3, d4`: the value at index 0 and its forward differences of first to fourth order, in units
// of 2^-64 cycle, in wrapping arithmetic: `phase + i*d1 + C(i,2)*d2 + C(i,3)*d3 + C(i,4)*d4` exactly.

/// `out[i] += gain * sin(phase(i))`
@_noLocks @_noAllocation
@inline(never)
package func addSine(
    to out: UnsafeMutablePointer<Float>, count: Int,
    phase: UInt64, d1: UInt64, d2: UInt64, d3: UInt64, d4: UInt64, gain: Float
) {
    let gains = SteadyGains(left: gain, right: gain)
    if d2 | d3 | d4 == 0 {
        add(to: out, count: count, SteadyPhases(phase: phase, d1: d1), gains)
    } else {
        add(to: out, count: count, MovingPhases(phase: phase, d1: d1, d2: d2, d3: d3, d4: d4), gains)
    }
}

/// `out[i] += gains[i] * sin(phase(i))`; `gains` is readable up to the next multiple of 8.
@_noLocks @_noAllocation
@inline(never)
package func addSine(
    to out: UnsafeMutablePointer<Float>, count: Int,
    phase: UInt64, d1: UInt64, d2: UInt64, d3: UInt64, d4: UInt64, gains: UnsafePointer<Float>
) {
    addSine(to: out, count: count, phase, d1, d2, d3, d4, gains: gains)
}

@inline(__always)
private func addSine(
    to out: UnsafeMutablePointer<Float>, count: Int, _ phase: UInt64, _ d1: UInt64, _ d2: UInt64, _ d3: UInt64, _ d4: UInt64,
    gains: UnsafePointer<Float>
) {
    let gains = ListedGains(gains: gains)
    if d2 | d3 | d4 == 0 {
        add(to: out, count: count, SteadyPhases(phase: phase, d1: d1), gains)
    } else if d4 == 0, d3 == 0 {
        add(to: out, count: count, LinearPhases(phase: phase, d1: d1, d2: d2), gains)
    } else if d4 == 0 {
        add(to: out, count: count, BentPhases(phase: phase, d1: d1, d2: d2, d3: d3), gains)
    } else {
        add(to: out, count: count, MovingPhases(phase: phase, d1: d1, d2: d2, d3: d3, d4: d4), gains)
    }
}

/// `left[i] += leftGain * sin(phase(i))` and `right[i] += rightGain * sin(phase(i))`, each with the phase of its own ear.
@_noLocks @_noAllocation
@inline(never)
package func addSines(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int,
    leftPhase: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64, _ l4: UInt64,
    rightPhase: UInt64, _ r1: UInt64, _ r2: UInt64, _ r3: UInt64, _ r4: UInt64, leftGain: Float, rightGain: Float
) {
    let gains = SteadyGains(left: leftGain, right: rightGain)
    if l4 | r4 != 0 {
        let l = MovingPhases(phase: leftPhase, d1: l1, d2: l2, d3: l3, d4: l4)
        let r = MovingPhases(phase: rightPhase, d1: r1, d2: r2, d3: r3, d4: r4)
        add(to: left, right, count: count, l, r, gains)
    } else if l3 | r3 != 0 {
        let l = BentPhases(phase: leftPhase, d1: l1, d2: l2, d3: l3)
        add(to: left, right, count: count, l, BentPhases(phase: rightPhase, d1: r1, d2: r2, d3: r3), gains)
    } else if l2 | r2 != 0 {
        let l = LinearPhases(phase: leftPhase, d1: l1, d2: l2)
        add(to: left, right, count: count, l, LinearPhases(phase: rightPhase, d1: r1, d2: r2), gains)
    } else {
        add(to: left, right, count: count, SteadyPhases(phase: leftPhase, d1: l1), SteadyPhases(phase: rightPhase, d1: r1), gains)
    }
}

/// The same with one gain for both ears that moves as in ``fillPolynomial``; `gains` is scratch space, writable to a multiple of 8.
@_noLocks @_noAllocation
@inline(never)
package func addSines(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int,
    leftPhase: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64, _ l4: UInt64,
    rightPhase: UInt64, _ r1: UInt64, _ r2: UInt64, _ r3: UInt64, _ r4: UInt64, gains: UnsafeMutablePointer<Float>,
    first: Int32, inverseLength: Float, _ c0: Float, _ c1: Float, _ c2: Float, _ c3: Float, _ c4: Float, _ c5: Float
) {
    fill(gains, count: count, first: first, inverseLength: inverseLength, c0, c1, c2, c3, c4, c5)
    // One ear after the other: the processor does not have enough registers for both.
    addSine(to: left, count: count, leftPhase, l1, l2, l3, l4, gains: gains)
    addSine(to: right, count: count, rightPhase, r1, r2, r3, r4, gains: gains)
}

/// `out[i] = c0 + t*(c1 + t*(c2 + ... t*c5))` with `t = (first + i) * inverseLength`. `out` is writable up to the next multiple of 8;
/// `first + i` stays below 2^24, up to which a `Float` can represent every frame.
@_noLocks @_noAllocation
@inline(never)
package func fillPolynomial(
    _ out: UnsafeMutablePointer<Float>, count: Int, first: Int32, inverseLength: Float,
    _ c0: Float, _ c1: Float, _ c2: Float, _ c3: Float, _ c4: Float, _ c5: Float
) {
    fill(out, count: count, first: first, inverseLength: inverseLength, c0, c1, c2, c3, c4, c5)
}

@inline(__always)
private func fill(
    _ out: UnsafeMutablePointer<Float>, count: Int, first: Int32, inverseLength: Float,
    _ c0: Float, _ c1: Float, _ c2: Float, _ c3: Float, _ c4: Float, _ c5: Float
) {
    var values = PolynomialValues(first: first, inverseLength: inverseLength, c0, c1, c2, c3, c4, c5)
    var i = 0
    while i < count {
        store(values.next(), to: out, at: i)
        i &+= 8
    }
}

/// `out[i] += gain * source[i]`; `source` is readable up to the next multiple of 8.
@_noLocks @_noAllocation
@inline(never)
package func addProduct(to out: UnsafeMutablePointer<Float>, count: Int, source: UnsafePointer<Float>, gain: Float) {
    let gains = SIMD8<Float>(repeating: gain)
    var i = 0
    while i &+ 8 <= count {
        accumulate(load(source, at: i), gains, to: out, at: i)
        i &+= 8
    }
    if i < count { accumulateTail(load(source, at: i), gains, to: out, at: i, count: count) }
}

/// `out[i] += gains[i] * source[i]`; both are readable up to the next multiple of 8.
@_noLocks @_noAllocation
@inline(never)
package func addProduct(
    to out: UnsafeMutablePointer<Float>, count: Int, source: UnsafePointer<Float>, gains: UnsafePointer<Float>
) {
    var i = 0
    while i &+ 8 <= count {
        accumulate(load(source, at: i), load(gains, at: i), to: out, at: i)
        i &+= 8
    }
    if i < count { accumulateTail(load(source, at: i), load(gains, at: i), to: out, at: i, count: count) }
}

/// `out[i] = sin(phase(i))`; `out` is writable up to the next multiple of 8.
@_noLocks @_noAllocation
@inline(never)
package func fillSine(
    _ out: UnsafeMutablePointer<Float>, count: Int, phase: UInt64, d1: UInt64, d2: UInt64, d3: UInt64, d4: UInt64
) {
    if d2 | d3 | d4 == 0 {
        fill(out, count: count, SteadyPhases(phase: phase, d1: d1))
    } else if d4 == 0, d3 == 0 {
        fill(out, count: count, LinearPhases(phase: phase, d1: d1, d2: d2))
    } else {
        fill(out, count: count, MovingPhases(phase: phase, d1: d1, d2: d2, d3: d3, d4: d4))
    }
}

/// The same, with the bits of the baseline kernel in both versions.
@_noLocks @_noAllocation
@inline(never)
package func fillBaselineSine(
    _ out: UnsafeMutablePointer<Float>, count: Int, phase: UInt64, d1: UInt64, d2: UInt64, d3: UInt64, d4: UInt64
) {
    if d2 | d3 | d4 == 0 {
        fill(out, count: count, SteadyPhases(phase: phase, d1: d1), isFused: false)
    } else if d4 == 0, d3 == 0 {
        fill(out, count: count, LinearPhases(phase: phase, d1: d1, d2: d2), isFused: false)
    } else {
        fill(out, count: count, MovingPhases(phase: phase, d1: d1, d2: d2, d3: d3, d4: d4), isFused: false)
    }
}

/// `left[i] = sin(phase(i) + shifts[i])`, `right[i] = sin(phase(i) - shifts[i])`, with shifts in cycles. All three are readable and writable up to
/// the next multiple of 8.
@_noLocks @_noAllocation
@inline(never)
package func fillShiftedSines(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, phase: UInt64, d1: UInt64, d2: UInt64,
    d3: UInt64,
    d4: UInt64, shifts: UnsafePointer<Float>
) {
    if d2 | d3 | d4 == 0 {
        fill(left, right, count: count, SteadyPhases(phase: phase, d1: d1), shifts)
    } else {
        fill(left, right, count: count, MovingPhases(phase: phase, d1: d1, d2: d2, d3: d3, d4: d4), shifts)
    }
}

@inline(__always)
private func fill<P: Phases>(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, _ phases: P, _ shifts: UnsafePointer<Float>
) {
    var phases = phases
    var i = 0
    while i < count {
        // To 2^-32 cycle, in two steps, since a float has 24 bits. Beyond four cycles, which only an invalid value is, any phase will do.
        let shift = load(shifts, at: i) * 0x1p20
        let whole = shift + 0x1.8p23
        let rest = shift - (whole - 0x1.8p23)
        let units = (rounded(shift) &<< 12) &+ rounded(rest * 0x1p12)
        let phase = phases.next()
        store(sine(late: phase &+ units), to: left, at: i)
        store(sine(late: phase &- units), to: right, at: i)
        i &+= 8
    }
}

@inline(__always)
private func fill<P: Phases>(_ out: UnsafeMutablePointer<Float>, count: Int, _ phases: P, isFused: Bool = true) {
    var phases = phases
    var i = 0
    while i < count {
        store(sine(late: phases.next(), isFused: isFused), to: out, at: i)
        i &+= 8
    }
}

/// Adds voices of two sines, one for each ear, at the 16 nodes of a cell.
///
/// The phase at node j is, in units of 2^-32 cycle, with m = j - 8: `phase + m*step + C(m,2)*d2 + C(m,3)*d3 + C(m,4)*d4`, a
/// quarter of a cycle late. So few digits lose at most 4e-8 radians, since no node is far from the eighth.
///
/// - Parameters:
///   - kind: 0, steady frequencies; 1, frequencies that move linearly; 2, as parabolas; 3, the same, and each ear hears both sines; 4,
///     frequencies that move linearly and one gain for both ears that moves; 5, frequencies that move as parabolas and such a gain; 6,
///     steady frequencies, and each ear hears both sines; 7, frequencies that move as polynomials of third degree; 8, the same and one gain
///     for both ears that moves; 9, the same as 7, and each ear hears both sines.
///   - phases: Four for each voice: phase and step of the left sine, then of the right one.
///   - bends: Eight for each voice: d2 as its bit pattern, d3, d4 and nothing of the left sine, then of the right one. Not used by the kinds 0
///     and 6.
///   - gains: Eight for each voice. In the kinds 0 to 3, 6, 7 and 9: the left sine in the left ear, the right sine in the right ear, the right sine in the
///     left ear, the left sine in the right ear. In the others: t at the first node and its difference from node to node, and the
///     coefficients of the polynomial of t from the lowest up.
@_noLocks @_noAllocation
@inline(never)
package func addVoices(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, kind: Int, count: Int, phases: UnsafePointer<UInt32>,
    bends: UnsafePointer<Float>, gains: UnsafePointer<Float>
) {
    switch kind {
    case 0: addVoices(to: left, right, count: count, phases, bends, gains, degree: 1, isMixed: false, isMoving: false)
    case 1: addVoices(to: left, right, count: count, phases, bends, gains, degree: 2, isMixed: false, isMoving: false)
    case 2: addVoices(to: left, right, count: count, phases, bends, gains, degree: 3, isMixed: false, isMoving: false)
    case 3: addVoices(to: left, right, count: count, phases, bends, gains, degree: 3, isMixed: true, isMoving: false)
    case 4: addVoices(to: left, right, count: count, phases, bends, gains, degree: 2, isMixed: false, isMoving: true)
    case 5: addVoices(to: left, right, count: count, phases, bends, gains, degree: 3, isMixed: false, isMoving: true)
    case 7: addVoices(to: left, right, count: count, phases, bends, gains, degree: 4, isMixed: false, isMoving: false)
    case 8: addVoices(to: left, right, count: count, phases, bends, gains, degree: 4, isMixed: false, isMoving: true)
    case 9: addVoices(to: left, right, count: count, phases, bends, gains, degree: 4, isMixed: true, isMoving: false)
    default: addVoices(to: left, right, count: count, phases, bends, gains, degree: 1, isMixed: true, isMoving: false)
    }
}

/// The degree of the phases and the flags are constants.
@inline(__always)
private func addVoices(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, _ phases: UnsafePointer<UInt32>,
    _ bends: UnsafePointer<Float>, _ gains: UnsafePointer<Float>, degree: Int, isMixed: Bool, isMoving: Bool
) {
    var (leftLow, leftHigh, rightLow, rightHigh) = (load(left, at: 0), load(left, at: 8), load(right, at: 0), load(right, at: 8))
    var (phases, bends, gains) = (phases, bends, gains)
    for _ in 0..<count {
        let l = NodePhases(phases[0], phases[1], bends, degree: degree)
        let (lLow, lHigh) = (sine(late: l.low), sine(late: l.high))
        let r = NodePhases(phases[2], phases[3], bends + 4, degree: degree)
        let (rLow, rHigh) = (sine(late: r.low), sine(late: r.high))
        if isMoving {
            let t = multiplyAdd(SIMD8(0, 1, 2, 3, 4, 5, 6, 7), SIMD8(repeating: gains[1]), SIMD8(repeating: gains[0]))
            let (low, high) = (polynomial(t, gains + 2), polynomial(t + SIMD8(repeating: 8 * gains[1]), gains + 2))
            leftLow = multiplyAdd(lLow, low, leftLow)
            leftHigh = multiplyAdd(lHigh, high, leftHigh)
            rightLow = multiplyAdd(rLow, low, rightLow)
            rightHigh = multiplyAdd(rHigh, high, rightHigh)
        } else {
            let (inLeft, inRight) = (SIMD8<Float>(repeating: gains[0]), SIMD8<Float>(repeating: gains[1]))
            leftLow = multiplyAdd(lLow, inLeft, leftLow)
            leftHigh = multiplyAdd(lHigh, inLeft, leftHigh)
            rightLow = multiplyAdd(rLow, inRight, rightLow)
            rightHigh = multiplyAdd(rHigh, inRight, rightHigh)
        }
        if isMixed {
            let (other, across) = (SIMD8<Float>(repeating: gains[2]), SIMD8<Float>(repeating: gains[3]))
            leftLow = multiplyAdd(rLow, other, leftLow)
            leftHigh = multiplyAdd(rHigh, other, leftHigh)
            rightLow = multiplyAdd(lLow, across, rightLow)
            rightHigh = multiplyAdd(lHigh, across, rightHigh)
        }
        phases += 4
        bends += 8
        gains += 8
    }
    store(leftLow, to: left, at: 0)
    store(leftHigh, to: left, at: 8)
    store(rightLow, to: right, at: 0)
    store(rightHigh, to: right, at: 8)
}

@inline(__always)
private func polynomial(_ t: SIMD8<Float>, _ c: UnsafePointer<Float>) -> SIMD8<Float> {
    var value = multiplyAdd(SIMD8(repeating: c[5]), t, SIMD8(repeating: c[4]))
    value = multiplyAdd(value, t, SIMD8(repeating: c[3]))
    value = multiplyAdd(value, t, SIMD8(repeating: c[2]))
    value = multiplyAdd(value, t, SIMD8(repeating: c[1]))
    return multiplyAdd(value, t, SIMD8(repeating: c[0]))
}

/// The phases of a sine at the nodes 0 to 7 and 8 to 15.
private struct NodePhases {
    let low: SIMD8<UInt32>
    let high: SIMD8<UInt32>

    @inline(__always)
    init(_ phase: UInt32, _ step: UInt32, _ bends: UnsafePointer<Float>, degree: Int) {
        let steps = SIMD8(repeating: step)
        var high = SIMD8(repeating: phase)
        #if FUSED_MULTIPLY_ADD
            high &+= steps &* SIMD8(0, 1, 2, 3, 4, 5, 6, 7)
        #else
            // By masks, since the baseline has no product of 32 bits.
            high &+= steps & SIMD8<UInt32>(0, .max, 0, .max, 0, .max, 0, .max)
            high &+= (steps &<< 1) & SIMD8<UInt32>(0, 0, .max, .max, 0, 0, .max, .max)
            high &+= (steps &<< 2) & SIMD8<UInt32>(0, 0, 0, 0, .max, .max, .max, .max)
        #endif
        var low = high &- (steps &<< 3)
        if degree > 1 {
            let d2 = SIMD8(repeating: bends[0].bitPattern)
            low &+= d2 &* SIMD8<UInt32>(36, 28, 21, 15, 10, 6, 3, 1)
            high &+= d2 &* SIMD8<UInt32>(0, 0, 1, 3, 6, 10, 15, 21)
        }
        if degree > 2 {
            let d3 = SIMD8(repeating: bends[1])
            low &+= rounded(d3 * SIMD8(-120, -84, -56, -35, -20, -10, -4, -1))
            high &+= rounded(d3 * SIMD8(0, 0, 0, 1, 4, 10, 20, 35))
        }
        if degree > 3 {
            let d4 = SIMD8(repeating: bends[2])
            low &+= rounded(d4 * SIMD8(330, 210, 126, 70, 35, 15, 5, 1))
            high &+= rounded(d4 * SIMD8(0, 0, 0, 0, 1, 5, 15, 35))
        }
        self.low = low
        self.high = high
    }
}

/// The nearest integers of magnitudes up to 2^22, as the lowest bits of floats that have no bits for fractions.
@inline(__always)
private func rounded(_ value: SIMD8<Float>) -> SIMD8<UInt32> {
    let magic = SIMD8<Float>(repeating: 0x1.8p23)
    return unsafeBitCast(value + magic, to: SIMD8<UInt32>.self) &- unsafeBitCast(magic, to: SIMD8<UInt32>.self)
}

/// `left[i]` is the sum over j of `weights[64 * j + i] * leftNodes[j]`, for i below 64 and j below 16; the same for the right ear.
@_noLocks @_noAllocation
@inline(never)
package func interpolate(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, leftNodes: UnsafePointer<Float>,
    rightNodes: UnsafePointer<Float>, weights: UnsafePointer<Double>
) {
    var i = 0
    while i < 64 {
        var leftSum = NodeSum()
        var rightSum = NodeSum()
        for j in 0..<16 {
            // SAFETY: i and the lanes behind it stay below 64.
            let weight = UnsafeRawPointer(weights + (64 &* j &+ i)).loadUnaligned(as: NodeSum.self)
            leftSum = multiplyAdd(weight, NodeSum(repeating: Double(leftNodes[j])), leftSum)
            rightSum = multiplyAdd(weight, NodeSum(repeating: Double(rightNodes[j])), rightSum)
        }
        for lane in 0..<NodeSum.scalarCount {
            left[i &+ lane] = Float(leftSum[lane])
            right[i &+ lane] = Float(rightSum[lane])
        }
        i &+= NodeSum.scalarCount
    }
}

#if FUSED_MULTIPLY_ADD
    /// As many frames as the registers have room for with both ears.
    private typealias NodeSum = SIMD16<Double>
#else
    private typealias NodeSum = SIMD8<Double>
#endif

// MARK: - Eight at once

/// Sine of a phase in units of 2^-32 cycle, given a quarter cycle late.
///
/// An odd polynomial of degree nine over a quarter cycle, fitted by least squares at equally spaced phases. Against an exact
/// sine of the same phase the residual is -147 dB RMS, most of it the rounding of `Float`.
///
/// - Parameter isFused: Whether products and sums are rounded once, where the instruction set allows.
@_noLocks @_noAllocation
@inline(__always)
func sine(late phase: SIMD8<UInt32>, isFused: Bool = true) -> SIMD8<Float> {
    // A quarter cycle late, the sine is a cosine, which depends only on how far the phase is from 0: so its quarters fold by magnitude.
    let late = SIMD8<Int32>(truncatingIfNeeded: phase)
    let sign = late &>> 31
    #if FUSED_MULTIPLY_ADD
        let folded = SIMD8(repeating: 1 << 30) &- ((late ^ sign) &- sign)
    #else
        // The same in an order that the compiler does not turn into a magnitude, which it would take before half of the phase is dropped.
        let folded = (SIMD8(repeating: 1 << 30) &+ sign) &- (late ^ sign)
    #endif
    let s = floats(folded) * 0x1p-30
    let z = s * s
    var value = multiplyAdd(SIMD8(repeating: 1.51263428e-04), z, SIMD8(repeating: -4.67313646e-03), isFused)
    value = multiplyAdd(value, z, SIMD8(repeating: 7.96890934e-02), isFused)
    value = multiplyAdd(value, z, SIMD8(repeating: -6.45963510e-01), isFused)
    value = multiplyAdd(value, z, SIMD8(repeating: 1.57079630e+00), isFused)
    return value * s
}

/// Sine of a phase in units of 2^-32 cycle.
@_noLocks @_noAllocation
@inline(__always)
func sine(_ phase: SIMD8<UInt32>) -> SIMD8<Float> {
    sine(late: phase &- SIMD8(repeating: 1 << 30))
}

/// The lanes one by one: in the baseline, the conversion of the whole vector would be a call.
@inline(__always)
private func floats(_ value: SIMD8<Int32>) -> SIMD8<Float> {
    SIMD8(
        Float(value[0]), Float(value[1]), Float(value[2]), Float(value[3]), Float(value[4]), Float(value[5]), Float(value[6]),
        Float(value[7]))
}

/// `a * b + c`, rounded once where the instruction set allows (elsewhere that would be eight calls of a library function).
@inline(__always)
private func multiplyAdd(_ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>, _ isFused: Bool = true) -> SIMD8<Float> {
    #if FUSED_MULTIPLY_ADD
        isFused ? c.addingProduct(a, b) : a * b + c
    #else
        a * b + c
    #endif
}

@inline(__always)
private func multiplyAdd(_ a: NodeSum, _ b: NodeSum, _ c: NodeSum) -> NodeSum {
    #if FUSED_MULTIPLY_ADD
        c.addingProduct(a, b)
    #else
        a * b + c
    #endif
}

@inline(__always)
private func load(_ source: UnsafePointer<Float>, at index: Int) -> SIMD8<Float> {
    // SAFETY: the callers' buffers reach to the next multiple of 8.
    UnsafeRawPointer(source + index).loadUnaligned(as: SIMD8<Float>.self)
}

@inline(__always)
private func store(_ value: SIMD8<Float>, to out: UnsafeMutablePointer<Float>, at index: Int) {
    // SAFETY: the callers' buffers reach to the next multiple of 8.
    UnsafeMutableRawPointer(out + index).storeBytes(of: value, as: SIMD8<Float>.self)
}

/// Adds `value * gain` to eight elements.
@inline(__always)
private func accumulate(_ value: SIMD8<Float>, _ gain: SIMD8<Float>, to out: UnsafeMutablePointer<Float>, at index: Int) {
    store(multiplyAdd(value, gain, load(out, at: index)), to: out, at: index)
}

/// Adds `value * gain` to the last elements, fewer than eight; memory from `count` on is not touched.
@inline(__always)
private func accumulateTail(
    _ value: SIMD8<Float>, _ gain: SIMD8<Float>, to out: UnsafeMutablePointer<Float>, at index: Int, count: Int
) {
    var sum = SIMD8<Float>()
    for lane in 0..<(count - index) { sum[lane] = out[index + lane] }
    sum = multiplyAdd(value, gain, sum)
    for lane in 0..<(count - index) { out[index + lane] = sum[lane] }
}

@inline(__always)
private func add<P: Phases, G: Gains>(to out: UnsafeMutablePointer<Float>, count: Int, _ phases: P, _ gains: G) {
    var (phases, gains) = (phases, gains)
    var i = 0
    while i &+ 8 <= count {
        accumulate(sine(late: phases.next()), gains.next().left, to: out, at: i)
        i &+= 8
    }
    if i < count { accumulateTail(sine(late: phases.next()), gains.next().left, to: out, at: i, count: count) }
}

@inline(__always)
private func add<L: Phases, R: Phases, G: Gains>(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, _ l: L, _ r: R, _ gains: G
) {
    var (l, r, gains) = (l, r, gains)
    var i = 0
    while i &+ 8 <= count {
        let gain = gains.next()
        accumulate(sine(late: l.next()), gain.left, to: left, at: i)
        accumulate(sine(late: r.next()), gain.right, to: right, at: i)
        i &+= 8
    }
    guard i < count else { return }
    let gain = gains.next()
    accumulateTail(sine(late: l.next()), gain.left, to: left, at: i, count: count)
    accumulateTail(sine(late: r.next()), gain.right, to: right, at: i, count: count)
}

/// A sequence of gains of both ears, eight frames at a time.
private protocol Gains {
    mutating func next() -> (left: SIMD8<Float>, right: SIMD8<Float>)
}

private struct SteadyGains: Gains {
    let left: SIMD8<Float>
    let right: SIMD8<Float>

    @inline(__always)
    init(left: Float, right: Float) {
        self.left = SIMD8(repeating: left)
        self.right = SIMD8(repeating: right)
    }

    @inline(__always)
    mutating func next() -> (left: SIMD8<Float>, right: SIMD8<Float>) { (left, right) }
}

/// The same gains for both ears, from a list that is readable up to the next multiple of 8.
private struct ListedGains: Gains {
    var gains: UnsafePointer<Float>

    @inline(__always)
    init(gains: UnsafePointer<Float>) {
        self.gains = gains
    }

    @inline(__always)
    mutating func next() -> (left: SIMD8<Float>, right: SIMD8<Float>) {
        let value = load(gains, at: 0)
        gains += 8
        return (value, value)
    }
}

private struct PolynomialValues {
    var index: SIMD8<Int32>
    let inverseLength: Float
    let (c0, c1, c2, c3, c4, c5): (Float, Float, Float, Float, Float, Float)

    @inline(__always)
    init(first: Int32, inverseLength: Float, _ c0: Float, _ c1: Float, _ c2: Float, _ c3: Float, _ c4: Float, _ c5: Float) {
        index = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7) &+ SIMD8(repeating: first)
        self.inverseLength = inverseLength
        (self.c0, self.c1, self.c2, self.c3, self.c4, self.c5) = (c0, c1, c2, c3, c4, c5)
    }

    @inline(__always)
    mutating func next() -> SIMD8<Float> {
        let t = floats(index) * inverseLength
        var value = multiplyAdd(SIMD8(repeating: c5), t, SIMD8(repeating: c4))
        value = multiplyAdd(value, t, SIMD8(repeating: c3))
        value = multiplyAdd(value, t, SIMD8(repeating: c2))
        value = multiplyAdd(value, t, SIMD8(repeating: c1))
        value = multiplyAdd(value, t, SIMD8(repeating: c0))
        index &+= SIMD8(repeating: 8)
        return value
    }
}

/// A sequence of the upper halves of phases, eight frames at a time, a quarter of a cycle late.
private protocol Phases {
    mutating func next() -> SIMD8<UInt32>
}

private let quarter: UInt64 = 1 << 62

/// The upper halves in the order of their frames. The lanes are for the frames 0 1 4 5 and 2 3 6 7, so that one shuffle is enough.
@inline(__always)
private func upperHalves(_ low: SIMD4<UInt64>, _ high: SIMD4<UInt64>) -> SIMD8<UInt32> {
    let (low, high) = (unsafeBitCast(low, to: SIMD8<UInt32>.self), unsafeBitCast(high, to: SIMD8<UInt32>.self))
    return SIMD8(low[1], low[3], high[1], high[3], low[5], low[7], high[5], high[7])
}

private struct SteadyPhases: Phases {
    var low: SIMD4<UInt64>
    var high: SIMD4<UInt64>
    let step: SIMD4<UInt64>

    @inline(__always)
    init(phase: UInt64, d1: UInt64) {
        let lanes = Lanes(phase: phase &- quarter, d1: d1)
        low = lanes.phases
        high = lanes.twoOn.phases
        step = lanes.step
    }

    @inline(__always)
    mutating func next() -> SIMD8<UInt32> {
        let upper = upperHalves(low, high)
        low &+= step
        high &+= step
        return upper
    }
}

/// Phases of a frequency that moves linearly.
private struct LinearPhases: Phases {
    var low: SIMD4<UInt64>
    var high: SIMD4<UInt64>
    var lowStep: SIMD4<UInt64>
    var highStep: SIMD4<UInt64>
    let bend: SIMD4<UInt64>

    @inline(__always)
    init(phase: UInt64, d1: UInt64, d2: UInt64) {
        let lanes = Lanes(phase: phase &- quarter, d1: d1, d2: d2)
        let next = lanes.twoOn
        low = lanes.phases
        high = next.phases
        lowStep = lanes.step
        highStep = next.step
        bend = lanes.bend
    }

    @inline(__always)
    mutating func next() -> SIMD8<UInt32> {
        let upper = upperHalves(low, high)
        low &+= lowStep
        high &+= highStep
        lowStep &+= bend
        highStep &+= bend
        return upper
    }
}

/// Phases of a frequency that moves as a parabola.
private struct BentPhases: Phases {
    var low: SIMD4<UInt64>
    var high: SIMD4<UInt64>
    var lowStep: SIMD4<UInt64>
    var highStep: SIMD4<UInt64>
    var lowBend: SIMD4<UInt64>
    var highBend: SIMD4<UInt64>
    let third: SIMD4<UInt64>

    @inline(__always)
    init(phase: UInt64, d1: UInt64, d2: UInt64, d3: UInt64) {
        let lanes = Lanes(phase: phase &- quarter, d1: d1, d2: d2, d3: d3)
        let next = lanes.twoOn
        low = lanes.phases
        high = next.phases
        lowStep = lanes.step
        highStep = next.step
        lowBend = lanes.bend
        highBend = next.bend
        third = lanes.third
    }

    @inline(__always)
    mutating func next() -> SIMD8<UInt32> {
        let upper = upperHalves(low, high)
        low &+= lowStep
        high &+= highStep
        lowStep &+= lowBend
        highStep &+= highBend
        lowBend &+= third
        highBend &+= third
        return upper
    }
}

/// Phases of a frequency that moves as a polynomial of third degree.
private struct MovingPhases: Phases {
    var low: SIMD4<UInt64>
    var high: SIMD4<UInt64>
    var lowStep: SIMD4<UInt64>
    var highStep: SIMD4<UInt64>
    var lowBend: SIMD4<UInt64>
    var highBend: SIMD4<UInt64>
    var lowThird: SIMD4<UInt64>
    var highThird: SIMD4<UInt64>
    let fourth: SIMD4<UInt64>

    @inline(__always)
    init(phase: UInt64, d1: UInt64, d2: UInt64, d3: UInt64, d4: UInt64) {
        let lanes = Lanes(phase: phase &- quarter, d1: d1, d2: d2, d3: d3, d4: d4)
        let next = lanes.twoOn
        low = lanes.phases
        high = next.phases
        lowStep = lanes.step
        highStep = next.step
        lowBend = lanes.bend
        highBend = next.bend
        lowThird = lanes.third
        highThird = next.third
        fourth = lanes.fourth
    }

    @inline(__always)
    mutating func next() -> SIMD8<UInt32> {
        let upper = upperHalves(low, high)
        low &+= lowStep
        high &+= highStep
        lowStep &+= lowBend
        highStep &+= highBend
        lowBend &+= lowThird
        highBend &+= highThird
        lowThird &+= fourth
        highThird &+= fourth
        return upper
    }
}

/// A phase and its differences at the frames 0, 1, 4 and 5 or, ``twoOn``, at 2, 3, 6 and 7; by shifts, which are faster than products.
private struct Lanes {
    private var d0: SIMD4<UInt64>
    private var d1: SIMD4<UInt64>
    private var d2: SIMD4<UInt64>
    private var d3: SIMD4<UInt64>
    private let d4: SIMD4<UInt64>

    @inline(__always)
    init(phase: UInt64, d1: UInt64, d2: UInt64 = 0, d3: UInt64 = 0, d4: UInt64 = 0) {
        // Four frames on: (1 + Δ)^4 = 1 + 4Δ + 6Δ² + 4Δ³ + Δ⁴.
        let phase4 = phase &+ 4 &* (d1 &+ d3) &+ 6 &* d2 &+ d4
        let d1At4 = d1 &+ 4 &* (d2 &+ d4) &+ 6 &* d3
        let d2At4 = d2 &+ 4 &* d3 &+ 6 &* d4
        let d3At4 = d3 &+ 4 &* d4
        d0 = SIMD4(phase, phase &+ d1, phase4, phase4 &+ d1At4)
        self.d1 = SIMD4(d1, d1 &+ d2, d1At4, d1At4 &+ d2At4)
        self.d2 = SIMD4(d2, d2 &+ d3, d2At4, d2At4 &+ d3At4)
        self.d3 = SIMD4(d3, d3 &+ d4, d3At4, d3At4 &+ d4)
        self.d4 = SIMD4(repeating: d4)
    }

    var twoOn: Lanes {
        @inline(__always) get {
            var lanes = self
            lanes.d0 &+= d1 &+ d1 &+ d2
            lanes.d1 &+= d2 &+ d2 &+ d3
            lanes.d2 &+= d3 &+ d3 &+ d4
            lanes.d3 &+= d4 &+ d4
            return lanes
        }
    }

    var phases: SIMD4<UInt64> {
        @inline(__always) get { d0 }
    }

    // Differences over a stride of eight. With E = 1 + Δ the shift by one frame, the first is E^8 - 1 = 8Δ + 28Δ² + 56Δ³ + 70Δ⁴ + …,
    // and the others are its powers.

    var step: SIMD4<UInt64> {
        @inline(__always) get {
            (d1 &+ (d3 &<< 3) &- d3 &+ (d4 &<< 3) &+ d4) &<< 3 &+ (d2 &<< 5) &- (d2 &<< 2) &- d4 &- d4
        }
    }

    /// The square, 64Δ² + 448Δ³ + 1680Δ⁴ + ….
    var bend: SIMD4<UInt64> {
        @inline(__always) get {
            (d2 &+ (d3 &<< 3) &- d3 &+ (d4 &<< 5) &- (d4 &<< 2) &- d4 &- d4) &<< 6 &+ (d4 &<< 4)
        }
    }

    /// The cube, 512Δ³ + 5376Δ⁴ + ….
    var third: SIMD4<UInt64> {
        @inline(__always) get { (d3 &<< 9) &+ (d4 &<< 12) &+ (d4 &<< 10) &+ (d4 &<< 8) }
    }

    var fourth: SIMD4<UInt64> {
        @inline(__always) get { d4 &<< 12 }
    }
}
