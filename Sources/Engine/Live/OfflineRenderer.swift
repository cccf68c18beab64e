import Synthesis

/// Renders a plan without a clock, with the same render function as the audio callback: the same samples as live, bit for bit, on any
/// thread.
package final class OfflineRenderer {
    private let engine: EngineControl
    private let plan: Plan
    /// The next plan frame.
    package private(set) var position: Int64

    /// - Parameters:
    ///   - frame: Plan frame to begin at, without a fade: the samples are the same as when playing from the start.
    ///   - masterGain: The master gain in dB.
    ///   - ceiling: The output ceiling in dBFS.
    ///   - sounds: Opens sound files; without it they are silent.
    package init(
        _ plan: Plan, from frame: Int64 = 0, kernel: Kernel = .best, masterGain: Double = 0, ceiling: Double = -6,
        sounds: SoundOpener? = nil
    ) {
        self.plan = plan
        position = frame
        engine = EngineControl(
            sampleRate: plan.sampleRate, kernel: kernel, ceiling: ceiling,
            feeder: SoundFeeder(sounds, sampleRate: plan.sampleRate, hasThread: false), isLocked: false)
        engine.setMasterAtOnce(masterGain)
        engine.start(plan, at: PlanFrame(frame), fade: 0)
    }

    /// Fills two buffers of the same length, with silence after the end of the plan. Returns how many frames belong to the plan.
    package func render(left: UnsafeMutableBufferPointer<Float>, right: UnsafeMutableBufferPointer<Float>) -> Int {
        render(left, right) { left, right, count in
            engine.handle.render(left: left, right: right, frames: count, hostTime: 0)
        }
    }

    /// Fills them with one layer alone: its share of the mix, with the headroom and fades of the patch, before master and ceiling. All layers add up
    /// to the mix there, up to rounding.
    ///
    /// - Parameter layer: An index into the plan's layers.
    package func render(
        layer: Int, left: UnsafeMutableBufferPointer<Float>, right: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        // The mix, and below it what the layers before this one make.
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * left.count) { unheard in
            withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 2 * (layer + 1)) { outputs in
                guard let unheard = unheard.baseAddress, let buffers = outputs.baseAddress else { return 0 }
                return render(left, right) { left, right, count in
                    for index in 0..<layer {
                        (buffers + 2 * index).initialize(to: unheard + 2 * count)
                        (buffers + 2 * index + 1).initialize(to: unheard + 3 * count)
                    }
                    (buffers + 2 * layer).initialize(to: left)
                    (buffers + 2 * layer + 1).initialize(to: right)
                    engine.handle.render(
                        left: unheard, right: unheard + count, frames: count, hostTime: 0,
                        layers: LayerOutputs(buffers: buffers, layerCount: layer + 1))
                }
            }
        }
    }

    /// - Parameter cycle: renders so many frames, a cycle of the engine.
    private func render(
        _ left: UnsafeMutableBufferPointer<Float>, _ right: UnsafeMutableBufferPointer<Float>,
        _ cycle: (_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int) -> Void
    ) -> Int {
        precondition(left.count == right.count, "Both channels must have the same number of frames.")
        guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return 0 }
        var done = 0
        while done < left.count {
            let count = plan.hasSounds ? min(left.count - done, SoundStream.chunkLength) : left.count
            engine.feeder.feedAll()
            flushingDenormals { cycle(leftStart + done, rightStart + done, count) }
            _ = engine.poll()
            done += count
        }
        let frames = plan.lengthInFrames.map { Int(max(0, min($0 - position, Int64(left.count)))) } ?? left.count
        position += Int64(left.count)
        return frames
    }

    /// Failures and dropouts of sound files since the last call.
    package func takeSoundNotices() -> [SoundNotice] { engine.takeSoundNotices() }

    /// The number of times that the output guards have acted so far.
    package var guardActions: GuardActions { engine.status.guardActions }
}
