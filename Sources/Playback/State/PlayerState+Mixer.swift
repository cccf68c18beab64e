/// The parts of ``PlayerState/mixer`` that others read and set.
extension PlayerState {
    /// In dB.
    package var masterGain: Double {
        get { mixer.masterGain }
        set { mixer.masterGain = newValue }
    }

    package var isMasterMuted: Bool {
        get { mixer.isMasterMuted }
        set { mixer.isMasterMuted = newValue }
    }

    /// The session's frequency of A4 in Hz, which the notes of its items follow.
    package var a4: Double {
        get { mixer.a4 }
        set {
            guard newValue != mixer.a4 else { return }
            mixer.a4 = newValue
            queue.tune(toA4: newValue)
        }
    }

    package var touchMode: TouchMode {
        get { mixer.touchMode }
        set { mixer.touchMode = newValue }
    }

    package var ramps: RunningRamps { mixer.ramps }

    package var held: [Fader: HeldFader] { mixer.held }

    /// `nil` unless a fade-out of the master is pending or running.
    package var fade: MasterFade? { mixer.fade }

    /// `nil` unless a sleep timer runs.
    package var sleep: SleepTimer? { mixer.sleep }

    /// Whether the master is fading to silence, after which the player stops.
    package var isFading: Bool { mixer.isFading }

    /// Seconds until the sleep timer has faded everything out; 0 without a timer.
    package func timeToSleep(at moment: Moment) -> Double {
        sleep.map { Double(max(0, $0.end.frame - moment.frame)) / Double(sampleRate) } ?? 0
    }
}
