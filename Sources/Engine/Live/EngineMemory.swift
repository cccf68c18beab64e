import Patches
import RealTime
import Synchronization
import Synthesis

/// The memory of a render state, made and freed by control: all in one block, except the two rings and the published status.
enum EngineMemory {
    /// - Parameter isLocked: Whether to lock it into memory, for an engine whose callback has a deadline.
    static func make(
        sampleRate: Double, kernel: Kernel, ceiling: Float, master: Master, messages: consuming RingConsumer<Message>,
        reports: consuming RingProducer<Report>, soundHurry: UnsafeMutablePointer<Atomic<Bool>>, isLocked: Bool
    ) -> UnsafeMutablePointer<RenderState> {
        var block = EngineBlock(size: size(sampleRate: sampleRate), isLocked: isLocked)
        let state: UnsafeMutablePointer<RenderState> = block.take(1)
        let playheads: UnsafeMutablePointer<Playhead> = block.take(RenderState.playheadCount)
        playheads.initialize(repeating: Playhead(), count: RenderState.playheadCount)
        let measures: UnsafeMutablePointer<ChannelMeasure> = block.take(2)
        measures.initialize(repeating: ChannelMeasure(), count: 2)
        let guardActions: UnsafeMutablePointer<GuardActions> = block.take(1)
        guardActions.initialize(to: GuardActions())
        let published: UnsafeMutablePointer<EngineStatus> = block.take(1)
        published.initialize(to: EngineStatus())
        let peaks: UnsafeMutablePointer<Atomic<UInt32>> = block.take(2)
        for channel in 0..<2 { (peaks + channel).initialize(to: Atomic(0)) }
        let keyboard: UnsafeMutablePointer<Keyboard> = block.take(1)
        keyboard.initialize(to: Keyboard(sampleRate: sampleRate, in: &block))
        let pending: UnsafeMutablePointer<Message> = block.take(RenderState.pendingCapacity)
        let sums: UnsafeMutablePointer<Double> = block.take(2 * Patch.maximumLayerCount)
        let scratch = makeScratch(in: &block, sampleRate: sampleRate)
        state.initialize(
            to: RenderState(
                block: block, kernel: kernel, ceiling: ceiling, scratch: scratch,
                stealFrames: Frames.count(of: 0.005, sampleRate: sampleRate), playheads: playheads, master: master,
                messages: messages, reports: reports, pending: pending, soundHurry: soundHurry, status: Seqlock(EngineStatus()),
                published: published, measures: measures, guardActions: guardActions,
                dcOffset: DCOffset(
                    windowFrames: max(Int(sampleRate), 1), layerSums: sums, layerCapacity: Patch.maximumLayerCount),
                keyboard: keyboard, peaks: peaks))
        return state
    }

    /// Silences everything, and drops what is current, next and pending. Only while no callback runs.
    static func silence(_ state: UnsafeMutablePointer<RenderState>, master: Master) {
        while state.pointee.messages.pop() != nil {}
        state.pointee.pendingCount = 0
        state.pointee.keyboard.pointee.clear()
        for index in 0..<RenderState.playheadCount { state.pointee.playheads[index] = Playhead() }
        state.pointee.current = -1
        state.pointee.next = nil
        state.pointee.master = master
        state.pointee.published.pointee.currentPosition = -1
        state.pointee.published.pointee.playheadSerial = 0
        state.pointee.published.pointee.playingCount = 0
        state.pointee.status.publish(UnsafePointer(state.pointee.published))
    }

    static func free(_ state: UnsafeMutablePointer<RenderState>) {
        let block = state.pointee.block
        state.pointee.peaks.deinitialize(count: 2)
        state.pointee.keyboard.pointee.free()
        state.pointee.keyboard.deinitialize(count: 1)
        state.pointee.status.destroy()
        state.deinitialize(count: 1)
        block.free()
    }

    /// Bytes of the block that ``make`` uses.
    private static func size(sampleRate: Double) -> Int {
        let parts = [
            EngineBlock.bytes(RenderState.self, 1), EngineBlock.bytes(Playhead.self, RenderState.playheadCount),
            EngineBlock.bytes(ChannelMeasure.self, 2), EngineBlock.bytes(GuardActions.self, 1), EngineBlock.bytes(EngineStatus.self, 1),
            EngineBlock.bytes(Atomic<UInt32>.self, 2), EngineBlock.bytes(Keyboard.self, 1), Keyboard.bytes,
            EngineBlock.bytes(Message.self, RenderState.pendingCapacity), EngineBlock.bytes(Double.self, 2 * Patch.maximumLayerCount),
            EngineBlock.bytes(Float.self, Scratch.capacity(sampleRate: sampleRate)),
        ]
        return parts.reduce(0, +)
    }

    private static func makeScratch(in block: inout EngineBlock, sampleRate: Double) -> Scratch {
        let capacity = Scratch.capacity(sampleRate: sampleRate)
        let memory: UnsafeMutablePointer<Float> = block.take(capacity)
        memory.initialize(repeating: 0, count: capacity)
        return Scratch(memory: memory, sampleRate: sampleRate)
    }
}
