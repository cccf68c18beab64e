// Render thread: renders a keys layer.

import Synthesis

extension LayerStretch {
    /// Adds the notes of the layer.
    @_noLocks @_noAllocation
    func addKeys(_ cursor: UnsafePointer<LayerCursor>, _ workspace: Workspace, to ears: EarOutputs) {
        let keyboard = workspace.keyboard
        for index in 0..<Keyboard.capacity {
            let note = keyboard.pointee.notes + index
            guard note.pointee.sounds, note.pointee.part == layer.pointee.part else { continue }
            note.pointee.fill(self, half: cursor.pointee.pulse, from: keyboard.pointee.origin + frame)
            add(scratch.first, to: ears.left)
            add(scratch.second, to: ears.right)
        }
    }
}

extension KeyNote {
    /// Fills `scratch.first` with a tone half a beat above the key's pitch, and `scratch.second` with one as much below it.
    ///
    /// - Parameters:
    ///   - half: The phase of half the beat at the stretch's first frame.
    ///   - first: The number of that frame, as the engine counts.
    @_noLocks @_noAllocation
    fileprivate func fill(_ stretch: LayerStretch, half: PhaseDifferences, from first: EngineFrame) {
        let (scratch, count) = (stretch.scratch, stretch.count)
        var done = 0
        while done < count {
            var limit = first + Int64(count)
            let tone = phase(at: first + Int64(done), limit: &limit)
            let half = half.advanced(by: Int64(done))
            let length = Int(limit - first) - done
            stretch.fillWave(scratch.first + done, count: length, tone + half)
            stretch.fillWave(scratch.second + done, count: length, tone - half)
            // Half a beat is less than a fiftieth of any sample rate.
            if highestFrequency > nyquistFadeStart - 0.02 {
                applyNyquistFade(to: scratch.first + done, count: length, tone: tone, half: half, isAbove: true)
                applyNyquistFade(to: scratch.second + done, count: length, tone: tone, half: half, isAbove: false)
            }
            done += length
        }
        scale(scratch.first, count: count, source: scratch.first, by: level)
        scale(scratch.second, count: count, source: scratch.second, by: level)
        shape(scratch.first, scratch.second, count: count, frame: first)
        if let gain = scratch.chordGain {
            multiply(scratch.first, count: count, scratch.first, gain + stretch.offset)
            multiply(scratch.second, count: count, scratch.second, gain + stretch.offset)
        }
    }
}
