extension EngineControl {
    /// The current plan with every change that was requested; `nil` if no plan is current.
    package var currentPlan: PlanDraft? { live?.plan.latest }
}
