// Render thread: all data of one layer, as plain memory.

public enum GeneratorKind: UInt8, BitwiseCopyable {
    /// One sine in both ears.
    case tone
    /// Two sines, one for each ear, or mixed by `first` and `second`.
    case binaural
    /// Two sines of half the gain in both ears.
    case monaural
    /// One sine in both ears, in pulses.
    case isochronic
    /// One sine in pulses, which alternate between the ears.
    case bilateral
    /// One sine in both ears, whose phases sway against each other.
    case phase
    /// Four sines of half the gain, two in each ear.
    case harmonicBox
    /// One sine in both ears, with the envelope of strikes.
    case bell
    /// One noise in both ears, delayed in one and advanced in the other.
    case spin
    /// Tones played by MIDI, each with its own envelope.
    case keys
    case whiteNoise
    /// Noise from overlapped blocks with a spectrum of its own.
    case coloredNoise
    /// A recorded sound.
    case sound
    /// The signal at the input ports.
    case input
}

extension GeneratorKind {
    @inlinable
    public var isPulsed: Bool {
        @_noLocks @_noAllocation get { self == .isochronic || self == .bilateral }
    }

    @inlinable
    public var isIsochronic: Bool {
        @_noLocks @_noAllocation get { self == .isochronic }
    }

    @inlinable
    public var isRecorded: Bool {
        @_noLocks @_noAllocation get { self == .sound }
    }
}

/// The tracks of a layer. Their meaning depends on the kind; those that it does not use are empty and never read.
package struct LayerTracks: BitwiseCopyable {
    package var kind: GeneratorKind
    /// Phase midway between the two ears.
    package var carrier: PhaseTrack
    /// Half the difference of the two phases: added for the left, subtracted for the right.
    package var beat: PhaseTrack
    /// Added to the left phase, or to both where the layer is mono.
    package var offset: PhaseTrack
    package var pulse: PhaseTrack
    /// Fraction of a pulse's period that sounds.
    package var duty: ValueTrack
    /// Frames of the steps in which a changed duty or edge is crossfaded.
    package var pulseStep: Int64
    /// Length of a pulse's usual edge as a fraction of its period, unless the duty makes it shorter; it is multiplied by `third`.
    package var edge: ValueTrack
    package var gain: ValueTrack
    /// Mute gain: 0 is muted, 1 is not.
    package var audible: ValueTrack
    package var panLeft: ValueTrack
    package var panRight: ValueTrack
    /// Binaural: an ear's share of its own tone. Noise: the right ear's share of the left ear's noise. Spin: largest delay in frames.
    /// Phase: largest phase shift of each ear in cycles. Keys: attack in frames.
    package var first: ValueTrack
    /// Binaural: an ear's share of the other tone. Noise: the right ear's share of a second noise. Keys: release in frames.
    package var second: ValueTrack
    package var third: ValueTrack
    package var fades: FadeTracks
    /// Tables of the waveform; `nil` for a sine.
    package var wave: WaveShape?
    package var spin: SpinShape?
    package var strikes: StrikeTrack?
    package var seedKey: UInt64
    /// Shape of coloured noise; `noiseIndex` is its index in the workspace of a playhead.
    package var noise: NoiseShape?
    package var noiseIndex: Int
    /// Index of a recorded sound, or of a shifted input's filters, in the workspace.
    package var soundIndex: Int
    /// The effects on a noise, a recorded sound or an input, and the envelope of an isochronic tone; `nil` for none.
    package var effects: UnsafePointer<EffectTracks>?
    /// Index of a keys layer among the plan's keys layers.
    package var part: Int

    /// A silent layer, to be filled in.
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
        fades = FadeTracks(tracks: .init(repeating: noValues), count: 0)
        wave = nil
        spin = nil
        strikes = nil
        seedKey = 0
        noise = nil
        noiseIndex = 0
        soundIndex = 0
        effects = nil
        part = 0
    }
}

/// Gains that fade out a layer's oscillators near half the sample rate.
package struct FadeTracks: BitwiseCopyable {
    package var tracks: InlineArray<4, ValueTrack>
    /// How many of the tracks are used; 0 if no oscillator comes near.
    package var count: Int
}
