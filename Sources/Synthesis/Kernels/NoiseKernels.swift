// Render thread: the loops of noises. Like SineKernels.swift, this file is compiled twice. Uniform numbers have the same bits in both versions.

// MARK: - Random numbers

/// Random numbers `counter` of a stream, 32 bits each: the steps of a 32-bit hash (shifts 16, 15 and 16, constants by C. Wellons, "Prospecting
/// for hash functions"), with half of the key before the first product and half after it.
@_noLocks @_noAllocation
@inline(__always)
private func random(key: UInt64, counter: SIMD8<UInt32>) -> SIMD8<UInt32> {
    var x = counter ^ SIMD8(repeating: UInt32(truncatingIfNeeded: key))
    x ^= x &>> 16
    x = x &* SIMD8(repeating: 0x7feb_352d)
    x ^= SIMD8(repeating: UInt32(truncatingIfNeeded: key &>> 32))
    x ^= x &>> 15
    x = x &* SIMD8(repeating: 0x846c_a68b)
    return x ^ (x &>> 16)
}

/// The upper 23 bits as a number in -0.5..<0.5.
@_noLocks @_noAllocation
@inline(__always)
private func centred(_ bits: SIMD8<UInt32>) -> SIMD8<Float> {
    // As the fraction of a number from 1 to 2.
    unsafeBitCast((bits &>> 9) | SIMD8(repeating: 0x3f80_0000), to: SIMD8<Float>.self) - SIMD8(repeating: 1.5)
}

/// Fills in uniform random numbers of two streams, with the power of a sine of amplitude 1 (so at most 1.23). Both are writable up to the
/// next multiple of 8; `counter + count` is at most 2^32.
@_noLocks @_noAllocation
@inline(never)
package func fillUniform(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int, keys: SIMD2<UInt64>, counter: UInt32
) {
    var counter = SIMD8<UInt32>(0, 1, 2, 3, 4, 5, 6, 7) &+ SIMD8(repeating: counter)
    // A uniform number in -1...1 has the power 1/3, a sine 1/2.
    let scale = SIMD8<Float>(repeating: 2.449_489_8)
    var i = 0
    while i < count {
        store(centred(random(key: keys.x, counter: counter)) * scale, first + i)
        store(centred(random(key: keys.y, counter: counter)) * scale, second + i)
        counter &+= SIMD8(repeating: 8)
        i &+= 8
    }
}

/// Adds what ``fillUniform`` fills in: the first stream to the left ear, both to the right one.
///
/// - Parameters:
///   - gain, shared, own: Gain of the first stream in the left ear and in the right one, and of the second one in the right ear.
@_noLocks @_noAllocation
@inline(never)
package func addUniform(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, keys: SIMD2<UInt64>, counter: UInt32,
    gain: Float, shared: Float, own: Float
) {
    var counter = SIMD8<UInt32>(0, 1, 2, 3, 4, 5, 6, 7) &+ SIMD8(repeating: counter)
    let scale = SIMD8<Float>(repeating: 2.449_489_8)
    let (gain, shared, own) = (SIMD8(repeating: gain), SIMD8(repeating: shared), SIMD8(repeating: own))
    var i = 0
    while i &+ 8 <= count {
        let first = centred(random(key: keys.x, counter: counter)) * scale
        let second = centred(random(key: keys.y, counter: counter)) * scale
        store(multiplyAdd(first, gain, load(left + i)), left + i)
        store(multiplyAdd(second, own, multiplyAdd(first, shared, load(right + i))), right + i)
        counter &+= SIMD8(repeating: 8)
        i &+= 8
    }
    if i == count { return }
    let first = centred(random(key: keys.x, counter: counter)) * scale
    let second = centred(random(key: keys.y, counter: counter)) * scale
    for lane in 0..<(count &- i) {
        left[i &+ lane] = multiplyAdd(first, gain, SIMD8(repeating: left[i &+ lane]))[lane]
        let both = multiplyAdd(first, shared, SIMD8(repeating: right[i &+ lane]))
        right[i &+ lane] = multiplyAdd(second, own, both)[lane]
    }
}

// MARK: - Blocks of noise

/// Fills in 64 lines of a spectrum for each unit, from place `first` on, a multiple of 64: magnitudes with random phases; and computes the first
/// three stages of the inverse transform, whose butterflies stay among eight neighbours. Of the magnitudes of a unit, that of place
/// `8 * g + r` is at index `8 * r + g`.
@_noLocks @_noAllocation
@inline(never)
package func drawLines(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, first: Int, units: Int,
    magnitudes: UnsafePointer<Float>, key: UInt64
) {
    for unit in 0..<units { drawUnit(real, imaginary, first: first &+ 64 &* unit, magnitudes: magnitudes, key: key) }
}

@_noLocks @_noAllocation
@inline(__always)
private func drawUnit(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, first: Int, magnitudes: UnsafePointer<Float>, key: UInt64
) {
    let (x0, y0) = lines(first, magnitudes, key)
    let (x1, y1) = lines(first &+ 8, magnitudes, key)
    let (x2, y2) = lines(first &+ 16, magnitudes, key)
    let (x3, y3) = lines(first &+ 24, magnitudes, key)
    let (x4, y4) = lines(first &+ 32, magnitudes, key)
    let (x5, y5) = lines(first &+ 40, magnitudes, key)
    let (x6, y6) = lines(first &+ 48, magnitudes, key)
    let (x7, y7) = lines(first &+ 56, magnitudes, key)
    // Two transforms of four.
    let a = fourth(x0 + x1, x0 - x1, x2 + x3, x2 - x3, y0 + y1, y0 - y1, y2 + y3, y2 - y3)
    let b = fourth(x4 + x5, x4 - x5, x6 + x7, x6 - x7, y4 + y5, y4 - y5, y6 + y7, y6 - y7)
    // Turned by 0, 1/8, 1/4 and 3/8 of a cycle.
    let half = SIMD8<Float>(repeating: 0.707_106_77)
    let (b1x, b1y) = ((b.x1 - b.y1) * half, (b.x1 + b.y1) * half)
    let (b3x, b3y) = ((b.x3 + b.y3) * -half, (b.x3 - b.y3) * half)
    store(a.x0 + b.x0, a.x1 + b1x, a.x2 - b.y2, a.x3 + b3x, a.x0 - b.x0, a.x1 - b1x, a.x2 + b.y2, a.x3 - b3x, real + first)
    store(a.y0 + b.y0, a.y1 + b1y, a.y2 + b.x2, a.y3 + b3y, a.y0 - b.y0, a.y1 - b1y, a.y2 - b.x2, a.y3 - b3y, imaginary + first)
    transpose(real + first)
    transpose(imaginary + first)
}

/// The second stage of a transform of four, after the first one.
@_noLocks @_noAllocation
@inline(__always)
private func fourth(
    _ sx: SIMD8<Float>, _ dx: SIMD8<Float>, _ tx: SIMD8<Float>, _ ex: SIMD8<Float>,
    _ sy: SIMD8<Float>, _ dy: SIMD8<Float>, _ ty: SIMD8<Float>, _ ey: SIMD8<Float>
) -> (
    x0: SIMD8<Float>, x1: SIMD8<Float>, x2: SIMD8<Float>, x3: SIMD8<Float>, y0: SIMD8<Float>, y1: SIMD8<Float>, y2: SIMD8<Float>,
    y3: SIMD8<Float>
) { (sx + tx, dx - ey, sx - tx, dx + ey, sy + ty, dy + ex, sy - ty, dy - ex) }

/// Eight lines with random phases: a phase within a quarter cycle of 0, whose cosine gets a random sign. Sine and cosine are Taylor series, with
/// an error of 4e-6.
@_noLocks @_noAllocation
@inline(__always)
private func lines(_ first: Int, _ magnitudes: UnsafePointer<Float>, _ key: UInt64) -> (real: SIMD8<Float>, imaginary: SIMD8<Float>) {
    let places = SIMD8<UInt32>(0, 1, 2, 3, 4, 5, 6, 7) &+ SIMD8(repeating: UInt32(truncatingIfNeeded: first))
    let bits = random(key: key, counter: places)
    // In half cycles.
    let turn = centred(bits)
    let z = turn * turn
    var sine = multiplyAdd(z, SIMD8(repeating: 0.082_145_89), SIMD8(repeating: -0.599_264_53))
    sine = multiplyAdd(sine, z, SIMD8(repeating: 2.550_164))
    sine = multiplyAdd(sine, z, SIMD8(repeating: -5.167_712_8))
    sine = multiplyAdd(sine, z, SIMD8(repeating: 3.141_592_7))
    var cosine = multiplyAdd(z, SIMD8(repeating: -0.025_806_891), SIMD8(repeating: 0.235_330_63))
    cosine = multiplyAdd(cosine, z, SIMD8(repeating: -1.335_262_8))
    cosine = multiplyAdd(cosine, z, SIMD8(repeating: 4.058_712))
    cosine = multiplyAdd(cosine, z, SIMD8(repeating: -4.934_802))
    cosine = multiplyAdd(cosine, z, SIMD8(repeating: 1))
    let signed = unsafeBitCast(cosine, to: SIMD8<UInt32>.self) ^ (bits &<< 31)
    let magnitude = load(magnitudes + first)
    return (unsafeBitCast(signed, to: SIMD8<Float>.self) * magnitude, sine * turn * magnitude)
}

@_noLocks @_noAllocation
@inline(__always)
private func store(
    _ r0: SIMD8<Float>, _ r1: SIMD8<Float>, _ r2: SIMD8<Float>, _ r3: SIMD8<Float>, _ r4: SIMD8<Float>, _ r5: SIMD8<Float>,
    _ r6: SIMD8<Float>, _ r7: SIMD8<Float>, _ out: UnsafeMutablePointer<Float>
) {
    store(r0, out)
    store(r1, out + 8)
    store(r2, out + 16)
    store(r3, out + 24)
    store(r4, out + 32)
    store(r5, out + 40)
    store(r6, out + 48)
    store(r7, out + 56)
}

/// Transposes a matrix of eight rows and columns. A function of its own, since the compiler would compute the rows lane by lane otherwise.
@_noLocks @_noAllocation
@inline(never)
private func transpose(_ matrix: UnsafeMutablePointer<Float>) {
    let (r0, r1, r2, r3) = (load(matrix), load(matrix + 8), load(matrix + 16), load(matrix + 24))
    let (r4, r5, r6, r7) = (load(matrix + 32), load(matrix + 40), load(matrix + 48), load(matrix + 56))
    // The columns of rows 0 to 3, and those of rows 4 to 7.
    let (a0, a1, a2, a3) = columns(r0, r1, r2, r3)
    let (b0, b1, b2, b3) = columns(r4, r5, r6, r7)
    store(
        SIMD8(lowHalf: a0.lowHalf, highHalf: b0.lowHalf), SIMD8(lowHalf: a1.lowHalf, highHalf: b1.lowHalf),
        SIMD8(lowHalf: a2.lowHalf, highHalf: b2.lowHalf), SIMD8(lowHalf: a3.lowHalf, highHalf: b3.lowHalf),
        SIMD8(lowHalf: a0.highHalf, highHalf: b0.highHalf), SIMD8(lowHalf: a1.highHalf, highHalf: b1.highHalf),
        SIMD8(lowHalf: a2.highHalf, highHalf: b2.highHalf), SIMD8(lowHalf: a3.highHalf, highHalf: b3.highHalf), matrix)
}

/// The columns of four rows of eight, two in each vector: 0 and 4, 1 and 5, 2 and 6, 3 and 7.
@_noLocks @_noAllocation
@inline(__always)
private func columns(_ r0: SIMD8<Float>, _ r1: SIMD8<Float>, _ r2: SIMD8<Float>, _ r3: SIMD8<Float>)
    -> (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)
{
    let low02 = SIMD8(r0[0], r2[0], r0[1], r2[1], r0[4], r2[4], r0[5], r2[5])
    let high02 = SIMD8(r0[2], r2[2], r0[3], r2[3], r0[6], r2[6], r0[7], r2[7])
    let low13 = SIMD8(r1[0], r3[0], r1[1], r3[1], r1[4], r3[4], r1[5], r3[5])
    let high13 = SIMD8(r1[2], r3[2], r1[3], r3[3], r1[6], r3[6], r1[7], r3[7])
    return (
        SIMD8(low02[0], low13[0], low02[1], low13[1], low02[4], low13[4], low02[5], low13[5]),
        SIMD8(low02[2], low13[2], low02[3], low13[3], low02[6], low13[6], low02[7], low13[7]),
        SIMD8(high02[0], high13[0], high02[1], high13[1], high02[4], high13[4], high02[5], high13[5]),
        SIMD8(high02[2], high13[2], high02[3], high13[3], high02[6], high13[6], high02[7], high13[7])
    )
}

/// Computes 32 butterflies for each unit, from `first` on, of the stage of the inverse transform whose pairs are 8 apart. `twiddles`:
/// `cos(πj/8)` for j below 8, then `sin(πj/8)`.
@_noLocks @_noAllocation
@inline(never)
package func transformByTwo(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, first: Int, units: Int, twiddles: UnsafePointer<Float>
) {
    let (c, s) = (load(twiddles), load(twiddles + 8))
    var low = 2 &* first
    while low < 2 &* (first &+ 32 &* units) {
        let high = low &+ 8
        let (re, im) = turned(load(real + high), load(imaginary + high), c, s)
        let (lowReal, lowImaginary) = (load(real + low), load(imaginary + low))
        store(lowReal + re, real + low)
        store(lowImaginary + im, imaginary + low)
        store(lowReal - re, real + high)
        store(lowImaginary - im, imaginary + high)
        low &+= 16
    }
}

/// Computes 16 butterflies of four for each unit, from `first` on, of two stages of the inverse transform at once. Their values are `span`
/// apart, a multiple of 8. `twiddles`: for n of 2, 1 and 3 and j below `span`, `cos(πnj/(2 span))`, and then `sin(πnj/(2 span))`.
@_noLocks @_noAllocation
@inline(never)
package func transformByFour(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, first: Int, units: Int, span: Int,
    twiddles: UnsafePointer<Float>
) {
    var index = first
    while index < first &+ 16 &* units {
        let j = index & (span &- 1)
        let (re, im, turns) = (real + (4 &* (index &- j) &+ j), imaginary + (4 &* (index &- j) &+ j), twiddles + j)
        let (x0, y0) = (load(re), load(im))
        let (x1, y1) = turned(load(re + span), load(im + span), load(turns), load(turns + span))
        let (x2, y2) = turned(load(re + 2 &* span), load(im + 2 &* span), load(turns + 2 &* span), load(turns + 3 &* span))
        let (x3, y3) = turned(load(re + 3 &* span), load(im + 3 &* span), load(turns + 4 &* span), load(turns + 5 &* span))
        let (px, py, qx, qy) = (x0 + x1, y0 + y1, x0 - x1, y0 - y1)
        let (sx, sy, dx, dy) = (x2 + x3, y2 + y3, x2 - x3, y2 - y3)
        store(px + sx, re)
        store(py + sy, im)
        store(qx - dy, re + span)
        store(qy + dx, im + span)
        store(px - sx, re + 2 &* span)
        store(py - sy, im + 2 &* span)
        store(qx + dy, re + 3 &* span)
        store(qy - dx, im + 3 &* span)
        index &+= 8
    }
}

/// Complex numbers times `c + i s`.
@_noLocks @_noAllocation
@inline(__always)
private func turned(_ x: SIMD8<Float>, _ y: SIMD8<Float>, _ c: SIMD8<Float>, _ s: SIMD8<Float>) -> (SIMD8<Float>, SIMD8<Float>) {
    (multiplyAdd(x, c, -(y * s)), multiplyAdd(x, s, y * c))
}

/// `out[i] = ending[i] * falling[i] + beginning[i] * rising[i]`
@_noLocks @_noAllocation
@inline(never)
package func overlap(
    _ out: UnsafeMutablePointer<Float>, count: Int, ending: UnsafePointer<Float>, falling: UnsafePointer<Float>,
    beginning: UnsafePointer<Float>, rising: UnsafePointer<Float>
) {
    var i = 0
    while i &+ 8 <= count {
        store(multiplyAdd(load(ending + i), load(falling + i), load(beginning + i) * load(rising + i)), out + i)
        i &+= 8
    }
    while i < count {
        out[i] =
            multiplyAdd(
                SIMD8(repeating: ending[i]), SIMD8(repeating: falling[i]), SIMD8(repeating: beginning[i] * rising[i]))[0]
        i &+= 1
    }
}

/// Adds what ``overlap`` computes from two blocks, and from their second noises, which are `distance` samples on: the first one to the left ear
/// with a gain, both to the right one, the first one `shared` and the second one its `own`.
@_noLocks @_noAllocation
@inline(never)
package func addOverlaps(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, ending: UnsafePointer<Float>,
    falling: UnsafePointer<Float>, beginning: UnsafePointer<Float>, rising: UnsafePointer<Float>, distance: Int, gain: Float, shared: Float,
    own: Float
) {
    let (gains, shares, owns) = (SIMD8(repeating: gain), SIMD8(repeating: shared), SIMD8(repeating: own))
    var i = 0
    while i &+ 8 <= count {
        let (fall, rise) = (load(falling + i), load(rising + i))
        let first = multiplyAdd(load(ending + i), fall, load(beginning + i) * rise)
        let second = multiplyAdd(load(ending + distance + i), fall, load(beginning + distance + i) * rise)
        store(multiplyAdd(first, gains, load(left + i)), left + i)
        store(multiplyAdd(second, owns, multiplyAdd(first, shares, load(right + i))), right + i)
        i &+= 8
    }
    while i < count {
        let (fall, rise) = (SIMD8(repeating: falling[i]), SIMD8(repeating: rising[i]))
        let first = multiplyAdd(SIMD8(repeating: ending[i]), fall, SIMD8(repeating: beginning[i]) * rise)
        let second = multiplyAdd(SIMD8(repeating: ending[distance + i]), fall, SIMD8(repeating: beginning[distance + i]) * rise)
        left[i] = multiplyAdd(first, gains, SIMD8(repeating: left[i]))[0]
        right[i] = multiplyAdd(second, owns, multiplyAdd(first, shares, SIMD8(repeating: right[i])))[0]
        i &+= 1
    }
}

// MARK: - Spins

/// Reads a noise `lateness[i]` frames late in the left ear and as much early in the right one; at most `reach` less half the taps.
///
/// - Parameters:
///   - ring: `capacity` samples, a power of two, and the first 16 of them again. Sample k of the noise is at index k modulo `capacity`.
///   - taps: A row of 16 for each `phases` part of a frame, and one for the whole frame.
///   - middle: The sample in the middle of the head at index 0.
///   - scratch: Scratch space, 256 floats.
@_noLocks @_noAllocation
@inline(never)
package func fillSpin(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, ring: UnsafePointer<Float>, capacity: Int,
    taps: UnsafePointer<Float>, phases: Int, reach: Int, lateness: UnsafePointer<Float>, middle: Int64,
    scratch: UnsafeMutablePointer<Float>
) {
    var start = 0
    while start < count {
        let length = min(16, count &- start)
        fillProducts(
            scratch, count: length, ring, capacity, taps, phases, limit: Float(reach &- 8), lateness: lateness + start,
            middle: middle &+ Int64(truncatingIfNeeded: start))
        for i in 0..<length {
            left[start &+ i] = sum(load(scratch + 16 &* i))
            right[start &+ i] = sum(load(scratch + (16 &* i &+ 8)))
        }
        start &+= length
    }
}

@_noLocks @_noAllocation
@inline(__always)
private func sum(_ values: SIMD8<Float>) -> Float {
    let halves = values.lowHalf + values.highHalf
    let pair = halves.lowHalf + halves.highHalf
    return pair.x + pair.y
}

/// Fills in eight numbers for the left ear and eight for the right one of each frame, whose sums are the noise between its samples. A loop of its
/// own, since the compiler would compute the numbers in smaller vectors, or one by one, if it saw the sums.
@_noLocks @_noAllocation
@inline(never)
private func fillProducts(
    _ sums: UnsafeMutablePointer<Float>, count: Int, _ ring: UnsafePointer<Float>, _ capacity: Int, _ taps: UnsafePointer<Float>,
    _ phases: Int, limit: Float, lateness: UnsafePointer<Float>, middle: Int64
) {
    for i in 0..<count {
        let late = min(max(lateness[i], -limit), limit)
        let at = middle &+ Int64(truncatingIfNeeded: i)
        store(products(ring, capacity, taps, phases, at: at, shift: -late), sums + 16 &* i)
        store(products(ring, capacity, taps, phases, at: at, shift: late), sums + (16 &* i &+ 8))
    }
}

/// Eight numbers whose sum is the noise between its samples, at `at + shift`: interpolated linearly between the two nearest rows of taps.
@_noLocks @_noAllocation
@inline(__always)
private func products(
    _ ring: UnsafePointer<Float>, _ capacity: Int, _ taps: UnsafePointer<Float>, _ phases: Int, at: Int64, shift: Float
) -> SIMD8<Float> {
    // The row below, by a sum that has no bits for fractions: the magnitude is below 2^22.
    let magic: Float = 0x1.8p23
    let place = shift * Float(phases)
    let nearest = place - 0.5 + magic
    let row = Int(truncatingIfNeeded: Int32(bitPattern: nearest.bitPattern &- magic.bitPattern))
    let share = SIMD8(repeating: place - (nearest - magic))
    // `phases` is a power of two.
    let first = at &+ Int64(truncatingIfNeeded: row &>> phases.trailingZeroBitCount) &- 7
    // SAFETY: the ring extends by as many samples as there are taps; a row behind row `phases - 1` is there.
    let samples = ring + Int(truncatingIfNeeded: first & Int64(truncatingIfNeeded: capacity &- 1))
    let weights = taps + 16 &* (row & (phases &- 1))
    return multiplyAdd(load(samples), between(weights, share), load(samples + 8) * between(weights + 8, share))
}

/// Eight taps, `share` of the way to the next row.
@_noLocks @_noAllocation
@inline(__always)
private func between(_ taps: UnsafePointer<Float>, _ share: SIMD8<Float>) -> SIMD8<Float> {
    let (row, next) = (load(taps), load(taps + 16))
    return multiplyAdd(next - row, share, row)
}

// MARK: - Arithmetic and memory

/// `a * b + c`, rounded once where the instruction set allows.
@_noLocks @_noAllocation
@inline(__always)
private func multiplyAdd(_ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>) -> SIMD8<Float> {
    #if FUSED_MULTIPLY_ADD
        c.addingProduct(a, b)
    #else
        a * b + c
    #endif
}

@_noLocks @_noAllocation
@inline(__always)
private func load(_ values: UnsafePointer<Float>) -> SIMD8<Float> { UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self) }

@_noLocks @_noAllocation
@inline(__always)
private func store(_ vector: SIMD8<Float>, _ values: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(values).storeBytes(of: vector, as: SIMD8<Float>.self)
}
