import Engine
import Playback

extension Performance {
    /// The plan of the player's current item, with all changes that were asked for; `nil` while anything else sounds, or nothing.
    package func currentPlan(_ state: PlayerState) -> PlanDraft? {
        guard let item = state.current, item.id == soundingItem else { return nil }
        return engine?.currentPlan
    }
}
