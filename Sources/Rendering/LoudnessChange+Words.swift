import Engine
import Patches

extension LoudnessChange {
    /// The change of a file in words, to follow its description; empty if the file is silent.
    package var remark: String {
        guard let reached else { return "" }
        let change = "\(LevelBudget.text(abs(gain))) dB \(gain < 0 ? "softer" : "louder")"
        return ", \(LevelBudget.text(reached)) LUFS (\(change))"
    }

    /// The reason in words why a file does not have the requested loudness; `nil` if it has.
    ///
    /// - Parameter ceiling: In dBFS.
    package func warning(ceiling: Double) -> String? {
        guard let reached else { return "it is silent, or shorter than 0.4 s, so its loudness was not changed" }
        guard isLimited else { return nil }
        return """
            \(NumberText.string(from: target)) LUFS would exceed the ceiling of \(NumberText.string(from: ceiling)) dBFS: the file \
            is at \(LevelBudget.text(reached)) LUFS, and its peak is at the ceiling
            """
    }
}
