import Engine
import Playback

extension LivePerformance {
    /// The plan of the player's current item with all requested changes; `nil` while another item or nothing sounds.
    package func currentPlan(_ state: PlayerState) -> PlanDraft? {
        guard let item = state.current, item.id == soundingItem else { return nil }
        return engine?.live?.latest
    }
}
