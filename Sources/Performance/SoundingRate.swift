import Engine

/// The rate of the timeline that the plan of the last start was made for: a plan is compiled for one rate and counts rendered frames.
struct SoundingRate {
    var value = 1.0

    /// Converts a position in frames of the timeline to frames of the plan.
    func planFrame(_ position: Int64) -> PlanFrame {
        PlanFrame(value == 1 ? position : Int64((Double(position) / value).rounded()))
    }

    /// Converts frames of the plan to a position in frames of the timeline.
    func position(_ planFrame: PlanFrame) -> Int64 {
        value == 1 ? planFrame.number : Int64((Double(planFrame.number) * value).rounded())
    }
}
