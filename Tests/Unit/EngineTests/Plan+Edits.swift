import Engine
import Patches

/// Plans with one edit each, as the engine's control end makes them.
extension Plan {
    var levelSum: LevelSum { PlanDraft(self).levelSum }
    var fadingLayers: [FadingLayer] { PlanDraft(self).fadingLayers }

    func edited(_ change: (inout PlanDraft) -> Void) -> Plan {
        var draft = PlanDraft(self)
        change(&draft)
        return Plan(draft)
    }

    func applying(
        _ settings: [Setting], at frame: Int64, ramp: Double? = nil, easing: Easing? = nil, forgettingBefore forgotten: Int64 = 0
    ) -> Plan {
        edited { $0.apply(settings, at: frame, ramp: ramp, easing: easing, forgettingBefore: forgotten) }
    }

    func following(_ course: ParameterCourse, at frame: Int64, ramp: Double? = nil) -> Plan {
        edited { $0.follow(course, at: frame, ramp: ramp) }
    }

    func muting(_ muted: Set<Int>, at frame: Int64) -> Plan {
        edited { $0.mute(muted, at: frame) }
    }
}
