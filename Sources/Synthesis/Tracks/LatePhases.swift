// Render thread: phases of a sound that is heard late.

/// The phases of pulses as they are heard late, in units of 2^-32 cycle, eight frames at a time.
struct LatePhases {
    private var phase: PhaseDifferences
    private let isSteady: Bool
    /// Cycles per frame.
    private var frequencies: SIMD8<Float>

    @_noLocks @_noAllocation
    @inline(__always)
    init(_ phase: PhaseDifferences) {
        self.phase = phase
        isSteady = phase.d2 | phase.d3 | phase.d4 == 0
        frequencies = SIMD8(repeating: LatePhases.frequency(phase))
    }

    /// - Parameter lateness: In frames, less than four cycles; beyond that, which only an invalid value is, any phase will do.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func next(_ lateness: SIMD8<Float>) -> SIMD8<UInt32> {
        var phases = SIMD8<UInt32>()
        for lane in 0..<8 {
            phases[lane] = UInt32(truncatingIfNeeded: phase.phase &>> 32)
            if !isSteady { frequencies[lane] = LatePhases.frequency(phase) }
            phase.step()
        }
        // In two steps, since a float has 24 bits.
        let units = lateness * frequencies * 0x1p20
        let whole = units + 0x1.8p23
        let rest = (units - (whole - 0x1.8p23)) * 0x1p12 + 0x1.8p23
        return phases &- (LatePhases.integers(whole) &<< 12 &+ LatePhases.integers(rest))
    }

    @_noLocks @_noAllocation
    @inline(__always)
    private static func frequency(_ phase: PhaseDifferences) -> Float { Float(Int64(bitPattern: phase.d1)) * 0x1p-64 }

    /// The integers in numbers to which 1.5 * 2^23 was added.
    @_noLocks @_noAllocation
    @inline(__always)
    private static func integers(_ sums: SIMD8<Float>) -> SIMD8<UInt32> {
        unsafeBitCast(sums, to: SIMD8<UInt32>.self) &- SIMD8(repeating: (0x1.8p23 as Float).bitPattern)
    }
}

/// Fills in shifts in cycles, -0.5...0.5, that delay a phase by some frames each.
@_noLocks @_noAllocation
package func fillDelays(_ shifts: UnsafeMutablePointer<Float>, count: Int, phase: PhaseDifferences, lateness: UnsafePointer<Float>) {
    if phase.d2 | phase.d3 | phase.d4 == 0 {
        let step = phase.cycles
        for i in 0..<count { shifts[i] = -fraction(step * Double(lateness[i])) }
    } else {
        var phase = phase
        for i in 0..<count {
            shifts[i] = -fraction(phase.cycles * Double(lateness[i]))
            phase.step()
        }
    }
}

/// Cycles without whole cycles: -0.5...0.5.
@_noLocks @_noAllocation
@inline(__always)
private func fraction(_ cycles: Double) -> Float { Float(cycles - ((cycles + 0x1.8p52) - 0x1.8p52)) }

extension PhaseDifferences {
    /// Cycles per frame, below 0 for one that runs backwards.
    fileprivate var cycles: Double { @_noLocks @_noAllocation @inline(__always) get { Double(Int64(bitPattern: d1)) * 0x1p-64 } }
}
