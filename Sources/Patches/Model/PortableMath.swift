/// Elementary functions from IEEE operations alone.
///
/// libm's last bits differ between systems; whatever becomes sound must not, so the curves, the tuning and the faders use these.
package enum PortableMath {
    /// sin(2π·`turns`), absolute error below 1e-15 for |turns| up to 1000; exact at multiples of a quarter turn.
    ///
    /// Reduced to a quarter turn, then the Taylor series to degree 21 (the first term left out is below 2e-18).
    package static func sine(turns: Double) -> Double {
        var x = turns - turns.rounded(.toNearestOrEven)
        if x > 0.25 { x = 0.5 - x } else if x < -0.25 { x = -0.5 - x }
        if x == 0.25 { return 1 }
        if x == -0.25 { return -1 }
        let angle = 2 * Double.pi * x
        let square = angle * angle
        // 1 - x²/(2·3)·(1 - x²/(4·5)·(1 - …)), innermost first.
        var series = 1.0
        var n = 20.0
        while n >= 2 {
            series = 1 - square / (n * (n + 1)) * series
            n -= 2
        }
        return angle * series
    }

    /// 2 to the power `x`, relative error below 1e-15; exact for whole numbers from -1022 to 1023.
    ///
    /// The whole part becomes the exponent, the rest (at most 1/2) the Taylor series of degree 14.
    package static func exp2(_ x: Double) -> Double {
        guard x < 1024 else { return .infinity }
        guard x > -1022 else { return 0 }
        let whole = x.rounded(.toNearestOrEven)
        let y = (x - whole) * 0.693_147_180_559_945_309_4
        // 1/14! to 1/0!.
        var series = 1.147_074_559_772_972_5e-11
        series = series * y + 1.605_904_383_682_161_3e-10
        series = series * y + 2.087_675_698_786_81e-9
        series = series * y + 2.505_210_838_544_172e-8
        series = series * y + 2.755_731_922_398_589e-7
        series = series * y + 2.755_731_922_398_589_3e-6
        series = series * y + 2.480_158_730_158_73e-5
        series = series * y + 1.984_126_984_126_984e-4
        series = series * y + 1.388_888_888_888_889e-3
        series = series * y + 8.333_333_333_333_333e-3
        series = series * y + 4.166_666_666_666_666_4e-2
        series = series * y + 0.166_666_666_666_666_66
        series = series * y + 0.5
        series = series * y + 1
        series = series * y + 1
        // 2^1024 has no Double of its own; half the power twice reaches the largest results.
        let power = Int(whole)
        return series * powerOfTwo(power / 2) * powerOfTwo(power - power / 2)
    }

    /// Binary logarithm of `x` above 0, absolute error below 1e-15 times the result plus 1e-15; exact for powers of two.
    ///
    /// log2(m) = 2/ln2 · atanh((m-1)/(m+1)) with m between √½ and √2, its series to degree 21.
    package static func log2(_ x: Double) -> Double {
        guard x > 0, x.isFinite else { return x == .infinity ? .infinity : (x == 0 ? -.infinity : .nan) }
        var m = x.significand
        var exponent = Double(x.exponent)
        if m > 1.414_213_562_373_095_1 {
            m /= 2
            exponent += 1
        }
        let s = (m - 1) / (m + 1)
        let square = s * s
        // Divisions of constants, which the compiler makes.
        var series = 1.0 / 21
        series = series * square + 1.0 / 19
        series = series * square + 1.0 / 17
        series = series * square + 1.0 / 15
        series = series * square + 1.0 / 13
        series = series * square + 1.0 / 11
        series = series * square + 1.0 / 9
        series = series * square + 1.0 / 7
        series = series * square + 1.0 / 5
        series = series * square + 1.0 / 3
        series = series * square + 1
        return exponent + s * series * 2.885_390_081_777_926_8
    }

    /// Smootherstep (Perlin 2002), `t^3 (6 t^2 - 15 t + 10)`: rises from 0 at 0 to 1 at 1 without slope or curvature at either end. It is
    /// not limited to them.
    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    package static func smootherstep(_ t: Double) -> Double { t * t * t * (t * (6 * t - 15) + 10) }

    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    package static func smootherstep(_ t: Float) -> Float { t * t * t * (t * (6 * t - 15) + 10) }

    private static func powerOfTwo(_ exponent: Int) -> Double {
        Double(bitPattern: UInt64(exponent + 1023) << 52)
    }
}
