// Render thread: separate outputs of layers, beside the mix.

import Synthesis

/// Separate buffers for the layers that play, as long as the cycle. The caller of `RenderHandle.render` owns them.
///
/// A layer's buffers get what it adds to the mix, with the headroom and fades of its patch and the fades of starts, stops and seeks, but
/// without master and ceiling: they add up to the mix before those, up to rounding. While one sound fades into another, layers with the same index share a
/// pair.
package struct LayerOutputs: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: the caller's, until `render` returns.
    /// Pairs of channels: left, right, left, right.
    let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Number of layers with buffers; the layers behind them are in the mix alone.
    let layerCount: Int
    /// Frames of the cycle that have been rendered.
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

    /// Stores a playhead's mix before the next layer is added to it.
    @_noLocks @_noAllocation
    func begin(_ scratch: Scratch, count: Int) {
        scale(scratch.beforeLeft, count: count, source: scratch.left, by: -1)
        scale(scratch.beforeRight, count: count, source: scratch.right, by: -1)
    }

    /// Adds the difference that the layer has made to the mix. Measured this way, the mix keeps every bit.
    @_noLocks @_noAllocation
    func finish(
        _ layer: Int, of playhead: UnsafePointer<Playhead>, _ playable: PlayablePlan, _ scratch: Scratch, count: Int, frame: EngineFrame,
        kernel: Kernel
    ) {
        Synthesis.add(to: scratch.beforeLeft, count: count, source: scratch.left)
        Synthesis.add(to: scratch.beforeRight, count: count, source: scratch.right)
        add(
            layer, of: playhead, playable, scratch.beforeLeft, scratch.beforeRight, count: count, frame: frame, scratch: scratch,
            kernel: kernel)
    }

    /// Adds a layer's samples, to which the levels of its patch and playhead are applied first, in place.
    @_noLocks @_noAllocation
    func add(
        _ layer: Int, of playhead: UnsafePointer<Playhead>, _ playable: PlayablePlan, _ samplesLeft: UnsafeMutablePointer<Float>,
        _ samplesRight: UnsafeMutablePointer<Float>, count: Int, frame: EngineFrame, scratch: Scratch, kernel: Kernel
    ) {
        applyLevels(of: playhead, playable, to: samplesLeft, samplesRight, count: count, frame: frame, scratch: scratch, kernel: kernel)
        Synthesis.add(to: left(layer), count: count, source: samplesLeft)
        Synthesis.add(to: right(layer), count: count, source: samplesRight)
    }
}
