// Render thread: where layers go by themselves, beside the mix.

import Synthesis

/// Buffers for the layers of what plays, as long as the cycle; made and kept by whoever calls `RenderHandle.render`.
///
/// A layer's buffers get what it adds to the mix, with the headroom of its patch and the fades of it and of starts, stops and seeks, and without
/// master and ceiling: they add up to the mix before those. Layers of one number share a pair while one sound fades into another.
package struct LayerOutputs: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: the caller's, until `render` returns.
    /// Left, right, left, right.
    let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Layers with buffers; what lies behind them is in the mix alone.
    let layerCount: Int
    /// Frames of the cycle that are done.
    var done = 0

    @_noLocks @_noAllocation
    package init(buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, layerCount: Int) {
        self.buffers = buffers
        self.layerCount = layerCount
    }

    @_noLocks @_noAllocation
    func left(_ layer: Int) -> UnsafeMutablePointer<Float> { buffers[2 * layer] + done }

    @_noLocks @_noAllocation
    func right(_ layer: Int) -> UnsafeMutablePointer<Float> { buffers[2 * layer + 1] + done }

    @_noLocks @_noAllocation
    func clear(count: Int) {
        for layer in 0..<layerCount {
            Synthesis.clear(left(layer), count: count)
            Synthesis.clear(right(layer), count: count)
        }
    }

    /// Remembers a playhead's mix without the layer, which comes next.
    @_noLocks @_noAllocation
    func begin(_ scratch: Scratch, count: Int) {
        scale(scratch.beforeLeft, count: count, source: scratch.left, by: -1)
        scale(scratch.beforeRight, count: count, source: scratch.right, by: -1)
    }

    /// Adds by how much the layer has changed the mix: taken like this, the mix is the same to the bit as without a look at it.
    @_noLocks @_noAllocation
    func finish(
        _ layer: Int, of playhead: UnsafePointer<Playhead>, _ sound: Sound, _ scratch: Scratch, count: Int, frame: Int64, kernel: Kernel
    ) {
        add(to: scratch.beforeLeft, count: count, source: scratch.left)
        add(to: scratch.beforeRight, count: count, source: scratch.right)
        applyLevels(
            of: playhead, sound, to: scratch.beforeLeft, scratch.beforeRight, count: count, frame: frame, scratch: scratch, kernel: kernel)
        add(to: left(layer), count: count, source: scratch.beforeLeft)
        add(to: right(layer), count: count, source: scratch.beforeRight)
    }
}
