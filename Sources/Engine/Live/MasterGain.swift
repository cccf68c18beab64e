import Patches
import Synthesis

/// Control's end of the master gain: a value in dB (-120 is off) over engine frames.
package struct MasterGain {
    private var revisions: Revisions<ParameterTrack>
    private let sampleRate: Double

    /// The goal of a move of the gain, and how long the move takes.
    struct Target {
        var decibels: Double
        /// `nil` continues the gain's slope and curvature, and settles smoothly.
        var easing: Easing?
        /// Frames of a move that starts at a frame.
        var frames: (_ start: EngineFrame) -> Int64
    }

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        revisions = Revisions(Self.constant(0, sampleRate: sampleRate))
    }

    private static func constant(_ decibels: Double, sampleRate: Double) -> ParameterTrack {
        ParameterTrack(
            form: ParameterDescription.gain.form(sampleRate: sampleRate, gainLaw: .decibels),
            value: ParameterDescription.gain.clamped(decibels), moves: [],
            leadFrames: Frames.count(of: Frames.shortFade, sampleRate: sampleRate))
    }

    /// The gain with all moves that were requested.
    var track: ParameterTrack { revisions.latest }

    /// The frame from which on the gain stays as it is.
    var restFrame: EngineFrame { EngineFrame(track.timeline.restFrame) }

    /// The gain in dB at a frame, and the number of frames for which it still moves; `nil` if it rests.
    package func move(at frame: EngineFrame) -> (decibels: Double, frames: Int64)? {
        let rest = restFrame - frame
        return rest > 0 ? (track.timeline.motion(at: frame.number).value, rest) : nil
    }

    /// Moves the gain from `atFrame` on, or from `earliest` on if that is later.
    mutating func move(
        to target: Target, serial: UInt64, atFrame: EngineFrame, earliest: EngineFrame, now: EngineFrame, over link: inout RenderLink
    ) {
        revisions.add(serial: serial, atFrame: atFrame, earliest: earliest) { track, frame in
            // The latest request decides: one before it that would begin later is dropped.
            track = ParameterTrack(
                track,
                endingWith: Move(
                    start: frame.number, frames: target.frames(frame), easing: target.easing,
                    target: ParameterDescription.gain.clamped(target.decibels)),
                forgettingBefore: now.number)
        }
        if !revisions.hasMissed { send(serial: serial, over: &link) }
    }

    /// Sets the gain without a ramp, or leaves it, and forgets what is in flight. Only while no callback runs.
    mutating func restart(at decibels: Double? = nil) {
        revisions = Revisions(decibels.map { Self.constant($0, sampleRate: sampleRate) } ?? revisions.latest)
    }

    private mutating func send(serial: UInt64, over link: inout RenderLink) {
        let older = link.takeBack { action in
            guard case .setMaster(let gain, _) = action else { return nil }
            return gain.token
        }
        if let older { revisions.withdraw(serial: older) }
        let gain = Master(track: track.valueTrack(), token: link.hold(track))
        revisions.didSend(serial: serial)
        link.send(Message(serial: serial, atFrame: .asSoonAsPossible, action: .setMaster(gain, until: revisions.validFrom)))
    }

    // MARK: - Reports

    func isInFlight(_ serial: UInt64) -> Bool { revisions.isInFlight(serial) }

    /// Notes that a message has landed.
    ///
    /// - Returns: The serials of the moves that have landed with it.
    mutating func didLand(serial: UInt64, earliest: EngineFrame, over link: inout RenderLink) -> [UInt64] {
        let landed = revisions.didLand(serial: serial)
        if revisions.stranded != nil { resend(earliest: earliest, over: &link) }
        return landed
    }

    /// Notes that a message came too late.
    ///
    /// - Returns: The frame that it missed, if the moves can be sent again now.
    mutating func didMiss(serial: UInt64) -> EngineFrame? { revisions.didMiss(serial: serial) ? revisions.validFrom : nil }

    /// Makes the moves that have not landed again, and sends them.
    mutating func resend(earliest: EngineFrame, over link: inout RenderLink) {
        guard let last = revisions.stranded else { return }
        revisions.remake(earliest: earliest)
        send(serial: last, over: &link)
    }
}
