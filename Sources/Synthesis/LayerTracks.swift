// Render thread: all that makes one layer sound, as plain memory.

package enum GeneratorKind: UInt8, BitwiseCopyable {
    /// One sine in both ears.
    case tone
    /// Two sines, each in its ear, or mixed by `first` and `second`.
    case binaural
    /// Two sines of half the gain in both ears.
    case monaural
    /// One sine in both ears, in pulses.
    case isochronic
    /// One sine in pulses, from ear to ear.
    case bilateral
    /// One sine in both ears, whose phases come apart and together again.
    case phase
    /// Four sines of half the gain, two in each ear.
    case harmonicBox
    /// One sine in both ears, struck.
    case bell
    /// One noise in both ears, late in one and early in the other.
    case spin
    /// Tones that are played, each with its own envelope.
    case keys
    case whiteNoise
    /// Noise from overlapped blocks with a spectrum of its own.
    case coloredNoise
    /// A recorded sound.
    case sound
    /// What comes to the input ports.
    case input
}

extension GeneratorKind {
    package var isPulsed: Bool {
        @_noLocks @_noAllocation get { self == .isochronic || self == .bilateral }
    }

    package var isIsochronic: Bool {
        @_noLocks @_noAllocation get { self == .isochronic }
    }

    package var isRecorded: Bool {
        @_noLocks @_noAllocation get { self == .sound }
    }
}

/// What the tracks mean depends on the kind; those that it does not use are empty and never read.
package struct LayerTracks: BitwiseCopyable {
    package var kind: GeneratorKind
    /// Phase midway between the two ears.
    package var carrier: PhaseTrack
    /// Half the difference of the two phases: added for the left, subtracted for the right.
    package var beat: PhaseTrack
    /// Added to the left phase, or to both where the layer is mono.
    package var offset: PhaseTrack
    package var pulse: PhaseTrack
    /// Part of a pulse that sounds.
    package var duty: ValueTrack
    /// Frames in which the pulses come about that a new duty or edge makes.
    package var pulseStep: Int64
    /// Length of a pulse's usual edge as a part of its period, where the duty does not make it shorter; `third` is how much longer it is.
    package var edge: ValueTrack
    package var gain: ValueTrack
    /// 0 muted, 1 not.
    package var audible: ValueTrack
    package var panLeft: ValueTrack
    package var panRight: ValueTrack
    /// Binaural: how much of its own tone an ear gets. Noise: how much of the left ear's noise the right one gets. Spin: frames that it
    /// may be late. Phase: cycles by which each ear may be shifted. Keys: frames of the attack.
    package var first: ValueTrack
    /// Binaural: how much of the other tone an ear gets. Noise: how much of a second noise the right ear gets. Keys: frames of the release.
    package var second: ValueTrack
    package var third: ValueTrack
    /// Gains with which each of its oscillators fades out near half the sample rate; so many of them, 0 where none comes near.
    package var fades: InlineArray<4, ValueTrack>
    package var fadeCount: Int
    /// Of a wave other than the sine.
    package var wave: WaveShape?
    package var spin: SpinShape?
    package var strikes: StrikeTrack?
    package var seed: UInt64
    /// Of coloured noise; its index in the workspace of a playhead is `noiseIndex`.
    package var noise: NoiseShape?
    package var noiseIndex: Int
    /// Of a recorded sound: its index in the workspace.
    package var soundIndex: Int
    /// Of a recorded sound or an input.
    package var pulses: Bool
    /// Of keys: which of the plan's layers of keys it is, counted from 0.
    package var part: Int

    /// A layer that never makes a sound, to be filled in.
    package init(kind: GeneratorKind, noPhases: PhaseTrack, noValues: ValueTrack) {
        self.kind = kind
        carrier = noPhases
        beat = noPhases
        offset = noPhases
        pulse = noPhases
        pulseStep = 1
        duty = noValues
        edge = noValues
        gain = noValues
        audible = noValues
        panLeft = noValues
        panRight = noValues
        first = noValues
        second = noValues
        third = noValues
        fades = .init(repeating: noValues)
        fadeCount = 0
        wave = nil
        spin = nil
        strikes = nil
        seed = 0
        noise = nil
        noiseIndex = 0
        soundIndex = 0
        pulses = false
        part = 0
    }
}
