// Render thread: renders a keys layer.

import Synthesis

extension LayerStretch {
    /// Adds the notes of the layer, in the left ear half a beat above the key's pitch, in the right ear as much below it.
    @_noLocks @_noAllocation
    func addKeys(
        _ cursor: UnsafePointer<LayerCursor>, _ workspace: Workspace, left: UnsafeMutablePointer<Float>, gainLeft: BlockGain,
        right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        let keyboard = workspace.keyboard
        let origin = keyboard.pointee.origin
        for index in 0..<Keyboard.capacity {
            let note = keyboard.pointee.notes + index
            guard note.pointee.sounds, note.pointee.part == layer.pointee.part else { continue }
            let first = origin + frame
            var done = 0
            while done < count {
                var limit = first + Int64(count)
                let tone = note.pointee.phase(at: first + Int64(done), limit: &limit)
                let half = cursor.pointee.pulse.advanced(by: Int64(done))
                let length = Int(limit - first) - done
                fillKey(scratch.first + done, length, tone + half)
                fillKey(scratch.second + done, length, tone - half)
                // Half a beat is less than a fiftieth of any sample rate.
                if note.pointee.highestFrequency > nyquistFadeStart - 0.02 {
                    applyNyquistFade(to: scratch.first + done, count: length, tone: tone, half: half, isAbove: true)
                    applyNyquistFade(to: scratch.second + done, count: length, tone: tone, half: half, isAbove: false)
                }
                done += length
            }
            let level = note.pointee.level
            scale(scratch.first, count: count, source: scratch.first, by: level)
            scale(scratch.second, count: count, source: scratch.second, by: level)
            note.pointee.shape(scratch.first, scratch.second, count: count, frame: first)
            if let gain = scratch.chordGain {
                multiply(scratch.first, count: count, scratch.first, gain + offset)
                multiply(scratch.second, count: count, scratch.second, gain + offset)
            }
            add(scratch.first, to: left, gain: gainLeft)
            add(scratch.second, to: right, gain: gainRight)
        }
    }

    @_noLocks @_noAllocation
    private func fillKey(_ out: UnsafeMutablePointer<Float>, _ count: Int, _ phase: PhaseDifferences) {
        if let wave = layer.pointee.wave {
            Synthesis.fillWave(out, count: count, shape: wave, phase: phase)
        } else {
            kernel.fillSine(out, count: count, phase: phase)
        }
    }
}
