// Render thread: the input ports as a layer.

import Synthesis

extension LayerStretch {
    /// Adds the layer; silence if there is no input.
    @_noLocks @_noAllocation
    func addInput(
        _ effects: EffectStretch?, _ cursor: UnsafePointer<LayerCursor>, _ workspace: Workspace, to ears: EarOutputs
    ) {
        guard fillInput() else { return }
        if let effects, effects.splitInput(workspace) { effects.addRest(shiftedBy: cursor.pointee.left) }
        add(scratch.first, to: ears.left)
        add(scratch.second, to: ears.right)
    }

    /// - Returns: Whether there is an input.
    @_noLocks @_noAllocation
    func fillInput() -> Bool {
        guard let inputLeft = scratch.inputLeft, let inputRight = scratch.inputRight else { return false }
        // SAFETY: the buffers have as many frames as the block, and the stretch lies in it.
        copyFinite(scratch.first, count: count, source: inputLeft + offset)
        copyFinite(scratch.second, count: count, source: inputRight + offset)
        if let effects = layer.pointee.effects { EffectStretch(stretch: self, effects: effects).mixDown(scratch.first, scratch.second) }
        return true
    }
}
