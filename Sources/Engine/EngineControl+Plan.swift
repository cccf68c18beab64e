extension EngineControl {
    /// What is current, with all changes that were asked for; `nil` while nothing is.
    package var currentPlan: PlanDraft? { live?.plan.latest }
}
