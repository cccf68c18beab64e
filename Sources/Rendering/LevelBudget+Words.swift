import Engine
import Foundation

extension LevelBudget {
    /// A level in dB with one decimal.
    package static func text(_ decibels: Double) -> String { String(format: "%.1f", decibels) }
}
