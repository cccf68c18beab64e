import Engine
import Patches
import Playback

/// Sets the master gain around a stop within a fade, after which it is restored only once everything is silent.
struct MasterLevel {
    /// The length in seconds of the fade of a panic.
    static let panicFade = 0.03

    /// Seconds of the fade of the last silence.
    var silencingTime = 0.0
    /// The engine frame from which the gain is restored.
    private var restoredFrame = EngineFrame.asSoonAsPossible

    /// Sets the gain. While the sound fades out after a stop within a fade, only a mute takes effect at once: any other level would be
    /// heard, and a ramp would start from the faded level.
    ///
    /// - Parameter target: In dB.
    /// - Returns: The serial of the request, as for the other functions.
    func move(to target: Double, _ ramp: Ramp, at frame: EngineFrame, _ engine: EngineControl) -> UInt64 {
        let isSilencing = max(frame, engine.status.engineFrame) < restoredFrame && target > Parameter.off
        return engine.setMaster(target, ramp: ramp.seconds, easing: ramp.easing, atFrame: isSilencing ? restoredFrame : frame)
    }

    /// Restores the gain over the shortest ramp at the end of a silence that begins at a frame.
    mutating func restore(to target: Double, after frame: EngineFrame, _ engine: EngineControl) -> UInt64 {
        let silent = max(frame, engine.earliestFrame()) + Self.frames(silencingTime, engine)
        restoredFrame = silent + Self.frames(Ramp.shortLevel.seconds, engine)
        return engine.setMaster(target, atFrame: silent)
    }

    /// Silences the master within 20 ms of a frame, and raises it to its level. The curve mirrors the default fade of the sleep timer: sineOut, in dB.
    ///
    /// - Parameter moment: That of the frame.
    func rise(
        of player: inout Player, over seconds: Double, at moment: Moment, after frame: EngineFrame, _ engine: EngineControl
    ) -> UInt64 {
        player.recordRise(over: seconds, .sineOut, at: moment)
        let ramp = Ramp(seconds: seconds, easing: .sineOut)
        return lower(to: Parameter.off, at: frame, andTo: player.state.masterTarget, ramp, engine).serial
    }

    /// Lowers the master to a level within 20 ms, and moves it from there to another one, both in dB. What is requested next waits for the
    /// lower level.
    func lower(
        to level: Double, andTo target: Double, _ ramp: Ramp, _ common: inout CommonFrame, _ engine: EngineControl
    ) -> UInt64 {
        // After a stop within a fade, the lower level may be above the faded one.
        let frame = level > Parameter.off ? max(common.frame(engine), restoredFrame) : common.frame(engine)
        let (serial, reached) = lower(to: level, at: frame, andTo: target, ramp, engine)
        common.hold(until: reached)
        return serial
    }

    private func lower(
        to level: Double, at frame: EngineFrame, andTo target: Double, _ ramp: Ramp, _ engine: EngineControl
    ) -> (serial: UInt64, reached: EngineFrame) {
        engine.setMaster(level, ramp: Ramp.shortLevel.seconds, atFrame: frame)
        let reached = max(frame, engine.earliestFrame()) + Self.frames(Ramp.shortLevel.seconds, engine)
        let later = reached + Self.frames(Ramp.shortLevel.seconds, engine)
        return (engine.setMaster(target, ramp: ramp.seconds, easing: ramp.easing, atFrame: later), reached)
    }

    /// Forgets when the gain is restored: the engine has no pending requests.
    mutating func forgetRestoring() { restoredFrame = .asSoonAsPossible }

    private static func frames(_ seconds: Double, _ engine: EngineControl) -> Int64 { Int64((seconds * engine.sampleRate).rounded(.up)) }
}
