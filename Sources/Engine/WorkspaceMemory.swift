import Synthesis

/// The memory of a playhead's workspace.
final class WorkspaceMemory {
    let plain: Workspace
    private let samples: [UnsafeMutablePointer<Float>]

    /// Ready to begin at plan frame `frame`.
    init(for plan: Plan, at frame: Int64) {
        plain = Workspace(cursors: .allocate(capacity: max(plan.layerCount, 1)), noise: .allocate(capacity: max(plan.layerCount, 1)))
        // Touched here, so that the render thread meets no page fault.
        plain.cursors.initialize(repeating: LayerCursor(), count: plan.layerCount)
        let layers = plan.layers.compactMap { layer in layer.noise.map { (shape: $0.shape, seed: layer.seed) } }
        samples = layers.map { .allocate(capacity: NoiseBlocks.capacity(length: $0.shape.length)) }
        for (index, memory) in samples.enumerated() {
            let layer = layers[index]
            memory.initialize(repeating: 0, count: NoiseBlocks.capacity(length: layer.shape.length))
            (plain.noise + index).initialize(to: NoiseBlocks(samples: memory))
            prepareColoredNoise(shape: layer.shape, blocks: plain.noise + index, seed: layer.seed, frame: frame)
        }
    }

    deinit {
        for memory in samples { memory.deallocate() }
        plain.noise.deallocate()
        plain.cursors.deallocate()
    }
}
