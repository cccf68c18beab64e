// Render thread: key events, carried out at their frames.

import Synthesis

extension RenderHandle {
    /// Plays a MIDI message of this cycle on the keys layers; messages come in the order of their frames. Only inside the callback, before
    /// ``render(left:right:frames:hostTime:)``.
    @_noLocks @_noAllocation
    package func play(_ status: UInt8, _ data1: UInt8, _ data2: UInt8, atFrame frame: EngineFrame) {
        switch status & 0xF0 {
        case 0x80, 0x90, 0xE0: break
        // The pedal, and the channel messages that end notes.
        case 0xB0 where data1 == 64 || data1 == 120 || data1 == 121 || data1 >= 123: break
        default: return
        }
        guard status < 0xF0, data1 < 128, data2 < 128 else { return }
        let keyboard = state.pointee.keyboard
        guard keyboard.pointee.eventCount < Keyboard.eventCapacity else { return }
        keyboard.pointee.events[keyboard.pointee.eventCount] = KeyEvent(frame: frame, status: status, data1: data1, data2: data2)
        keyboard.pointee.eventCount += 1
    }
}

/// Carries out the key events up to the current frame, or those of the whole cycle if there is no keys layer.
@_noLocks @_noAllocation
func playDueKeys(_ state: UnsafeMutablePointer<RenderState>) {
    let keyboard = state.pointee.keyboard
    guard keyboard.pointee.eventCount > 0 else { return }
    let now = state.pointee.engineFrame
    let waits = hasKeys(state)
    while keyboard.pointee.firstEvent < keyboard.pointee.eventCount {
        let event = keyboard.pointee.events[keyboard.pointee.firstEvent]
        if waits, event.frame > now { return }
        keyboard.pointee.firstEvent += 1
        play(event, at: max(event.frame, now), state)
    }
    keyboard.pointee.firstEvent = 0
    keyboard.pointee.eventCount = 0
}

/// The frame of the next key event; `nil` if no event is left in this cycle.
@_noLocks @_noAllocation
func nextKeyFrame(_ state: UnsafeMutablePointer<RenderState>) -> EngineFrame? {
    let keyboard = state.pointee.keyboard
    guard keyboard.pointee.firstEvent < keyboard.pointee.eventCount else { return nil }
    return keyboard.pointee.events[keyboard.pointee.firstEvent].frame
}

@_noLocks @_noAllocation
private func hasKeys(_ state: UnsafeMutablePointer<RenderState>) -> Bool {
    guard state.pointee.current >= 0, let playable = (state.pointee.playheads + state.pointee.current).pointee.playable else {
        return false
    }
    return playable.plan.pointee.keysCount > 0
}

@_noLocks @_noAllocation
private func play(_ event: KeyEvent, at frame: EngineFrame, _ state: UnsafeMutablePointer<RenderState>) {
    let keyboard = state.pointee.keyboard
    let channel = Int(event.status & 0x0F)
    let key = Int(event.data1)
    switch event.status & 0xF0 {
    case 0x90 where event.data2 > 0: keyDown(key, velocity: Int(event.data2), channel: channel, at: frame, state)
    case 0x80, 0x90:
        for index in 0..<Keyboard.capacity {
            let note = keyboard.pointee.notes + index
            guard note.pointee.isHeld, note.pointee.key == key, note.pointee.channel == channel else { continue }
            if keyboard.pointee.pedals[channel] {
                note.pointee.isSustained = true
            } else {
                release(note, at: frame, state)
            }
        }
    case 0xE0: bend(channel, to: (Int(event.data1) | Int(event.data2) << 7) - 8192, at: frame, keyboard)
    default: control(key, to: Int(event.data2), channel, at: frame, state)
    }
}

@_noLocks @_noAllocation
private func control(_ controller: Int, to value: Int, _ channel: Int, at frame: EngineFrame, _ state: UnsafeMutablePointer<RenderState>) {
    let keyboard = state.pointee.keyboard
    switch controller {
    case 64:
        keyboard.pointee.pedals[channel] = value >= 64
        guard value < 64 else { return }
        for index in 0..<Keyboard.capacity where (keyboard.pointee.notes + index).pointee.channel == channel {
            if (keyboard.pointee.notes + index).pointee.isSustained { release(keyboard.pointee.notes + index, at: frame, state) }
        }
    case 121:
        keyboard.pointee.pedals[channel] = false
        bend(channel, to: 0, at: frame, keyboard)
        for index in 0..<Keyboard.capacity where (keyboard.pointee.notes + index).pointee.channel == channel {
            if (keyboard.pointee.notes + index).pointee.isSustained { release(keyboard.pointee.notes + index, at: frame, state) }
        }
    default:
        // All sound off (120), or all notes off and the mode changes that imply it.
        for index in 0..<Keyboard.capacity where (keyboard.pointee.notes + index).pointee.channel == channel {
            if controller == 120 {
                (keyboard.pointee.notes + index).pointee.end(at: frame, release: keyboard.pointee.shortRelease)
            } else if (keyboard.pointee.notes + index).pointee.isHeld {
                release(keyboard.pointee.notes + index, at: frame, state)
            }
        }
    }
}

@_noLocks @_noAllocation
private func keyDown(_ key: Int, velocity: Int, channel: Int, at frame: EngineFrame, _ state: UnsafeMutablePointer<RenderState>) {
    guard state.pointee.current >= 0, let playable = (state.pointee.playheads + state.pointee.current).pointee.playable else { return }
    let keyboard = state.pointee.keyboard
    for index in 0..<Keyboard.capacity {
        let note = keyboard.pointee.notes + index
        // A key that is struck again releases its note.
        if note.pointee.isHeld, note.pointee.key == key, note.pointee.channel == channel { release(note, at: frame, state) }
    }
    let increment = keyboard.pointee.increment(of: key, channel: channel)
    // No pitch wheel makes it audible.
    guard increment > 0 else { return }
    let planFrame = frame.planFrame(origin: (state.pointee.playheads + state.pointee.current).pointee.origin)
    var part = 0
    for index in 0..<playable.plan.pointee.layerCount {
        let layer = playable.plan.pointee.layers + index
        guard case .keys = layer.pointee.kind else { continue }
        if let place = keyboard.pointee.place(at: frame) {
            place.pointee = KeyNote(
                part: part, key: key, channel: channel, velocity: velocity, increment: increment, at: frame,
                attack: Int64(layer.pointee.keys.attack.value(at: planFrame.number)))
        }
        part += 1
    }
}

/// Releases a note as its layer specifies, or within 20 ms if that layer is gone.
@_noLocks @_noAllocation
private func release(_ note: UnsafeMutablePointer<KeyNote>, at frame: EngineFrame, _ state: UnsafeMutablePointer<RenderState>) {
    note.pointee.isSustained = false
    var frames = state.pointee.keyboard.pointee.shortRelease
    if state.pointee.current >= 0 {
        let playhead = state.pointee.playheads + state.pointee.current
        if let playable = playhead.pointee.playable {
            var part = 0
            for index in 0..<playable.plan.pointee.layerCount {
                let layer = playable.plan.pointee.layers + index
                guard case .keys = layer.pointee.kind else { continue }
                if part == note.pointee.part {
                    frames = Int64(layer.pointee.keys.release.value(at: frame.planFrame(origin: playhead.pointee.origin).number))
                }
                part += 1
            }
        }
    }
    note.pointee.end(at: frame, release: frames)
}

@_noLocks @_noAllocation
private func bend(_ channel: Int, to value: Int, at frame: EngineFrame, _ keyboard: UnsafeMutablePointer<Keyboard>) {
    // The wheel bends two semitones to either side.
    let octaves = Double(value) / (value < 0 ? 8192 : 8191) / 6
    // 2^x by the series of e^(x ln 2), of which the next term is below 1e-11 here.
    let x = octaves * 0.69314718055994530942
    let factor = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6 * (1 + x / 7))))))
    keyboard.pointee.bends[channel] = factor
    for index in 0..<Keyboard.capacity {
        let note = keyboard.pointee.notes + index
        guard note.pointee.sounds, note.pointee.channel == channel else { continue }
        note.pointee.bend(
            to: keyboard.pointee.increment(of: note.pointee.key, channel: channel), at: frame, over: keyboard.pointee.glide)
    }
}

extension Keyboard {
    /// Phase increment of a key as tuned and bent, in units of 2^-64 cycle per frame.
    @_noLocks @_noAllocation
    fileprivate func increment(of key: Int, channel: Int) -> UInt64 {
        UInt64(Double(increments[key].load(ordering: .relaxed)) * bends[channel])
    }

    /// A free place; at full polyphony the oldest held note is released. `nil` if all places are in use.
    @_noLocks @_noAllocation
    fileprivate func place(at frame: EngineFrame) -> UnsafeMutablePointer<KeyNote>? {
        var free = -1
        var oldest = -1
        var held = 0
        for index in 0..<Keyboard.capacity {
            if !notes[index].sounds {
                if free < 0 { free = index }
            } else if notes[index].isHeld {
                held += 1
                if oldest < 0 || notes[index].start < notes[oldest].start { oldest = index }
            }
        }
        if held >= Keyboard.polyphony { notes[oldest].end(at: frame, release: shortRelease) }
        return free < 0 ? nil : notes + free
    }
}
