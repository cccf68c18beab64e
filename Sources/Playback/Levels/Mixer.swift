import Patches

/// The levels of the whole sound, and all that moves faders: ramps, touches, and fades of the master.
struct Mixer: Equatable, Sendable {
    /// In dB.
    var masterGain = 0.0
    var isMasterMuted = false
    /// The frequency of A4 in Hz.
    var a4 = Patch.usualA4
    var ramps = RunningRamps()
    var held: [Fader: HeldFader] = [:]
    var touchMode = TouchMode.latch
    /// The level that the master had when it was heard last, before a fade or a mute; `nil` if it never was.
    var heard: HeardLevel?
    /// The levels of the layers at that time; `nil` if none was heard.
    var heardLayers: LayerLevels?
    /// `nil` unless a fade-out of the master is pending or running.
    var fade: MasterFade?
    /// `nil` unless a sleep timer runs.
    var sleep: SleepTimer?

    // MARK: Touches

    /// Whether nobody but the sender holds a fader.
    func isFree(_ fader: Fader, for sender: String?) -> Bool { held[fader].map { $0.holder == sender } ?? true }

    /// Notes that the holder of a fader, if there is one, moves it.
    mutating func recordMove(of fader: Fader, at moment: Moment) { held[fader]?.moved = moment }

    /// Releases a fader.
    ///
    /// - Returns: How it was held; `nil` if the sender does not hold it.
    mutating func release(_ fader: Fader, _ sender: String?) -> HeldFader? {
        guard let touch = held[fader], touch.holder == sender else { return nil }
        held[fader] = nil
        return touch
    }

    // MARK: Fades of the master

    /// Whether the master is fading to silence, after which the player stops.
    var isFading: Bool { fade?.isUnderWay == true || sleep?.isFading == true }

    /// Whether the last move of the master is a fade, which leads to silence and not to the level that is set. A mute does not change that.
    var isFaded: Bool { ramps.target(of: .masterGain).map { $0 != masterGain } ?? false }

    /// A ramp of the master. Nothing makes a mute longer.
    func masterRamp(_ ramp: Ramp) -> Ramp { isMasterMuted ? .shortLevel : ramp }

    /// The level in dB that the master has reached, without a mute.
    func masterLevel(at moment: Moment, sampleRate: Int) -> Double {
        ramps.level(of: .masterGain, at: moment, sampleRate: sampleRate) ?? masterGain
    }

    /// Notes the level that is heard. A fade does not change it, since the level before it is the one that comes back.
    mutating func recordHeard(at moment: Moment, sampleRate: Int) {
        if !isFaded { heard = HeardLevel(level: masterLevel(at: moment, sampleRate: sampleRate), moment: moment) }
    }

    /// Notes that a fade moves the master from a level in dB to silence.
    mutating func recordFade(of level: Double, from begin: Moment, until end: Moment, _ easing: Easing?, sampleRate: Int) {
        let ramp = Ramp(seconds: Double(end.frame - begin.frame) / Double(sampleRate), easing: easing)
        ramps.record(LevelMove(from: level, to: Parameter.off, ramp, at: begin), of: .masterGain)
    }

    /// The change that an unmute makes heard: to the level of a fade, which then continues, or else to the set level, over the rest of a move.
    mutating func unmuting(at moment: Moment, sampleRate: Int) -> SoundChange {
        if isFaded { return .fadedMaster(masterLevel(at: moment, sampleRate: sampleRate), .shortLevel) }
        guard fade == nil, let rest = ramps.rest(of: .masterGain, at: moment, sampleRate: sampleRate) else { return .master(.shortLevel) }
        let ramp = Ramp(seconds: max(rest, Ramp.shortLevel.seconds))
        ramps.record(LevelMove(from: Parameter.off, to: masterGain, ramp, at: moment), of: .masterGain)
        return .master(ramp)
    }

    /// Marks fades as interrupted, since the level was moved or the sound lost; they restart over the remaining time.
    mutating func breakFadesOff() {
        fade?.isUnderWay = false
        sleep?.isFading = false
    }

    /// Begins a fade-out, which replaces that of the sleep timer.
    mutating func fadeOut(until end: Moment) {
        sleep?.isFading = false
        fade = MasterFade(end: end)
    }

    /// Drops the fade-out, and interrupts that of the sleep timer.
    ///
    /// - Returns: False if there was none.
    mutating func endFade(at moment: Moment, sampleRate: Int) -> Bool {
        guard fade != nil || isFading || isFaded else { return false }
        fade = nil
        sleep?.isFading = false
        ramps.set(.masterGain, nil, at: moment, sampleRate: sampleRate)
        return true
    }

    /// Advances the fade-out.
    mutating func advanceFade(to moment: Moment, isPlaying: Bool, sampleRate: Int) -> PlayerStep? {
        guard let fade else { return nil }
        guard fade.end > moment else { return .stop }
        guard !fade.isUnderWay, isPlaying, !isMasterMuted else { return nil }
        self.fade?.isUnderWay = true
        recordHeard(at: moment, sampleRate: sampleRate)
        let level = masterLevel(at: moment, sampleRate: sampleRate)
        recordFade(of: level, from: moment, until: fade.end, nil, sampleRate: sampleRate)
        return .sound(.fadeMaster(from: moment, until: fade.end, nil))
    }

    /// Converts ends to another sample rate; those of fades are after `moment`.
    mutating func convertEnds(after moment: Moment, _ converted: (Moment) -> Moment) {
        let next = Moment(frame: moment.frame + 1)
        if let sleep { self.sleep?.end = max(converted(sleep.end), next) }
        if let fade { self.fade?.end = max(converted(fade.end), next) }
        ramps.convertEnds(converted)
        if let heard { self.heard?.moment = converted(heard.moment) }
        for fader in held.keys { held[fader]?.moved = moment }
    }
}

/// A fade of the master to silence; the player stops at its end.
package struct MasterFade: Equatable, Sendable {
    /// The first frame of silence.
    package internal(set) var end: Moment
    /// Whether the fade has been requested from the engine and is still running. A mute or a loss of JACK interrupts it; it is then
    /// restarted over the remaining time.
    package internal(set) var isUnderWay = false
}
