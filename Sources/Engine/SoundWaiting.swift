// Freewheel only: where no deadline is kept, a cycle waits for the sounds that it needs from files.

import Glibc
import Synchronization

extension RenderHandle {
    /// Waits until all that a cycle of `frames` may need from files has been decoded, but not for ever. Only inside a callback that need not keep
    /// up with a clock. It calls nobody, so that such a callback can be watched like any other.
    package func waitForSounds(frames: Int) {
        takeMessages(state)
        guard !hasSounds(frames: Int64(frames)) else { return }
        let limit = Self.seconds + 10
        repeat {
            state.pointee.soundHurry.pointee.store(true, ordering: .relaxed)
        } while !hasSounds(frames: Int64(frames)) && Self.seconds < limit
    }

    /// Read without a call of the system.
    private static var seconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }

    private func hasSounds(frames: Int64) -> Bool {
        for index in 0..<RenderState.playheadCount {
            let playhead = state.pointee.playheads[index]
            guard let sound = playhead.sound else { continue }
            guard sound.isReady(from: state.pointee.engineFrame - playhead.origin, frames: frames) else { return false }
        }
        if let next = state.pointee.next, !next.isReady(from: 0, frames: frames) { return false }
        for index in 0..<state.pointee.pendingCount {
            let message = state.pointee.pending[index]
            guard let sound = message.sound else { continue }
            let position = message.origin == .max ? message.position : max(state.pointee.engineFrame - message.origin, 0)
            guard sound.isReady(from: position, frames: frames) else { return false }
        }
        return true
    }
}

extension Sound {
    /// Whether its recorded layers can be played for so many frames from a plan frame on, or will never be.
    fileprivate func isReady(from frame: Int64, frames: Int64) -> Bool {
        guard let workspace else { return true }
        for index in 0..<plan.pointee.soundCount {
            guard let stream = workspace.sounds[index], !stream.pointee.isOver.load(ordering: .acquiring) else { continue }
            // With the block that it ends in, and a fade.
            let wanted = frames + Int64(Scratch.blockSize + stream.pointee.fadeFrames)
            guard stream.pointee.framesReady(from: frame) >= wanted else { return false }
        }
        return true
    }
}
