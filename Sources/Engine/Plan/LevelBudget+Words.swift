extension LevelBudget {
    /// A level in dB with one decimal.
    package static func text(_ decibels: Double) -> String {
        guard abs(decibels) < 1e9 else { return decibels < 0 ? "-inf" : "inf" }
        let tenths = Int((abs(decibels) * 10).rounded())
        return "\(decibels < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
    }
}
