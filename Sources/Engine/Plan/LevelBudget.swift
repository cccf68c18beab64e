import Patches

/// The peak level of all layers of a patch together: the sum of their levels, which is reached when all their waves peak at once.
package struct LevelBudget: Equatable, Sendable {
    /// The peak in dBFS; -120 if every layer is off.
    package let peak: Double
    /// The position at which it is first reached, in seconds from the start of the patch.
    package let position: Double

    private let sum: LevelSum

    package init(of patch: Patch, edits: [LiveEdit] = []) { self.init(LevelSum(of: patch, edits: edits)) }

    package init(_ sum: LevelSum) {
        self.sum = sum
        peak = Amplitude.decibels(sum.peak)
        position = sum.position
    }

    /// The dB by which the engine plays the patch softer under a ceiling in dBFS; `nil` if it needs no reduction.
    package func reduction(ceiling: Double) -> Double? {
        let reduction = sum.reduction(ceiling: ceiling)
        // Less would be displayed as 0.
        return reduction >= 0.05 ? reduction : nil
    }
}
