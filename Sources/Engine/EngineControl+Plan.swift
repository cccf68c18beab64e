extension EngineControl {
    /// The current plan with every change that was requested; `nil` if there is none.
    package var currentPlan: PlanDraft? { live?.plan.latest }
}
