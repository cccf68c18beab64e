import Patches

/// The course of a patch in a few numbers, for a list of patches: that of its beat or pulses, or of the level of its first layer if it has none.
package struct PatchSketch: Equatable, Sendable, Encodable {
    /// The parameter: `beat`, `pulseRate` or `gain`.
    package let parameter: String
    /// Values at even distances from the start to the end: of a rate from 0 for 0 Hz to 100 for 40 Hz and more, on the scale of ``PatchPicture``; of
    /// a level from 0 for -60 dB to 100 for 0 dB.
    package let values: [Int]

    static let count = 25
    private static let (highestRate, lowestLevel) = (40.0, -60.0)

    package init(_ patch: Patch) {
        let end = TimeAxis(patch, from: 0, to: Double(Self.count)).end
        for parameter in [Parameter.beat, .pulseRate] {
            for layer in patch.layers.indices {
                guard let values = Self.values(of: parameter, layer, patch, until: end), values.contains(where: { $0 != 0 }) else {
                    continue
                }
                (self.parameter, self.values) = (
                    parameter.rawValue, values.map { Self.part(ValueAxis.beatPlace(abs($0)) / ValueAxis.beatPlace(Self.highestRate)) }
                )
                return
            }
        }
        let levels = patch.layers.isEmpty ? nil : Self.values(of: .gain, 0, patch, until: end)
        (parameter, values) = (Parameter.gain.rawValue, (levels ?? []).map { Self.part(1 - $0 / Self.lowestLevel) })
    }

    private static func values(of parameter: Parameter, _ layer: Int, _ patch: Patch, until end: Double) -> [Double]? {
        guard let automation = patch.automation(of: parameter, layer: layer, edits: []) else { return nil }
        return (0..<count).map { automation.value(at: end * Double($0) / Double(count - 1)) }
    }

    /// A part of the scale in hundredths.
    private static func part(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 100).rounded()) }
}
