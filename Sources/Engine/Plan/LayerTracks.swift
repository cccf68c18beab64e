// Render thread: all data of one layer, as plain memory.

import Patches
import Synthesis

/// The tracks of a layer. Those that its kind does not use are empty and never read.
struct LayerTracks: BitwiseCopyable {
    let kind: LayerKind
    /// Phase midway between the two ears.
    var carrier: PhaseTrack
    /// Half the difference of the two phases: added for the left, subtracted for the right.
    var beat: PhaseTrack
    /// Added to the left phase, or to both where the layer is mono.
    var offset: PhaseTrack
    var pulses: PulseTracks
    var gain: ValueTrack
    /// Mute gain: 0 is muted, 1 is not.
    var audible: ValueTrack
    var panLeft: ValueTrack
    var panRight: ValueTrack
    /// An ear's share of its own tone and of the other ear's.
    var tones: (own: ValueTrack, other: ValueTrack)
    /// The right ear's share of the left ear's noise, and of a noise of its own.
    var noises: (shared: ValueTrack, own: ValueTrack)
    /// Largest delay of a spin in frames.
    var delay: ValueTrack
    /// Largest shift of each ear's phase in cycles.
    var depth: ValueTrack
    /// Rise time and fall time of a key in frames.
    var keys: (attack: ValueTrack, release: ValueTrack)
    var fades: FadeTracks
    /// Tables of the waveform; `nil` for a sine.
    var wave: WaveShape?
    var spin: SpinShape?
    var strikes: StrikeTrack?
    var seedKey: UInt64
    /// Shape of a noise in blocks, whose index in the workspace of a playhead is `noiseIndex`; `nil` for plain white noise.
    var noise: NoiseShape?
    var noiseIndex: Int
    /// Index of a recorded sound, or of a shifted input's filters, in the workspace.
    var soundIndex: Int
    /// The effects on a noise, a recorded sound or an input, and the envelope of an isochronic tone; `nil` for none.
    var effects: UnsafePointer<EffectTracks>?
    /// Index of a keys layer among the plan's keys layers.
    var part: Int

    /// A silent layer, to be filled in.
    init(kind: LayerKind, noPhases: PhaseTrack, noValues: ValueTrack) {
        self.kind = kind
        carrier = noPhases
        beat = noPhases
        offset = noPhases
        pulses = PulseTracks(rate: noPhases, duty: noValues, edge: noValues, edgeScale: noValues, step: 1)
        gain = noValues
        audible = noValues
        panLeft = noValues
        panRight = noValues
        tones = (noValues, noValues)
        noises = (noValues, noValues)
        delay = noValues
        depth = noValues
        keys = (noValues, noValues)
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

struct PulseTracks: BitwiseCopyable {
    var rate: PhaseTrack
    /// Fraction of a pulse's period that sounds.
    var duty: ValueTrack
    /// Length of a pulse's usual edge as a fraction of its period, unless the duty makes it shorter; it is multiplied by ``edgeScale``.
    var edge: ValueTrack
    var edgeScale: ValueTrack
    /// Frames of the steps in which a changed duty or edge is crossfaded.
    var step: Int64
}

/// Gains that fade out a layer's oscillators near half the sample rate.
struct FadeTracks: BitwiseCopyable {
    var tracks: InlineArray<4, ValueTrack>
    /// How many of the tracks are used; 0 if no oscillator comes near.
    var count: Int
}
