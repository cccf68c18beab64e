import Synthesis

extension RenderHandle {
    /// The highest magnitudes in each channel since the last call; 1 is full scale.
    package func takePeaks() -> (left: Float, right: Float) {
        let peaks = state.pointee.peaks
        return (
            Float(bitPattern: peaks[0].exchange(0, ordering: .relaxed)),
            Float(bitPattern: peaks[1].exchange(0, ordering: .relaxed))
        )
    }

    /// Renders frames that nobody hears. Only while no callback runs.
    func renderUnheard(frames: Int) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * frames) { buffer in
            guard let left = buffer.baseAddress else { return }
            render(left: left, right: left + frames, frames: frames, hostTime: 0)
        }
    }

    /// Forgets the frame, the levels, the guard actions and the status of what was rendered so far. Only while no callback runs.
    func restart() {
        state.pointee.engineFrame = 0
        state.pointee.published.pointee = EngineStatus()
        state.pointee.measures.update(repeating: ChannelMeasure(), count: 2)
        state.pointee.dcOffset.restart()
        state.pointee.guardActions.pointee = GuardActions()
        state.pointee.status.publish(UnsafePointer(state.pointee.published))
        _ = takePeaks()
    }
}
