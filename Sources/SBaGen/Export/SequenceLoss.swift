import Patches

/// Something in a patch that does not fit into a sequence.
package enum SequenceLoss: Equatable, Sendable {
    case voices(Int, limit: Int)
    case tooLong
    case lines(Int, limit: Int)
    case fades
    case kind(layer: String, LayerKind)
    case color(layer: String, NoiseColor)
    case parameter(Parameter, layer: String)
    case wave(layer: String)
    case waveDirection(layer: String)
    /// The limit is in dB.
    case tooLoud(layer: String, limit: Double)
    case curves
    case wholeSeconds
    case endless
    case loop
    case clock
    case fileName(layer: String)
    case secondFile(layer: String)
    case fileEnd(layer: String)
    case segments(layer: String)
    case pulses(layer: String)
    case spectrum(layer: String)
    case range(layer: String)
    case effect(LayerEffect, layer: String)
    case envelope(layer: String)
    case mono(layer: String)
    // For SBaGen itself
    case pink(layer: String, NoiseColor)
    case steady(layer: String)
    case fileKind(layer: String)
    case fileOnce(layer: String)
    case clipping(percent: Double)

    package var sentence: String {
        switch self {
        case .voices(let count, let limit): "a tone-set has at most \(limit) voices; only these of \(count) are written"
        case .tooLong: "a sequence has at most 24 hours; the rest is left out"
        case .lines(let count, let limit): "a sequence has at most \(limit) time lines; only these of \(count) are written"
        case .fades: "the fades of the patch are left out"
        case .kind(let layer, let kind): "\(layer): left out, since `export` writes no \(kind.rawValue) layers"
        case .color(let layer, let color): "\(layer): left out, since `export` writes no \(color.rawValue) noise"
        case .parameter(let parameter, let layer): "\(layer): its \(parameter.rawValue) is left out"
        case .wave(let layer): "\(layer): its wave is left out"
        case .waveDirection(let layer): "\(layer): SBaGen plays its wave backwards in the ear with the lower frequency"
        case .tooLoud(let layer, let limit):
            "\(layer): its level is limited to \(NumberText.string(from: limit)) dB, which is 100 % for its kind"
        case .curves: "curves are approximated by straight lines of amplitude and frequency"
        case .wholeSeconds: "times are rounded to whole seconds, and steps are instantaneous"
        case .endless: "it restarts every 24 hours"
        case .loop: "it ends instead of looping: a sequence restarts only after 24 hours"
        case .clock: "it starts at once, not at a time of day"
        case .fileName(let layer): "\(layer): a sequence cannot name a sound file with spaces or `#` in its path"
        case .secondFile(let layer): "\(layer): a sequence has only one sound file, that of another layer"
        case .fileEnd(let layer): "\(layer): its sound file is left out, since the sound file of a sequence restarts at its end"
        case .segments(let layer):
            "\(layer): its segments are left out; the sound file is played as its tag SBAGEN_LOOPER says, or from beginning to end without one"
        case .pulses(let layer): "\(layer): left out, since `export` writes pulses of tones only"
        case .range(let layer): "\(layer): left out, since a sequence has no noise with a `low`, `high`, `band` or `notch`"
        case .spectrum(let layer): "\(layer): left out, since `export` writes no noise with a `slope` or a `spectrum`"
        case .envelope(let layer): "\(layer): its envelope is left out; the pulses are plain"
        case .mono(let layer): "\(layer): its sound file is written in stereo"
        case .pink(let layer, let color): "\(layer): its \(color.rawValue) noise is written as pink noise"
        case .steady(let layer): "\(layer): its pulses are left out; the tone is steady"
        case .fileKind(let layer): "\(layer): its sound file is left out, since SBaGen reads .wav, .ogg and .mp3 files only"
        case .fileOnce(let layer):
            "\(layer): SBaGen stops where its sound file ends; of WAV files it reads only those with 16 bits in stereo"
        case .clipping(let percent):
            "the voices together reach \(NumberText.string(from: percent.rounded(.up))) %, and SBaGen clips above 100 %"
        case .effect(.pulses, let layer): "\(layer): its pulses are left out"
        case .effect(.modulation, let layer): "\(layer): its amplitude modulation is left out"
        case .effect(.orbit, let layer): "\(layer): its orbit is left out; the tone stays in the middle"
        case .effect(.spin, let layer): "\(layer): its spin is left out"
        case .effect(.spinDelay, let layer): "\(layer): its spin by delay is left out"
        case .effect(.shift, let layer): "\(layer): its beat is left out"
        }
    }
}
