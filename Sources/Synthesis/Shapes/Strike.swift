// Render thread: the envelope of a bell.

/// A strike of a bell, and the one before it, which keeps ringing until this one has risen.
package struct Strike: BitwiseCopyable, Equatable, Sendable {
    /// The plan frame at which it starts.
    package var start: Int64
    /// Decay in octaves of level (6.02 dB) per frame.
    package var rate: Double
    /// Start and decay of the strike before; `rateBefore` is infinite if there was none.
    package var startBefore: Int64
    package var rateBefore: Double
    /// Frames in which it rises, at least 1.
    package var rise: Double

    package init(start: Int64, rate: Double, startBefore: Int64, rateBefore: Double, rise: Double) {
        self.start = start
        self.rate = rate
        self.startBefore = startBefore
        self.rateBefore = rateBefore
        self.rise = rise
    }
}

/// Strikes in order, the first valid from the first frame requested; their memory is owned elsewhere.
package struct StrikeTrack: BitwiseCopyable {
    package var strikes: UnsafePointer<Strike>
    package var count: Int

    package init(strikes: UnsafePointer<Strike>, count: Int) {
        self.strikes = strikes
        self.count = count
    }

    /// The last strike at or before `frame`; lowers `limit` to the start of the next one.
    @_noLocks @_noAllocation
    package func strike(at frame: Int64, limit: inout Int64) -> UnsafePointer<Strike> {
        // SAFETY: low stays in 0..<count.
        var low = 0
        var high = count
        while high - low > 1 {
            let middle = (low + high) / 2
            if strikes[middle].start <= frame { low = middle } else { high = middle }
        }
        if high < count, strikes[high].start < limit { limit = strikes[high].start }
        return strikes + low
    }
}

/// Sets `out[i]` to the level 0...1 of a bell at `frame + i`: `2^(-rate k)`, k frames after the strike. It rises to that from what was
/// still ringing as t^3(6t^2-15t+10). `out` is writable 7 floats beyond `count`.
@_noLocks @_noAllocation
package func fillStrike(_ out: UnsafeMutablePointer<Float>, count: Int, strike: UnsafePointer<Strike>, frame: Int64) {
    let s = strike.pointee
    var i = 0
    while i < count {
        let k = max(frame &+ Int64(i) &- s.start, 0)
        if Double(k) < s.rise {
            let risen = smootherstep(Double(k) / s.rise)
            let before = halved(Double(frame &+ Int64(i) &- s.startBefore) * s.rateBefore)
            out[i] = Float(halved(Double(k) * s.rate) * risen + before * (1 - risen))
            i += 1
        } else {
            i += fillDecay(out + i, count: count - i, rate: s.rate, from: k)
        }
    }
}

/// Fills in `2^(-rate (from + i))` up to the next multiple of 32 frames after the strike, in the middle of which the exponential is computed;
/// a series leads from there to the frames around it, with a relative error of 1.5e-7.
///
/// - Returns: The number of frames.
@_noLocks @_noAllocation
@inline(__always)
private func fillDecay(_ out: UnsafeMutablePointer<Float>, count: Int, rate: Double, from k: Int64) -> Int {
    let place = Int(k & 31)
    let count = min(count, 32 - place)
    let middle = SIMD8(repeating: Float(halved(Double(k - Int64(place) + 16) * rate)))
    let slope: Float = rate < 1 ? Float(rate * -0.693_147_180_559_945_3) : 0
    var frames = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) + Float(place - 16)
    var i = 0
    while i < count {
        // At most 16 frames: 0.14 at 8 kHz with the shortest decay.
        let y = frames * slope
        var series = y * (1.0 / 720) + 1.0 / 120
        series = series * y + 1.0 / 24
        series = series * y + 1.0 / 6
        series = series * y + 0.5
        series = series * y + 1
        series = series * y + 1
        UnsafeMutableRawPointer(out + i).storeBytes(of: series * middle, as: SIMD8<Float>.self)
        frames += 8
        i += 8
    }
    return count
}

/// `2^-x` for x of 0 or more, with a relative error of 1e-8; 0 below -360 dB and for NaN.
@_noLocks @_noAllocation
@inline(__always)
private func halved(_ x: Double) -> Double {
    guard x < 60 else { return 0 }
    let whole = Int64(x)
    let y = (x - Double(whole)) * -0.693_147_180_559_945_3
    // The series of the exponential; the next term is below 1e-9.
    var series = 1 + y * (1.0 / 10)
    series = 1 + y * (1.0 / 9) * series
    series = 1 + y * (1.0 / 8) * series
    series = 1 + y * (1.0 / 7) * series
    series = 1 + y * (1.0 / 6) * series
    series = 1 + y * (1.0 / 5) * series
    series = 1 + y * (1.0 / 4) * series
    series = 1 + y * (1.0 / 3) * series
    series = 1 + y * (1.0 / 2) * series
    series = 1 + y * series
    return series * Double(bitPattern: UInt64(1023 &- whole) &<< 52)
}
