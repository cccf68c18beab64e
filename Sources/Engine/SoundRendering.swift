// Render thread: a recorded sound as a layer.

import Patches
import Synthesis

extension LayerStretch {
    /// Adds the layer. If it was not decoded in time, it fades out before the gap and in again after it; gaps are counted.
    @_noLocks @_noAllocation
    func addSound(
        _ stream: UnsafeMutablePointer<SoundStream>, left: UnsafeMutablePointer<Float>, gainLeft: BlockGain,
        right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        let ready = stream.pointee.framesReady(from: frame)
        copySound(stream, count: Int(min(ready, Int64(count))))
        fadeSound(stream, ready: ready)
        add(scratch.first, to: left, gain: gainLeft)
        add(scratch.second, to: right, gain: gainRight)
    }

    /// Publishes how far the sound has been played, even while it is inaudible.
    @_noLocks @_noAllocation
    func passSound(_ stream: UnsafeMutablePointer<SoundStream>) {
        let chunk = frame / Int64(SoundStream.chunkLength)
        if stream.pointee.needed.load(ordering: .relaxed) < chunk { stream.pointee.needed.store(chunk, ordering: .releasing) }
    }

    /// Copies the next `ready` frames into `scratch.first` and `scratch.second`, followed by silence.
    @_noLocks @_noAllocation
    private func copySound(_ stream: UnsafePointer<SoundStream>, count ready: Int) {
        let length = SoundStream.chunkLength
        var done = 0
        while done < ready {
            let at = frame &+ Int64(done)
            let number = at / Int64(length)
            let offset = Int(at - number * Int64(length))
            let part = min(ready - done, length - offset)
            // SAFETY: the chunk is delivered and still needed, so that its place is not written to.
            guard let samples = stream.pointee.places[Int(number % stream.pointee.capacity)] else { break }
            for i in 0..<part {
                scratch.first[done + i] = samples[offset + i]
                scratch.second[done + i] = samples[length + offset + i]
            }
            done += part
        }
        for i in done..<max(done, count) {
            scratch.first[i] = 0
            scratch.second[i] = 0
        }
    }

    /// - Parameter ready: Frames that are available from this block's first one on.
    @_noLocks @_noAllocation
    private func fadeSound(_ stream: UnsafeMutablePointer<SoundStream>, ready: Int64) {
        let full = stream.pointee.fadeFrames
        let goesOn = ready >= Int64(count + full)
        if stream.pointee.level < 0 {
            stream.pointee.level = goesOn ? full : 0
            if !goesOn { countGap(stream) }
        } else if !goesOn, stream.pointee.level == full {
            countGap(stream)
        }
        if goesOn, stream.pointee.level == full { return }
        var level = stream.pointee.level
        for i in 0..<count {
            level = goesOn ? min(level + 1, full) : max(level - 1, 0)
            let gain = PortableMath.smootherstep(Float(level) / Float(full))
            scratch.first[i] *= gain
            scratch.second[i] *= gain
        }
        stream.pointee.level = level
    }

    /// Counts a gap, unless nothing more will be decoded.
    @_noLocks @_noAllocation
    private func countGap(_ stream: UnsafeMutablePointer<SoundStream>) {
        if !stream.pointee.isOver.load(ordering: .acquiring) { stream.pointee.gaps.wrappingAdd(1, ordering: .relaxed) }
    }
}
