// Render thread: a recorded sound as a layer.

import Patches
import Synthesis

extension SoundStream {
    /// Adds the layer. If it was not decoded in time, it fades out before the gap and in again after it; gaps are counted.
    @_noLocks @_noAllocation
    func add(
        _ stretch: LayerStretch, _ effects: EffectStretch?, _ cursor: UnsafePointer<LayerCursor>, to ears: EarOutputs
    ) {
        let scratch = stretch.scratch
        let ready = copy(to: scratch.sound, from: stretch.frame, count: stretch.count)
        if let effects {
            effects.mixDown(scratch.first, scratch.second)
            if effects.isShifted { effects.shiftMiddle(by: cursor.pointee.left) }
        }
        forEachFade(count: stretch.count, ready: ready) { i, gain in
            scratch.first[i] *= gain
            scratch.second[i] *= gain
        }
        stretch.add(scratch.first, to: ears.left)
        stretch.add(scratch.second, to: ears.right)
    }

    /// Publishes how far the sound has been played, even while it is inaudible.
    @_noLocks @_noAllocation
    func pass(_ frame: Int64) {
        let chunk = frame / Int64(SoundStream.chunkLength)
        if needed.load(ordering: .relaxed) < chunk { needed.store(chunk, ordering: .releasing) }
    }

    /// Fills in the two channels, their bands and the quadrature, faded before a gap and after it.
    @_noLocks @_noAllocation
    func fill(_ scratch: Scratch, from frame: Int64, count: Int) {
        let ready = copy(to: scratch.sound, from: frame, count: count)
        forEachFade(count: count, ready: ready) { i, gain in
            scratch.first[i] *= gain
            scratch.second[i] *= gain
            scratch.bandFirst[i] *= gain
            scratch.bandSecond[i] *= gain
            scratch.quadrature[i] *= gain
        }
    }

    /// Copies what is decoded, and fills the rest with silence.
    ///
    /// - Returns: Frames from here on that can be heard.
    @_noLocks @_noAllocation
    func copy(to sound: SoundBuffers, from frame: Int64, count: Int) -> Int64 {
        let ready = framesReady(from: frame)
        let copied = copyReady(to: sound, from: frame, count: Int(min(ready, Int64(count))))
        clear(sound.first + copied, count: count - copied)
        clear(sound.second + copied, count: count - copied)
        if hasBands {
            clear(sound.bandFirst + copied, count: count - copied)
            clear(sound.bandSecond + copied, count: count - copied)
        }
        if hasQuadrature { clear(sound.quadrature + copied, count: count - copied) }
        return ready - Int64(lead)
    }

    /// Fills in the gain of each frame of a block before a gap and after it; `nil` if all of them are 1.
    ///
    /// - Parameter ready: What ``copy(to:from:count:)`` returned.
    @_noLocks @_noAllocation
    func fade(count: Int, ready: Int64, in out: UnsafeMutablePointer<Float>) -> UnsafePointer<Float>? {
        var hasFade = false
        forEachFade(count: count, ready: ready) { i, gain in
            out[i] = gain
            hasFade = true
        }
        return hasFade ? UnsafePointer(out) : nil
    }

    /// Copies frames that can be read without a gap, with their bands and their quadrature if the chunks have them.
    ///
    /// - Returns: Frames that were copied: all of them.
    @_noLocks @_noAllocation
    private func copyReady(to sound: SoundBuffers, from frame: Int64, count: Int) -> Int {
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
                sound.first[done + i] = samples[offset + i]
                sound.second[done + i] = samples[length + offset + i]
            }
            var next = samples + 2 * length + offset
            if hasBands {
                for i in 0..<part {
                    sound.bandFirst[done + i] = next[i]
                    sound.bandSecond[done + i] = next[length + i]
                }
                next += 2 * length
            }
            if hasQuadrature { for i in 0..<part { sound.quadrature[done + i] = next[i] } }
            done += part
        }
        return done
    }

    /// Calls `body` with the gain of each frame of a block, before a gap and after it; not if all of them are 1.
    ///
    /// - Parameter ready: Frames that are available from the block's first one on.
    @_noLocks @_noAllocation
    @inline(__always)
    fileprivate func forEachFade(count: Int, ready: Int64, _ body: (_ index: Int, _ gain: Float) -> Void) {
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
            body(i, PortableMath.smootherstep(Float(level) / Float(fadeFrames)))
        }
    }

    /// Counts a gap, unless nothing more will be decoded.
    @_noLocks @_noAllocation
    private func countGap() {
        if !isOver.load(ordering: .acquiring) { gaps.wrappingAdd(1, ordering: .relaxed) }
    }
}
