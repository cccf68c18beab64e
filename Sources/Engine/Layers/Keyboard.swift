// Render thread: the keys that are down and their MIDI state. Control creates and tunes it.

import Synchronization
import Patches
import Synthesis

/// A key event: the bytes of a MIDI channel message, and its frame.
struct KeyEvent: BitwiseCopyable {
    var frame: EngineFrame
    var status: UInt8
    var data1: UInt8
    var data2: UInt8

    @_noLocks @_noAllocation
    init(frame: EngineFrame, status: UInt8, data1: UInt8, data2: UInt8) {
        (self.frame, self.status, self.data1, self.data2) = (frame, status, data1, data2)
    }
}

/// The notes of all keys layers. Unlike all else, they are not a function of the frame alone: they depend on what is played.
struct Keyboard: ~Copyable {
    /// The most notes held at a time. ``capacity`` is larger, since released notes need places while they fade.
    static var polyphony: Int {
        @_noLocks @_noAllocation get { 32 }
    }
    static var capacity: Int {
        @_noLocks @_noAllocation get { Headroom.noteCount }
    }
    /// Highest tuning, in cycles per frame: no pitch wheel bends a higher key down to half the sample rate. Bent up, it stays below 1.
    static var highestFrequency: Double { 0.75 }
    static var eventCapacity: Int {
        @_noLocks @_noAllocation get { 4096 }
    }
    static var channelCount: Int {
        @_noLocks @_noAllocation get { 16 }
    }

    let notes: UnsafeMutablePointer<KeyNote>
    /// Events of this cycle; those from `firstEvent` on have not been carried out.
    let events: UnsafeMutablePointer<KeyEvent>
    var firstEvent = 0
    var eventCount = 0
    /// For each channel: the factor of the pitch wheel, and whether the pedal is down.
    let bends: UnsafeMutablePointer<Double>
    let pedals: UnsafeMutablePointer<Bool>
    /// Phase increment of each key, in units of 2^-64 cycle per frame; written by control.
    let increments: UnsafeMutablePointer<Atomic<UInt64>>
    /// The engine frame at which frame 0 of the plan was rendered.
    var origin: EngineFrame = 0
    /// Frames in which a note fades that has to make room, and in which the pitch follows the wheel.
    let shortRelease: Int64
    let glide: Int64

    /// Bytes that it takes in the engine's block.
    static var bytes: Int {
        EngineBlock.bytes(KeyNote.self, capacity) + EngineBlock.bytes(KeyEvent.self, eventCapacity)
            + EngineBlock.bytes(Double.self, channelCount) + EngineBlock.bytes(Bool.self, channelCount)
            + EngineBlock.bytes(Atomic<UInt64>.self, 128)
    }

    init(sampleRate: Double, in block: inout EngineBlock) {
        notes = block.take(Self.capacity)
        events = block.take(Self.eventCapacity)
        events.initialize(repeating: KeyEvent(frame: 0, status: 0, data1: 0, data2: 0), count: Self.eventCapacity)
        bends = block.take(Self.channelCount)
        pedals = block.take(Self.channelCount)
        increments = block.take(128)
        for key in 0..<128 { (increments + key).initialize(to: Atomic(0)) }
        shortRelease = max(Int64(0.02 * sampleRate), 1)
        glide = max(Int64(0.005 * sampleRate), 1)
        clear()
    }

    /// Drops all notes and events, and resets wheels and pedals.
    mutating func clear() {
        notes.initialize(repeating: KeyNote(), count: Self.capacity)
        bends.initialize(repeating: 1, count: Self.channelCount)
        pedals.initialize(repeating: false, count: Self.channelCount)
        firstEvent = 0
        eventCount = 0
    }

    /// Sets the frequency of every key, for keys struck from now on; keys too high for the sample rate fade out.
    func tune(_ tuning: Tuning, sampleRate: Double) {
        for key in 0..<128 {
            let cycles = tuning.frequency(ofNote: Double(key)) / sampleRate
            increments[key].store(cycles < Keyboard.highestFrequency ? UInt64(cycles * 0x1p64) : 0, ordering: .relaxed)
        }
    }

    func free() { increments.deinitialize(count: 128) }
}

extension Keyboard {
    /// Frees the places of notes that have ended.
    @_noLocks @_noAllocation
    func retire(at frame: EngineFrame) {
        for index in 0..<Keyboard.capacity { notes[index].retire(at: frame) }
    }

    /// Fades out all notes within 20 ms.
    @_noLocks @_noAllocation
    func silence(at frame: EngineFrame) {
        for index in 0..<Keyboard.capacity { notes[index].end(at: frame, release: shortRelease) }
    }
}
