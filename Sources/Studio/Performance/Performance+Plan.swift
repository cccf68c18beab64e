import Engine

extension Performance {
    /// What sounds, with all changes that were asked for; `nil` while nothing does.
    package var currentPlan: PlanDraft? { engine?.currentPlan }
}
