import Engine
import Foundation
import Patches

/// How loud the layers of a patch can be together: the sum of their levels, which is reached when all their waves meet at a crest.
package struct LevelBudget: Equatable, Sendable {
    /// dBFS; -120 when every layer is off.
    package let peak: Double
    /// Seconds from the start of the patch: where it is first reached.
    package let position: Double

    private let sum: LevelSum

    package init(of patch: Patch, edits: [LiveEdit] = []) { self.init(LevelSum(of: patch, edits: edits)) }

    init(_ sum: LevelSum) {
        self.sum = sum
        peak = Amplitude.decibels(sum.peak)
        position = sum.position
    }

    /// dB by which all of it is played softer under a ceiling in dBFS, as the engine has it; `nil` where there is room for it.
    package func reduction(ceiling: Double) -> Double? {
        let reduction = EngineControl.reduction(of: sum, ceiling: ceiling)
        // Less is not to be seen.
        return reduction >= 0.05 ? reduction : nil
    }

    /// A level in dB, to a tenth.
    static func text(_ decibels: Double) -> String { String(format: "%.1f", decibels) }
}
