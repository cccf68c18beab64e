/// The frequencies that a noise keeps of its spectrum, in Hz. Its level stays that of its gain.
package enum NoiseRange: Hashable, Sendable {
    /// Those below a frequency.
    case low(Double)
    /// Those above a frequency.
    case high(Double)
    case band(ClosedRange<Double>)
    /// All but these.
    case notch(ClosedRange<Double>)

    /// Valid frequencies in Hz.
    package static let frequencies = 20.0...20_000
    /// The least width of a band or a notch in Hz.
    package static let leastWidth = 20.0

    /// The same as bands, in order; the first may begin at 0, and the last be without end.
    package var bands: [ClosedRange<Double>] {
        switch self {
        case .low(let end): [0...end]
        case .high(let start): [start...Double.infinity]
        case .band(let band): [band]
        case .notch(let notch): [0...notch.lowerBound, notch.upperBound...Double.infinity]
        }
    }
}
