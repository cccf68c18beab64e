/// The power spectrum of a layer of noise. Its level is that of its gain, whatever the spectrum: only the shape counts.
package enum NoiseSpectrum: Hashable, Sendable {
    case color(NoiseColor)
    /// The change of power with frequency, in dB per octave: 0 is white, -3.01 pink, -6.02 brown noise. One that falls is without bass below 20
    /// Hz, as pink and brown noise are.
    case slope(Double)
    /// The levels in dB of ``bandCount`` frequencies, evenly spaced in pitch from 20 Hz to 20 kHz. Between two of them the level moves in a straight
    /// line over pitch; below the first and above the last it is theirs.
    case levels([Double])

    /// `nil` for a slope and for levels.
    package var color: NoiseColor? { if case .color(let color) = self { color } else { nil } }

    /// How many levels it has.
    package static let bandCount = 32
    /// Valid levels in dB.
    package static let levelRange = -60.0...60
    /// Valid slopes in dB per octave.
    package static let slopeRange = -12.0...12
}

package enum NoiseColor: String, CaseIterable, Sendable {
    case white, pink, brown, blue, violet
}
