// Render thread: the bands of an input, of which nothing is known ahead.

/// Filters that pass some bands of two channels, and what they have heard of them; their memory is owned elsewhere.
package struct BandShape: BitwiseCopyable {
    /// The frames by which the filters delay the sound; they have twice as many taps and one.
    package let latency: Int
    /// Symmetrical.
    package let taps: UnsafePointer<Float>
    /// The taps of the filter that also makes the Hilbert transform, the last one first; `nil` if it is not needed.
    package let quadratureTaps: UnsafePointer<Float>?

    package init(latency: Int, taps: UnsafePointer<Float>, quadratureTaps: UnsafePointer<Float>?) {
        self.latency = latency
        self.taps = taps
        self.quadratureTaps = quadratureTaps
    }

    /// The frames that are heard before the last ones are moved back to the start of the memory.
    private static var room: Int { @_noLocks @_noAllocation get { 8192 } }
    /// The frames beyond the last one that a kernel may read.
    private static var excess: Int { @_noLocks @_noAllocation get { 32 } }

    package var tapCount: Int { @_noLocks @_noAllocation get { 2 * latency + 1 } }

    /// The frames of a channel in memory.
    private var length: Int { @_noLocks @_noAllocation get { 2 * latency + BandShape.room + BandShape.excess } }

    /// The floats that the filters of one layer remember: two channels, the number of frames in them, and that of the onset's frames.
    package var memoryCount: Int { @_noLocks @_noAllocation get { 2 * length + 2 } }

    /// Takes the next frames of both channels, at most a block.
    ///
    /// - Returns: Where their filters begin to read, ``latency`` frames before the frames that they make.
    @_noLocks @_noAllocation
    package func hear(
        _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, count: Int, memory: UnsafeMutablePointer<Float>
    ) -> (first: UnsafePointer<Float>, second: UnsafePointer<Float>) {
        let history = 2 * latency
        var filled = max(Int(memory[2 * length]), history)
        if filled + count > history + BandShape.room {
            for channel in 0..<2 {
                let start = memory + channel * length
                for i in 0..<history { start[i] = start[filled - history + i] }
            }
            filled = history
        }
        let begun = Int(memory[2 * length + 1])
        for i in 0..<count {
            let level = Float(Onset.level(atFrame: begun + i))
            memory[filled + i] = level * first[i]
            memory[length + filled + i] = level * second[i]
        }
        memory[2 * length] = Float(filled + count)
        memory[2 * length + 1] = Float(min(begun + count, Onset.frames))
        let start = memory + filled - history
        return (UnsafePointer(start), UnsafePointer(start + length))
    }
}
