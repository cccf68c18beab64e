import Engine
import Patches
import Playback

/// Compiles what the engine plays from the player's state.
struct PlanSource {
    let state: PlayerState

    /// All that a plan is made of.
    struct Content: Equatable {
        let patch: Patch
        let edits: [LiveEdit]
        let held: [Setting]
        let muted: Set<Int>
        let rate: Double
    }

    /// The content of the queue item at an index; `nil` if there is no such item or it has no patch.
    func content(of index: Int?) -> Content? {
        guard let index, let patch = state.items[index].patchAsHeard else { return nil }
        let item = state.items[index]
        let isCurrent = index == state.currentIndex
        return Content(
            patch: patch, edits: item.edits, held: isCurrent ? state.fixedSettings : item.settings(atTempo: state.tempo),
            muted: isCurrent ? inaudibleLayers : item.mutedLayers, rate: state.rate(ofItem: index))
    }

    /// - Parameter similar: A plan of which as much as possible is taken over.
    func plan(of content: Content, reusing similar: PlanDraft? = nil) -> Plan {
        PlanCompiler.compile(
            content.patch.timeline(at: content.rate), edits: content.edits.map { $0.timeline(at: content.rate) }, held: content.held,
            muted: content.muted, sampleRate: Double(state.sampleRate), reusing: similar)
    }

    /// The plan of the current item; `nil` without a current item, or if it has no patch.
    ///
    /// - Parameter similar: A plan of which as much as possible is taken over.
    func currentPlan(reusing similar: PlanDraft? = nil) -> Plan? {
        content(of: state.currentIndex).map { plan(of: $0, reusing: similar) }
    }

    /// The course of a parameter of the current item; `nil` if it has no such parameter.
    func course(of parameter: Parameter, layer: Int) -> ParameterCourse? {
        guard let item = state.current, let patch = item.patch else { return nil }
        return PlanCompiler.course(
            of: parameter, layer: layer, in: patch.timeline(at: state.rate), edits: item.edits.map { $0.timeline(at: state.rate) },
            held: state.fixedSettings, sampleRate: Double(state.sampleRate))
    }

    /// The layers of the current item that are muted, or not among the soloed ones.
    var inaudibleLayers: Set<Int> { Set((0..<state.layerCount).filter { !state.isAudible(layer: $0) }) }
}
