import Engine
import Foundation
import Patches
import Playback
import Performance

/// Makes notices about an item that exceeds a limit while it plays, each once per item.
struct LimitNotices {
    private var item: Int?
    /// The last request at the time of the last check.
    private var mark: UInt64?
    private var reported: Set<Limit> = []
    /// The number of samples that had been clipped when the item began.
    private var cutBefore: UInt64 = 0

    private enum Limit { case sampleRate, ceiling, peaks }

    /// The new notices, as sentences for the user.
    mutating func words(for performance: LivePerformance, _ state: PlayerState) -> [String] {
        guard let current = state.current, let patch = current.patch, let plan = performance.currentPlan(state) else { return [] }
        let cut = performance.status?.guardActions.ceiling ?? 0
        if current.id != item || cut < cutBefore { (item, mark, reported, cutBefore) = (current.id, nil, [], cut) }
        var sentences: [String] = []
        if performance.mark != mark {
            mark = performance.mark
            let words = FadingWarnings.words(
                for: plan.fadingLayers, of: patch, sampleRate: plan.sampleRate, rate: state.rate, a4: state.tuning.a4)
            sentences += fading(current.title, words)
            sentences += softer(current.title, LevelBudget(plan.levelSum), performance.ceiling)
        }
        if cut > cutBefore, reported.insert(.peaks).inserted {
            sentences.append(
                """
                '\(current.title)' has peaks above the ceiling of \(NumberText.string(from: performance.ceiling)) dBFS, which are clipped and \
                distort: lower the gain of its inputs or sound files.
                """)
        }
        return sentences
    }

    private mutating func fading(_ title: String, _ words: [String]) -> [String] {
        guard let first = words.first, reported.insert(.sampleRate).inserted else { return [] }
        return ["In '\(title)' \(first)" + (words.count > 1 ? ", and \(words.count - 1) more." : ".")]
    }

    private mutating func softer(_ title: String, _ budget: LevelBudget, _ ceiling: Double) -> [String] {
        guard let reduction = budget.reduction(ceiling: ceiling), reported.insert(.ceiling).inserted else { return [] }
        return [
            """
            '\(title)' is played \(LevelBudget.text(reduction)) dB softer: its layers together reach \(LevelBudget.text(budget.peak)) dBFS, \
            above the ceiling of \(NumberText.string(from: ceiling)) dBFS.
            """
        ]
    }
}
