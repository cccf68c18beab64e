// Render thread: a recorded sound as a layer.

import Patches
import Synthesis

extension LayerStretch {
    /// Adds the layer. If it was not decoded in time, it fades out before the gap and in again after it; gaps are counted.
    @_noLocks @_noAllocation
    func addSound(
        _ stream: UnsafeMutablePointer<SoundStream>, _ effects: EffectStretch?, _ cursor: UnsafePointer<LayerCursor>,
        left: UnsafeMutablePointer<Float>, gainLeft: BlockGain,
        right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        let ready = stream.pointee.framesReady(from: frame)
        let wanted = Int(min(ready, Int64(count)))
        let copied = stream.pointee.copy(to: scratch.first, scratch.second, quadrature: scratch.quadrature, from: frame, count: wanted)
        clear(scratch.first + copied, count: count - copied)
        clear(scratch.second + copied, count: count - copied)
        if let effects { effects.mixDown() }
        if let effects, effects.isShifted {
            clear(scratch.quadrature + copied, count: count - copied)
            effects.shiftMiddle(by: cursor.pointee.left)
        }
        stream.pointee.fade(scratch.first, scratch.second, count: count, ready: ready)
        add(scratch.first, to: left, gain: gainLeft)
        add(scratch.second, to: right, gain: gainRight)
    }
}

extension SoundStream {
    /// Publishes how far the sound has been played, even while it is inaudible.
    @_noLocks @_noAllocation
    func pass(_ frame: Int64) {
        let chunk = frame / Int64(SoundStream.chunkLength)
        if needed.load(ordering: .relaxed) < chunk { needed.store(chunk, ordering: .releasing) }
    }

    /// Copies frames that can be read without a gap, with their quadrature if the chunks have it.
    ///
    /// - Returns: Frames that were copied: all of them.
    @_noLocks @_noAllocation
    fileprivate func copy(
        to first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, quadrature: UnsafeMutablePointer<Float>,
        from frame: Int64, count: Int
    ) -> Int {
        let length = SoundStream.chunkLength
        var done = 0
        while done < count {
            let at = frame &+ Int64(done)
            let number = at / Int64(length)
            let offset = Int(at - number * Int64(length))
            let part = min(count - done, length - offset)
            // SAFETY: the chunk is delivered and still needed, so that its place is not written to.
            guard let samples = places[Int(number % capacity)] else { break }
            for i in 0..<part {
                first[done + i] = samples[offset + i]
                second[done + i] = samples[length + offset + i]
            }
            if hasQuadrature { for i in 0..<part { quadrature[done + i] = samples[2 * length + offset + i] } }
            done += part
        }
        return done
    }

    /// Fades a block before a gap and after it.
    ///
    /// - Parameter ready: Frames that are available from the block's first one on.
    @_noLocks @_noAllocation
    fileprivate func fade(_ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int, ready: Int64) {
        let hasMore = ready >= Int64(count + fadeFrames)
        var level = level.load(ordering: .relaxed)
        defer { self.level.store(level, ordering: .relaxed) }
        if level < 0 {
            level = hasMore ? fadeFrames : 0
            if !hasMore { countGap() }
        } else if !hasMore, level == fadeFrames {
            countGap()
        }
        if hasMore, level == fadeFrames { return }
        for i in 0..<count {
            level = hasMore ? min(level + 1, fadeFrames) : max(level - 1, 0)
            let gain = PortableMath.smootherstep(Float(level) / Float(fadeFrames))
            first[i] *= gain
            second[i] *= gain
        }
    }

    /// Counts a gap, unless nothing more will be decoded.
    @_noLocks @_noAllocation
    private func countGap() {
        if !isOver.load(ordering: .acquiring) { gaps.wrappingAdd(1, ordering: .relaxed) }
    }
}
