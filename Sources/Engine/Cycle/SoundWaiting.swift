// Freewheel only: without a deadline, a cycle waits for the sound files that it needs.

import Glibc
import Synchronization

extension RenderHandle {
    /// Waits, for some 10 s at most, until all that a cycle of `frames` may need from files has been decoded. Only inside a callback
    /// without a deadline. It makes no system call, so that such a callback can be checked like any other.
    package func waitForSounds(frames: Int) {
        takeMessages(state)
        guard !hasSounds(frames: Int64(frames)) else { return }
        let limit = Self.seconds + 10
        repeat {
            state.pointee.soundHurry.pointee.store(true, ordering: .relaxed)
        } while !hasSounds(frames: Int64(frames)) && Self.seconds < limit
    }

    /// Monotonic time in whole seconds, read without a system call.
    private static var seconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }

    private func hasSounds(frames: Int64) -> Bool {
        for index in 0..<RenderState.playheadCount {
            let playhead = state.pointee.playheads[index]
            guard let playable = playhead.playable else { continue }
            guard playable.isReady(from: state.pointee.engineFrame.planFrame(origin: playhead.origin), frames: frames) else { return false }
        }
        if let next = state.pointee.next, !next.isReady(from: 0, frames: frames) { return false }
        for index in 0..<state.pointee.pendingCount {
            switch state.pointee.pending[index].action {
            case .start(let playable, let beginning, _, _):
                guard playable.isReady(from: beginning.planFrame(at: state.pointee.engineFrame), frames: frames) else { return false }
            case .setNext(.some(let playable), _):
                guard playable.isReady(from: 0, frames: frames) else { return false }
            case .setNext(.none, _), .stop, .replace, .setMaster: break
            }
        }
        return true
    }
}

extension PlayablePlan {
    /// Whether its sound files can be played for this many frames from a plan frame on, or never will be.
    fileprivate func isReady(from frame: PlanFrame, frames: Int64) -> Bool {
        for index in 0..<plan.pointee.soundCount {
            guard let stream = workspace.sounds[index], !stream.pointee.isOver.load(ordering: .acquiring) else { continue }
            // The count includes the block that it ends in, a fade, and what is heard early.
            let wanted = frames + Int64(Scratch.blockSize + stream.pointee.fadeFrames + stream.pointee.lead)
            guard stream.pointee.framesReady(from: frame.number) >= wanted else { return false }
        }
        return true
    }
}
