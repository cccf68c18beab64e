import Patches

/// A continuous value that can be moved live: of a layer of the current item, or of the whole sound.
package enum Fader: Hashable, Sendable {
    case parameter(Parameter, layer: Int)
    case masterGain
    /// The tuning, as the frequency of A4.
    case a4
}

extension Fader {
    /// The layer; `nil` for values of the whole sound.
    package var layer: Int? { if case .parameter(_, let layer) = self { layer } else { nil } }

    /// Whether it sets a level in dB.
    var isLevel: Bool {
        switch self {
        case .masterGain, .parameter(.gain, _): true
        case .parameter, .a4: false
        }
    }
}
