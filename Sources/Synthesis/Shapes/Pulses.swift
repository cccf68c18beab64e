// Render thread: the envelope of an isochronic tone.

/// The duty of pulses and the length of their edges, as parts of a period.
///
/// A pulse begins at phase 0, rises over its edge, falls over the last part of `duty`, both as t^3(6t^2-15t+10), and is 0 for the rest of
/// the period. An edge is at most 0.4 of the pulse; where a moving one grows beyond that, it passes 0.45 and returns to 0.4 without a kink.
/// In `Double`, since a frame is a tiny part of a slow pulse.
package struct PulseShape: BitwiseCopyable {
    package let sounding: Double
    private let edgeScale: Float
    private let isLongest: Bool

    /// - Parameter isLongest: Whether the edge is as long as it can be, whatever its given length.
    @_noLocks @_noAllocation
    package init(duty: Float, edgeScale: Float, isLongest: Bool) {
        sounding = Double(min(max(duty, 0.01), 1))
        self.edgeScale = edgeScale
        self.isLongest = isLongest
    }

    /// The length of an edge.
    @_noLocks @_noAllocation
    @inline(__always)
    package func length(of edge: Float) -> Double {
        let longest = 0.4 * sounding
        if isLongest { return longest }
        // An easing may take the rate below 0: then pulses run backwards, with edges of the same length.
        let length = max(abs(Double(edge * edgeScale)), 1e-6)
        guard length > longest else { return length }
        let beyond = length / longest - 1
        return longest + longest * beyond / (1 + 16 * beyond * beyond)
    }

    /// The level 0...1 at a phase, with edges of a length.
    @_noLocks @_noAllocation
    @inline(__always)
    private func level(at phase: UInt64, _ length: Double) -> Float {
        let x = part(phase)
        let left = sounding - x
        if left <= 0 { return 0 }
        // A curve whose end has been reached is exactly 1.
        let rise = x >= length ? 1 : smootherstep(x * (1 / length))
        let fall = left >= length ? 1 : smootherstep(left * (1 / length))
        return Float(rise * fall)
    }

    /// Sets `out[i]` to the level at phase(i), with an edge of `edge[i] * edgeScale`.
    @_noLocks @_noAllocation
    package func fill(_ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, edges: UnsafePointer<Float>) {
        var pulse = pulse
        for i in 0..<count {
            out[i] = level(at: pulse.phase, length(of: edges[i]))
            pulse.step()
        }
    }

    /// The same with edges of one length in all frames.
    ///
    /// - Parameter edge: The ``length(of:)`` of an edge.
    @_noLocks @_noAllocation
    package func fill(_ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, edge: Double) {
        var pulse = pulse
        for i in 0..<count {
            out[i] = level(at: pulse.phase, edge)
            pulse.step()
        }
    }

    /// Sets `out[i]` to the level at phase(i), with an edge of `edge[i] * edgeScale`, for pulses that are heard late by some frames each. `lateness` is
    /// readable up to the next multiple of 8.
    @_noLocks @_noAllocation
    package func fill(
        _ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, edges: UnsafePointer<Float>, lateness: UnsafePointer<Float>
    ) {
        var phases = LatePhases(pulse)
        var i = 0
        while i < count {
            let phase = phases.next(UnsafeRawPointer(lateness + i).loadUnaligned(as: SIMD8<Float>.self))
            for lane in 0..<min(8, count - i) { out[i + lane] = level(at: UInt64(phase[lane]) &<< 32, length(of: edges[i + lane])) }
            i &+= 8
        }
    }

    /// The same with edges of one length in all frames; `out` is writable up to the next multiple of 8.
    ///
    /// - Parameter edge: The ``length(of:)`` of an edge.
    @_noLocks @_noAllocation
    package func fill(
        _ out: UnsafeMutablePointer<Float>, count: Int, pulse: PhaseDifferences, edge: Double, lateness: UnsafePointer<Float>
    ) {
        var phases = LatePhases(pulse)
        let scale = 1 / edge
        var i = 0
        while i < count {
            let phase = phases.next(UnsafeRawPointer(lateness + i).loadUnaligned(as: SIMD8<Float>.self))
            // Without branches, so that the compiler makes vectors of it.
            for lane in 0..<8 {
                let x = part(UInt64(phase[lane]) &<< 32)
                let (rise, fall) = (min(x * scale, 1), min(max(0, sounding - x) * scale, 1))
                out[i + lane] = Float(smootherstep(rise) * smootherstep(fall))
            }
            i &+= 8
        }
    }
}

/// Whether an edge is 0.4 of its pulse or more, which is the longest allowed.
@_noLocks @_noAllocation
@inlinable
public func isLongest(edge: Float, duty: Float) -> Bool {
    abs(Double(edge)) >= 0.4 * Double(min(max(duty, 0.01), 1))
}

/// Crossfades `out` to `next` over `length` frames, of which `first` come before index 0, like a ``Fade/Shape/smooth`` fade.
@_noLocks @_noAllocation
package func crossfade(
    _ out: UnsafeMutablePointer<Float>, count: Int, to next: UnsafePointer<Float>, first: Int64, length: Int64
) {
    for i in 0..<count {
        let t = Float(first &+ Int64(i)) / Float(length)
        let t2 = t * t
        out[i] += t2 * t2 * (35 + t * (t * (70 - 20 * t) - 84)) * (next[i] - out[i])
    }
}
