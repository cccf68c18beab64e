// Render thread: one note of a keyboard, as a function of the engine's frame.

import Synthesis

/// A note that sounds, from the frame at which its key went down to the end of its release.
struct KeyNote: BitwiseCopyable {
    /// Index of the keys layer that plays it, among the plan's keys layers.
    var part = 0
    var key = 0
    /// MIDI channel, counted from 0.
    var channel = 0
    /// Linear level, from the velocity of the key.
    var level: Float = 0
    /// False if this place is free.
    private(set) var sounds = false
    private var attack = Fade(shape: .smooth, isOut: false, start: 0, frames: 1)
    /// False while the key is down, or the pedal holds it.
    private(set) var isReleased = false
    private var release = Fade(shape: .smooth, isOut: true, start: 0, frames: 1)
    /// Whether it has to end sooner than its release does.
    private var isCut = false
    private var cut = Fade(shape: .smooth, isOut: true, start: 0, frames: 1)
    /// Whether the key is up and only the pedal holds the note.
    var isSustained = false
    /// The frame of `differences`, from which on the pitch glides until `glideEnd`.
    private var frame: EngineFrame = 0
    private var differences = PhaseDifferences()
    private var glideEnd: EngineFrame = 0
    /// Phase increment at the end of the glide, in units of 2^-64 cycle per frame.
    private var target: UInt64 = 0

    @_noLocks @_noAllocation
    init() {}

    /// - Parameters:
    ///   - increment: The phase increment, in units of 2^-64 cycle per frame.
    ///   - attack: The length of the attack in frames.
    @_noLocks @_noAllocation
    init(part: Int, key: Int, channel: Int, velocity: Int, increment: UInt64, at frame: EngineFrame, attack: Int64) {
        self.part = part
        self.key = key
        self.channel = channel
        // The level is 40 log10(velocity / 127) dB, as General MIDI recommends (RP-003).
        let part = Float(velocity) / 127
        level = part * part
        sounds = true
        self.attack = Fade(shape: .smooth, isOut: false, start: frame.number, frames: attack)
        self.frame = frame
        differences = PhaseDifferences(phase: 0, d1: increment)
        target = increment
    }

    var start: EngineFrame {
        @_noLocks @_noAllocation get { EngineFrame(attack.start) }
    }

    var isHeld: Bool {
        @_noLocks @_noAllocation get { sounds && !isReleased }
    }

    /// Fades the note out. A release under way continues, and this fade multiplies it if it ends sooner.
    @_noLocks @_noAllocation
    mutating func end(at frame: EngineFrame, release frames: Int64) {
        guard sounds else { return }
        let fade = Fade(shape: .smooth, isOut: true, start: frame.number, frames: frames)
        if !isReleased {
            release = fade
            isReleased = true
        } else if !isCut, fade.end < release.end {
            // Both fades continue, and multiply.
            cut = fade
            isCut = true
        }
    }

    /// Frees the place once the note is silent.
    @_noLocks @_noAllocation
    mutating func retire(at frame: EngineFrame) {
        if isReleased && release.end <= frame.number || isCut && cut.end <= frame.number { sounds = false }
    }

    /// Glides to another pitch, linearly in frequency and without a phase step.
    @_noLocks @_noAllocation
    mutating func bend(to increment: UInt64, at frame: EngineFrame, over frames: Int64) {
        var limit = EngineFrame.max
        differences = phase(at: frame, limit: &limit)
        self.frame = frame
        glideEnd = frame + frames
        target = increment
        let way = Int64(bitPattern: increment &- differences.d1)
        differences.d2 = UInt64(bitPattern: way / frames)
    }

    /// The phase from a frame on, not before the last bend; lowers `limit` to the frame up to which the result is valid.
    @_noLocks @_noAllocation
    func phase(at frame: EngineFrame, limit: inout EngineFrame) -> PhaseDifferences {
        guard differences.d2 != 0 else { return differences.advanced(by: frame - self.frame) }
        if frame < glideEnd {
            limit = min(limit, glideEnd)
            return differences.advanced(by: frame - self.frame)
        }
        var arrived = differences.advanced(by: glideEnd - self.frame)
        arrived.d1 = target
        arrived.d2 = 0
        return arrived.advanced(by: frame - glideEnd)
    }

    /// Upper bound of its frequency, in cycles per frame.
    var highestFrequency: Double {
        @_noLocks @_noAllocation get { Double(max(differences.d1, target)) * 0x1p-64 }
    }

    /// Multiplies samples by the attack and release of the note.
    @_noLocks @_noAllocation
    func shape(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, frame: EngineFrame) {
        attack.apply(to: left, right, count: count, frame: frame.number)
        if isReleased { release.apply(to: left, right, count: count, frame: frame.number) }
        if isCut { cut.apply(to: left, right, count: count, frame: frame.number) }
    }
}
