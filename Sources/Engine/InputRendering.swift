// Render thread: the input ports as a layer.

import Synthesis

extension LayerStretch {
    /// Adds the layer; silence if there is no input.
    @_noLocks @_noAllocation
    func addInput(
        left: UnsafeMutablePointer<Float>, gainLeft: BlockGain, right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        guard let inputLeft = scratch.inputLeft, let inputRight = scratch.inputRight else { return }
        // SAFETY: the buffers have as many frames as the block, and the stretch lies in it.
        copyFinite(scratch.first, count: count, source: inputLeft + offset)
        copyFinite(scratch.second, count: count, source: inputRight + offset)
        add(scratch.first, to: left, gain: gainLeft)
        add(scratch.second, to: right, gain: gainRight)
    }
}
