// Render thread: one note of a keyboard, as a function of the engine's frame.

import Synthesis

/// A note that sounds, from the frame at which its key went down to the end of its release.
struct KeyNote: BitwiseCopyable {
    /// Which layer of keys plays it, counted among those of the plan.
    var part = 0
    var key = 0
    /// From 0.
    var channel = 0
    /// By the velocity of the key.
    var level: Float = 0
    /// False: this place is free.
    private(set) var sounds = false
    private var attack = Fade(shape: .smooth, isOut: false, start: 0, frames: 1)
    /// False while the key is down, or the pedal holds it.
    private(set) var isReleased = false
    private var release = Fade(shape: .smooth, isOut: true, start: 0, frames: 1)
    /// It has to be over sooner than its release is.
    private var isCut = false
    private var cut = Fade(shape: .smooth, isOut: true, start: 0, frames: 1)
    /// The key is up, and the pedal down.
    var isSustained = false
    /// Engine frame that `differences` are of, and from which on the pitch glides until `glideEnd`.
    private var frame: Int64 = 0
    private var differences = PhaseDifferences()
    private var glideEnd: Int64 = 0
    /// What the glide comes to, in units of 2^-64 cycle a frame.
    private var target: UInt64 = 0

    @_noLocks @_noAllocation
    init() {}

    /// - Parameters:
    ///   - increment: of the phase, in units of 2^-64 cycle a frame.
    ///   - attack: in frames.
    @_noLocks @_noAllocation
    init(part: Int, key: Int, channel: Int, velocity: Int, increment: UInt64, at frame: Int64, attack: Int64) {
        self.part = part
        self.key = key
        self.channel = channel
        // 40 log10(velocity / 127) dB, as General MIDI recommends (RP-003).
        let part = Float(velocity) / 127
        level = part * part
        sounds = true
        self.attack = Fade(shape: .smooth, isOut: false, start: frame, frames: attack)
        self.frame = frame
        differences = PhaseDifferences(phase: 0, d1: increment)
        target = increment
    }

    var start: Int64 {
        @_noLocks @_noAllocation get { attack.start }
    }

    var isHeld: Bool {
        @_noLocks @_noAllocation get { sounds && !isReleased }
    }

    /// Lets it fade away. One that does already goes on, and faster where this is over sooner.
    @_noLocks @_noAllocation
    mutating func end(at frame: Int64, release frames: Int64) {
        guard sounds else { return }
        let fade = Fade(shape: .smooth, isOut: true, start: frame, frames: frames)
        if !isReleased {
            release = fade
            isReleased = true
        } else if !isCut, fade.end < release.end {
            // Both go on, and multiply.
            cut = fade
            isCut = true
        }
    }

    /// Gives the place back when nothing is heard any more.
    @_noLocks @_noAllocation
    mutating func retire(at frame: Int64) {
        if isReleased && release.end <= frame || isCut && cut.end <= frame { sounds = false }
    }

    /// The pitch goes to another one, in a straight line of frequency and without a step of the phase.
    @_noLocks @_noAllocation
    mutating func bend(to increment: UInt64, at frame: Int64, over frames: Int64) {
        var limit = Int64.max
        differences = phase(at: frame, limit: &limit)
        self.frame = frame
        glideEnd = frame + frames
        target = increment
        let way = Int64(bitPattern: increment &- differences.d1)
        differences.d2 = UInt64(bitPattern: way / frames)
    }

    /// The phase from a frame on, that is not before the last bend; `limit` comes down to where it has to be asked again.
    @_noLocks @_noAllocation
    func phase(at frame: Int64, limit: inout Int64) -> PhaseDifferences {
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

    /// Cycles per frame that its pitch does not exceed.
    var highestFrequency: Double {
        @_noLocks @_noAllocation get { Double(max(differences.d1, target)) * 0x1p-64 }
    }

    /// Its level from frame to frame, on samples that begin at an engine frame.
    @_noLocks @_noAllocation
    func shape(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, frame: Int64) {
        attack.apply(to: left, right, count: count, frame: frame)
        if isReleased { release.apply(to: left, right, count: count, frame: frame) }
        if isCut { cut.apply(to: left, right, count: count, frame: frame) }
    }
}
