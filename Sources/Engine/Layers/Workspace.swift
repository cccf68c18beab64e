import Synthesis

/// A plan on its way to the render thread.
struct PlanReference: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: the pointer stays valid until its token comes back.
    var data: UnsafePointer<PlanData>
    /// Returned to control when the plan is no longer used.
    var token: UInt
}

/// A plan with what a playhead needs to play it.
struct PlayablePlan: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: as for `PlanReference`.
    var plan: UnsafePointer<PlanData>
    /// Returned to control when the plan is no longer used.
    var planToken: UInt
    var workspace: Workspace
    var workspaceToken: UInt
}

/// Memory that the render thread writes to while a playhead plays.
struct Workspace: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: as for `PlanReference`; the render thread alone uses it.
    /// One for each layer.
    var cursors: UnsafeMutablePointer<LayerCursor>
    /// The sum of the layers of sines; `nil` if they are too few.
    var cell: UnsafeMutablePointer<NodeCell>?
    /// One for each layer of coloured noise, or two if it has bands.
    var noise: UnsafeMutablePointer<NoiseBlocks>
    /// As many; used where a noise spins.
    var spins: UnsafeMutablePointer<SpinSource>
    /// One for each layer that is a file.
    var sounds: UnsafeMutablePointer<UnsafeMutablePointer<SoundStream>?>
    /// One for each input that is shifted, has bands or spins by delay.
    var filters: UnsafeMutablePointer<UnsafeMutablePointer<Double>?>
    /// The engine's keyboard, which all its playheads share.
    var keyboard: UnsafeMutablePointer<Keyboard>
}

/// The memory of a playhead's workspace.
final class WorkspaceMemory {
    let plain: Workspace
    private var samples: [UnsafeMutablePointer<Float>] = []
    private var filters: [UnsafeMutablePointer<Double>] = []
    let sounds: [SoundFeed]
    private let feeder: SoundFeeder

    /// Prepares to begin at a frame, except for sound files, which `feeder` has to decode.
    init(for plan: Plan, at frame: PlanFrame, feeder: SoundFeeder, keyboard: UnsafeMutablePointer<Keyboard>, kernel: Kernel) {
        let capacity = max(plan.layerCount, 1)
        plain = Workspace(
            cursors: .allocate(capacity: capacity), cell: plan.data.pointee.nodeWeights == nil ? nil : .allocate(capacity: 1),
            noise: .allocate(capacity: 2 * capacity), spins: .allocate(capacity: 2 * capacity),
            sounds: .allocate(capacity: capacity), filters: .allocate(capacity: capacity), keyboard: keyboard)
        self.feeder = feeder
        sounds = plan.layers.compactMap(\.source.sound).map { SoundFeed($0, at: frame.number, sampleRate: plan.sampleRate) }
        for (index, sound) in sounds.enumerated() {
            (plain.sounds + index).initialize(to: sound.stream)
            feeder.add(sound)
        }
        for (index, count) in plan.layers.compactMap({ $0.effects?.memoryCount }).enumerated() {
            let memory = UnsafeMutablePointer<Double>.allocate(capacity: count)
            memory.initialize(repeating: 0, count: count)
            filters.append(memory)
            (plain.filters + index).initialize(to: memory)
        }
        // Touched here, so that the render thread meets no page fault.
        plain.cursors.initialize(repeating: LayerCursor(), count: plan.layerCount)
        if let cell = plain.cell {
            let memberships = UnsafeMutablePointer<NodeMembership>.allocate(capacity: plan.layerCount)
            memberships.initialize(repeating: .other, count: plan.layerCount)
            cell.initialize(to: NodeCell(samples: allocate(NodeCell.capacity), memberships: memberships))
        }
        let layers = plan.layers.flatMap { layer in
            // The rest of a noise with bands is not delayed, but it is heard as early as the middle of what is.
            layer.noises.enumerated().map { index, noise in
                (
                    shape: noise.shape, spin: index == 0 ? (layer.source.spin ?? layer.effects?.spin)?.shape : nil,
                    hasSecond: layer.source.spin == nil,
                    reach: layer.effects?.spin?.shape.reach ?? 0, seedKey: layer.source.seedKey
                )
            }
        }
        // Two playheads play during the fade after a jump. The new one's work for the default fade is done here, so that it only mixes.
        let lead = Frames.count(of: Frames.shortFade, sampleRate: plan.sampleRate)
        for (index, layer) in layers.enumerated() {
            let blocks = allocate(NoiseBlocks.capacity(length: layer.shape.length))
            (plain.noise + index).initialize(to: NoiseBlocks(samples: blocks))
            let capacity = layer.spin.map { SpinSource.capacity(reach: $0.reach) } ?? 0
            let ring = allocate(capacity + SpinShape.tapCount)
            let second = layer.spin == nil || !layer.hasSecond ? nil : allocate(capacity + SpinShape.tapCount)
            (plain.spins + index).initialize(to: SpinSource(samples: ring, second: second, capacity: capacity))
            var begin = frame.number + Int64(layer.reach)
            if let spin = layer.spin {
                fillSpinSource(
                    plain.spins + index, shape: spin, count: 0, noise: layer.shape, blocks: plain.noise + index, seedKey: layer.seedKey,
                    frame: frame.number, kernel: kernel)
                begin = (plain.spins + index).pointee.end
            }
            prepareColoredNoise(
                shape: layer.shape, blocks: plain.noise + index, seedKey: layer.seedKey, frame: begin, lead: lead, kernel: kernel)
        }
    }

    deinit {
        for sound in sounds { feeder.remove(sound) }
        for memory in samples { memory.deallocate() }
        for memory in filters { memory.deallocate() }
        plain.filters.deallocate()
        plain.sounds.deallocate()
        plain.spins.deallocate()
        plain.noise.deallocate()
        plain.cell?.pointee.memberships.deallocate()
        plain.cell?.deallocate()
        plain.cursors.deallocate()
    }

    private func allocate(_ count: Int) -> UnsafeMutablePointer<Float> {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
        memory.initialize(repeating: 0, count: count)
        samples.append(memory)
        return memory
    }
}
