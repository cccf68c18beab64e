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
    case filePulses(layer: String)

    package var sentence: String {
        switch self {
        case .voices(let count, let limit): "a tone-set has at most \(limit) voices; only these of \(count) are written"
        case .tooLong: "a sequence has 24 hours at most; what comes later is left out"
        case .lines(let count, let limit): "a sequence of more than \(limit) time lines is not read; of \(count) these are written"
        case .fades: "the fades of the patch are left out"
        case .kind(let layer, let kind): "\(layer): a sequence has no \(kind.rawValue)"
        case .color(let layer, let color): "\(layer): a sequence has no \(color.rawValue) noise"
        case .parameter(let parameter, let layer): "\(layer): its \(parameter.rawValue) is left out"
        case .wave(let layer): "\(layer): its wave is left out"
        case .tooLoud(let layer, let limit):
            "\(layer): above \(NumberText.string(from: limit)) dB it is as loud as a voice of its kind can be, 100 %"
        case .curves: "moves that are no straight lines of amplitude or frequency are cut into such lines"
        case .wholeSeconds: "times are rounded to whole seconds, and steps have no length"
        case .endless: "it restarts every 24 hours"
        case .loop: "it ends in place of beginning anew, which a sequence does after 24 hours only"
        case .clock: "it begins at once, not by the clock"
        case .fileName(let layer): "\(layer): a sequence cannot name a sound file whose path has blanks or `#` in it"
        case .secondFile(let layer): "\(layer): a sequence has one sound file, and another layer's is written"
        case .fileEnd(let layer): "\(layer): the sound file of a sequence restarts at its end; it is left out"
        case .filePulses(let layer): "\(layer): a sequence has no pulses for its sound file"
        }
    }
}
