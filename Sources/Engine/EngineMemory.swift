import Patches
import RealTime
import Synchronization
import Synthesis

/// The memory of a render state: made and freed by control.
enum EngineMemory {
    static func make(
        sampleRate: Double, kernel: Kernel, ceiling: Float, master: Master, messages: consuming RingConsumer<Message>,
        reports: consuming RingProducer<Report>, soundHurry: UnsafeMutablePointer<Atomic<Bool>>
    ) -> UnsafeMutablePointer<RenderState> {
        let playheads = UnsafeMutablePointer<Playhead>.allocate(capacity: RenderState.playheadCount)
        playheads.initialize(repeating: Playhead(), count: RenderState.playheadCount)
        let measures = UnsafeMutablePointer<ChannelMeasure>.allocate(capacity: 2)
        measures.initialize(repeating: ChannelMeasure(), count: 2)
        let guardActions = UnsafeMutablePointer<GuardActions>.allocate(capacity: 1)
        guardActions.initialize(to: GuardActions())
        let published = UnsafeMutablePointer<EngineStatus>.allocate(capacity: 1)
        published.initialize(to: EngineStatus())
        let peaks = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 2)
        for channel in 0..<2 { (peaks + channel).initialize(to: Atomic(0)) }
        let keyboard = UnsafeMutablePointer<Keyboard>.allocate(capacity: 1)
        keyboard.initialize(to: Keyboard(sampleRate: sampleRate))
        let state = UnsafeMutablePointer<RenderState>.allocate(capacity: 1)
        state.initialize(
            to: RenderState(
                kernel: kernel, ceiling: ceiling, scratch: makeScratch(), playheads: playheads, master: master,
                messages: messages, reports: reports, pending: .allocate(capacity: RenderState.pendingCapacity),
                soundHurry: soundHurry, status: Seqlock(EngineStatus()), published: published, measures: measures,
                guardActions: guardActions,
                voltage: SteadyVoltage(
                    windowFrames: max(Int(sampleRate), 1), layerSums: .allocate(capacity: 2 * Patch.maximumLayerCount),
                    layerCapacity: Patch.maximumLayerCount),
                keyboard: keyboard,
                peaks: peaks))
        return state
    }

    static func free(_ state: UnsafeMutablePointer<RenderState>) {
        state.pointee.playheads.deallocate()
        state.pointee.measures.deallocate()
        state.pointee.guardActions.deallocate()
        state.pointee.published.deallocate()
        state.pointee.peaks.deinitialize(count: 2)
        state.pointee.peaks.deallocate()
        state.pointee.pending.deallocate()
        state.pointee.voltage.layerSums.deallocate()
        state.pointee.keyboard.pointee.free()
        state.pointee.keyboard.deinitialize(count: 1)
        state.pointee.keyboard.deallocate()
        state.pointee.status.destroy()
        // The buffers are parts of one allocation, of which this is the first.
        state.pointee.scratch.left.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    private static func makeScratch() -> Scratch {
        let length = Scratch.blockSize + 8
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 13 * length)
        memory.initialize(repeating: 0, count: 13 * length)
        func buffer(_ index: Int) -> UnsafeMutablePointer<Float> { memory + index * length }
        return Scratch(
            left: buffer(0), right: buffer(1), layerLeft: buffer(2), layerRight: buffer(3), beforeLeft: buffer(4),
            beforeRight: buffer(5), gain: buffer(6), gainLeft: buffer(7), gainRight: buffer(8), share: buffer(9), first: buffer(10),
            second: buffer(11), values: buffer(12))
    }
}
