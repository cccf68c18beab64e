// Render thread: fades of a whole sound at a start, stop, seek or change of item.

/// A fade: its gain is a function of the engine's frame.
package struct Fade: BitwiseCopyable, Equatable, Sendable {
    package enum Shape: UInt8, BitwiseCopyable, Sendable {
        /// t^4(35-84t+70t^2-20t^3): three derivatives are 0 at either end, so that a fade of 20 ms leaves no click.
        case smooth
        /// The sine of a quarter cycle over smoothstep: two crossfaded sounds keep their power, and the ends are still smooth.
        case equalPower
    }

    package var shape: Shape
    package var isOut: Bool
    /// Engine frame of the first frame. There a fade out is still 1, a fade in still 0.
    package var start: Int64
    /// At least 1; below 2^24, up to which a `Float` can represent every frame.
    package var frames: Int64

    @_noLocks @_noAllocation
    package init(shape: Shape, isOut: Bool, start: Int64, frames: Int64) {
        self.shape = shape
        self.isOut = isOut
        self.start = start
        self.frames = max(1, min(frames, 1 << 24 - 1))
    }

    package var end: Int64 {
        @_noLocks @_noAllocation get { start &+ frames }
    }

    /// Multiplies the two channels by the fade, from engine frame `frame` on.
    @_noLocks @_noAllocation
    package func apply(to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, frame: Int64) {
        if frame >= end, !isOut { return }
        let inverseLength = 1 / Float(frames)
        for i in 0..<count {
            let k = min(max(frame &+ Int64(i) &- start, 0), frames)
            // The position is counted from the silent end, where precision matters.
            let t = Float(isOut ? frames &- k : k) * inverseLength
            let gain: Float
            switch shape {
            case .smooth:
                let t2 = t * t
                gain = t2 * t2 * (35 + t * (t * (70 - 20 * t) - 84))
            case .equalPower:
                let quarter = t * t * (3 - 2 * t)
                gain = sine(SIMD8(repeating: UInt32(min(quarter, 1) * 0x1p30)))[0]
            }
            left[i] *= gain
            right[i] *= gain
        }
    }
}
