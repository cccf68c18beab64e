// Render thread: everything here runs inside the audio callback.

import RealTime
import Synthesis

/// The render thread's end of an engine: plain pointers, to be handed to the callback. Valid as long as the `EngineControl` lives.
package struct RenderHandle: Equatable, @unchecked Sendable {
    // SAFETY: control touches the state only while no callback runs.
    let state: UnsafeMutablePointer<RenderState>

    /// The engine frame that the next cycle begins with. Only inside the callback.
    package var nextFrame: EngineFrame {
        @_noLocks @_noAllocation get { state.pointee.engineFrame }
    }

    /// Renders a cycle of any length into two buffers. Only inside the callback.
    ///
    /// - Parameters:
    ///   - inputLeft, inputRight: As many frames of input; `nil` is silence.
    ///   - hostTime: Microseconds of the host's clock at the first frame.
    ///   - layers: Separate outputs of the layers, which change nothing in the mix; `nil` for none.
    @_noLocks @_noAllocation
    package func render(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, inputLeft: UnsafePointer<Float>? = nil,
        inputRight: UnsafePointer<Float>? = nil, frames: Int, hostTime: UInt64, layers: LayerOutputs? = nil
    ) {
        var layers = layers
        state.pointee.published.pointee.cycleStartFrame = state.pointee.engineFrame
        state.pointee.published.pointee.hostTime = hostTime
        state.pointee.published.pointee.cycleFrames = frames
        state.pointee.published.pointee.cycles &+= 1
        var done = 0
        while done < frames {
            takeMessages(state)
            doDueMessages(state)
            advanceIfDue(state)
            playDueKeys(state)
            let count = Int(min(Int64(min(frames - done, Scratch.blockSize)), framesToNextEvent(state)))
            state.pointee.scratch.inputLeft = advanced(inputLeft, by: done)
            state.pointee.scratch.inputRight = advanced(inputRight, by: done)
            renderBlock(state, left: left + done, right: right + done, count: count, layers: layers)
            done += count
            layers?.done = done
        }
        publishStatus(state)
    }
}

@_noLocks @_noAllocation
private func advanced(_ samples: UnsafePointer<Float>?, by count: Int) -> UnsafePointer<Float>? {
    if let samples { return samples + count }
    return nil
}

/// Renders at most a block, within which nothing frame-exact begins or ends.
@_noLocks @_noAllocation
private func renderBlock(
    _ state: UnsafeMutablePointer<RenderState>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int,
    layers: LayerOutputs?
) {
    let frame = state.pointee.engineFrame
    let scratch = state.pointee.scratch
    let kernel = state.pointee.kernel
    clear(left, count: count)
    clear(right, count: count)
    layers?.clear(count: count)
    for index in 0..<RenderState.playheadCount {
        let playhead = state.pointee.playheads + index
        let isSearched = index == state.pointee.current && playhead.pointee.serial == state.pointee.dcOffset.searched
        render(
            playhead, left: left, right: right, count: count, frame: frame, scratch: scratch, kernel: kernel,
            sums: isSearched ? state.pointee.dcOffset.layerSums : nil, layers: layers)
    }
    apply(state.pointee.master.track, to: left, right, count: count, frame: frame.number, scratch: scratch, kernel: kernel)
    guardOutput(
        left, count: count, ceiling: state.pointee.ceiling, actions: state.pointee.guardActions, measure: state.pointee.measures)
    guardOutput(
        right, count: count, ceiling: state.pointee.ceiling, actions: state.pointee.guardActions, measure: state.pointee.measures + 1)
    state.pointee.engineFrame = frame + Int64(count)
    state.pointee.keyboard.pointee.retire(at: state.pointee.engineFrame)
    watchVoltage(state, count: count)
    retireSilent(state)
}

/// Frees the playheads that have faded out.
@_noLocks @_noAllocation
private func retireSilent(_ state: UnsafeMutablePointer<RenderState>) {
    let frame = state.pointee.engineFrame
    for index in 0..<RenderState.playheadCount {
        let playhead = state.pointee.playheads + index
        guard playhead.pointee.playable != nil else { continue }
        if playhead.pointee.end <= frame {
            retire(playhead, state)
        } else {
            playhead.pointee.dropFinishedFades(at: frame)
        }
    }
}

/// Frees a playhead and returns what it played to control.
@_noLocks @_noAllocation
func retire(_ playhead: UnsafeMutablePointer<Playhead>, _ state: UnsafeMutablePointer<RenderState>) {
    if let playable = playhead.pointee.playable { retire(playable, state) }
    playhead.pointee.playable = nil
    playhead.pointee.fadeCount = 0
    playhead.pointee.end = .max
}

/// Returns a plan and its workspace to control.
@_noLocks @_noAllocation
func retire(_ playable: PlayablePlan, _ state: UnsafeMutablePointer<RenderState>) {
    report(.retired(token: playable.planToken), state)
    report(.retired(token: playable.workspaceToken), state)
}

/// Sends a report. There is always room: control never sends more messages than there is room for reports about them.
@_noLocks @_noAllocation
func report(_ report: Report, _ state: UnsafeMutablePointer<RenderState>) {
    _ = state.pointee.reports.push(report)
}

@_noLocks @_noAllocation
private func publishStatus(_ state: UnsafeMutablePointer<RenderState>) {
    var count = 0
    for index in 0..<RenderState.playheadCount where (state.pointee.playheads + index).pointee.playable != nil { count += 1 }
    let current = state.pointee.current
    let frame = state.pointee.engineFrame
    state.pointee.published.pointee.engineFrame = frame
    state.pointee.published.pointee.currentPosition =
        current < 0 ? -1 : frame.planFrame(origin: (state.pointee.playheads + current).pointee.origin).number
    state.pointee.published.pointee.playheadSerial = current < 0 ? 0 : (state.pointee.playheads + current).pointee.serial
    state.pointee.published.pointee.playingCount = count
    state.pointee.published.pointee.guardActions = state.pointee.guardActions.pointee
    state.pointee.published.pointee.squareSumLeft = state.pointee.measures.pointee.squareSum
    state.pointee.published.pointee.squareSumRight = (state.pointee.measures + 1).pointee.squareSum
    for channel in 0..<2 {
        let peak = (state.pointee.measures + channel).pointee.peak
        (state.pointee.measures + channel).pointee.peak = 0
        // Magnitudes are ordered as their bit patterns are.
        _ = (state.pointee.peaks + channel).pointee.max(peak.bitPattern, ordering: .relaxed)
    }
    state.pointee.status.publish(UnsafePointer(state.pointee.published))
}
