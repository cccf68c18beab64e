import Engine
import Playback

/// A move of the master gain that was under way when the audio was lost. When the audio is back, the gain continues from the level reached,
/// since a sound that was hardly audible must not come back at full level.
struct InterruptedMaster {
    /// In dB.
    private let level: Double
    /// The time in seconds that the move still had.
    private let seconds: Double

    /// The shortest time in seconds in which the gain returns. A fade-out that restarts in its first cycles takes over before
    /// it has moved audibly.
    private static let shortest = 2.0

    /// `nil` if the gain is not moving.
    init?(_ engine: EngineControl) {
        guard let move = engine.master.move(at: engine.status.engineFrame) else { return nil }
        level = move.decibels
        seconds = Double(move.frames) / engine.sampleRate
    }

    /// The level to begin with, in dB.
    func level(below target: Double) -> Double { min(level, target) }

    /// Moves the gain to a level in dB over the time that was left.
    ///
    /// - Returns: The serial of the request.
    func resume(to target: Double, _ engine: EngineControl) -> UInt64 {
        engine.setMaster(target, ramp: max(seconds, Self.shortest))
    }
}
