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
/// `first + i` stays below 2^24, where a `Float` still tells frames apart.
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
    var phases = MovingPhases(phase: phase, d1: d1, d2: d2, d3: d3, d4: d4)
    var i = 0
    while i < count {
        store(sine(late: phases.next()), to: out, at: i)
        i += 8
    }
}

// MARK: - Eight at once

/// Sine of a phase in units of 2^-32 cycle, given a quarter cycle late.
///
/// An odd polynomial of degree nine over a quarter cycle, fitted by least squares at equally spaced phases. Against an exact sine
/// of the same phase the residual is -147 dB RMS, most of it the rounding of `Float`.
@_noLocks @_noAllocation
@inline(__always)
func sine(late phase: SIMD8<UInt32>) -> SIMD8<Float> {
    // A quarter cycle late, the sine is a cosine, which depends only on how far the phase is from 0: so its quarters fold by magnitude.
    let late = SIMD8<Int32>(truncatingIfNeeded: phase)
    let sign = late &>> 31
    #if FUSED_MULTIPLY_ADD
        let folded = SIMD8(repeating: 1 << 30) &- ((late ^ sign) &- sign)
    #else
        // The same in an order that the compiler does not turn into a magnitude, which it would take before half of the phase is dropped.
        let folded = (SIMD8(repeating: 1 << 30) &+ sign) &- (late ^ sign)
    #endif
    let s = SIMD8<Float>(folded) * 0x1p-30
    let z = s * s
    var value = multiplyAdd(SIMD8(repeating: 1.51263428e-04), z, SIMD8(repeating: -4.67313646e-03))
    value = multiplyAdd(value, z, SIMD8(repeating: 7.96890934e-02))
    value = multiplyAdd(value, z, SIMD8(repeating: -6.45963510e-01))
    value = multiplyAdd(value, z, SIMD8(repeating: 1.57079630e+00))
    return value * s
}

/// Sine of a phase in units of 2^-32 cycle.
@_noLocks @_noAllocation
@inline(__always)
func sine(_ phase: SIMD8<UInt32>) -> SIMD8<Float> {
    sine(late: phase &- SIMD8(repeating: 1 << 30))
}

/// `a * b + c`, rounded once where the instruction set allows (elsewhere that would be eight calls of a library function).
@inline(__always)
private func multiplyAdd(_ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>) -> SIMD8<Float> {
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
        let t = SIMD8<Float>(index) * inverseLength
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
