import Patches
import Synthesis

/// The plan that is current according to the requests made so far, with its edits.
package struct LivePlan {
    /// Serial of the `start` or `setNext` that it came from.
    package let serial: UInt64
    /// The least and the most frames by which its layers delay inputs.
    package let inputDelay: ClosedRange<UInt32>
    var plan: Revisions<PlanDraft>
    /// The plan that was sent last, as long as the render thread has it.
    private(set) weak var sent: Plan?
    /// The engine frame at which the plan's frame 0 is rendered; `nil` until that is known.
    private(set) var origin: EngineFrame?
    /// The requested frame of its start; `nil` once it has begun, or if no frame was requested.
    private(set) var startsAt: EngineFrame?
    /// Edits made before its origin was known, or while enough plans are on their way; they are sent together in one plan.
    private var queued: [QueuedEdit] = []
    /// Whether the queued edits need not wait.
    private(set) var hasDueEdits = false

    /// A change to a plan from a frame on; frames before `forgotten` are no longer needed.
    typealias Edit = (inout PlanDraft, _ frame: PlanFrame, _ forgotten: PlanFrame) -> Void

    private struct QueuedEdit {
        var serial: UInt64
        var atFrame: EngineFrame
        /// Empty for an edit that newer ones override.
        var targets: Set<EditTarget>
        var edit: EditKind
    }

    /// The change that an edit makes.
    enum EditKind {
        case values(Values)
        case other(Edit)
        /// None, since newer ones override it, or an earlier one makes it, too.
        case none
    }

    /// Values to be set, all with the same ramp in seconds and the same easing.
    struct Values {
        var settings: [Setting]
        let ramp: Double?
        let easing: Easing?

        /// Whether it can be applied together with another one, which takes far less time than one after the other, for the headroom depends
        /// on all layers.
        func isLike(_ other: Values) -> Bool { ramp == other.ramp && easing == other.easing }
    }

    /// One of the properties that an edit changes.
    enum EditTarget: Hashable {
        case value(Parameter, layer: Int)
        case course(Parameter, layer: Int)
        case muted

        /// The targets of earlier edits that this one overrides. A value does not override a course, since it is set on that course.
        var overridden: [EditTarget] {
            if case .course(let parameter, let layer) = self { [self, .value(parameter, layer: layer)] } else { [self] }
        }
    }

    /// Plans with edits that may be on their way at a time, so that a flood of edits costs little time and memory.
    private static let maximumInFlight = 4

    init(serial: UInt64, _ plan: Plan, origin: EngineFrame? = nil) {
        self.serial = serial
        inputDelay = plan.inputDelay
        self.plan = Revisions(PlanDraft(plan))
        sent = plan
        self.origin = origin
    }

    /// Notes that a plan with its edits so far is on its way.
    mutating func didSend(_ plan: Plan, serial: UInt64) {
        sent = plan
        self.plan.didSend(serial: serial)
    }

    /// Notes that its start was requested for a frame.
    mutating func willStart(_ beginning: Message.Beginning, atFrame: EngineFrame) {
        origin =
            switch beginning {
            case .at(let position): atFrame.origin(of: position)
            case .origin(let origin): origin
            }
        startsAt = atFrame
    }

    /// Notes that it has begun at a position of the plan.
    ///
    /// - Returns: Whether that was not known.
    mutating func didStart(at frame: EngineFrame, _ position: PlanFrame) -> Bool {
        guard origin == nil || startsAt != nil else { return false }
        origin = frame.origin(of: position)
        startsAt = nil
        return true
    }

    /// Adds an edit to those that will be sent together.
    ///
    /// - Parameters:
    ///   - targets: Everything that the edit changes: it replaces queued edits that change nothing else, if neither has a later frame.
    ///   - earliest: The first engine frame at which a change can still be made.
    mutating func queue(
        serial: UInt64, atFrame: EngineFrame, _ targets: Set<EditTarget>, earliest: EngineFrame, _ edit: EditKind
    ) {
        if atFrame <= earliest, queued.contains(where: { !$0.targets.isEmpty }) {
            let overridden = Set(targets.flatMap(\.overridden))
            for index in queued.indices where queued[index].atFrame <= earliest && queued[index].targets.isSubset(of: overridden) {
                // The replaced edit lands with the others, and changes nothing.
                queued[index].targets = []
                queued[index].edit = .none
            }
        }
        queued.append(QueuedEdit(serial: serial, atFrame: atFrame, targets: targets, edit: edit))
        // A request for a frame waits only behind very many others.
        if plan.inFlight < (atFrame > .asSoonAsPossible ? 4 : 1) * Self.maximumInFlight { hasDueEdits = true }
    }

    /// Applies the queued edits to the plan, in order.
    ///
    /// - Parameters:
    ///   - now: Up to here everything is rendered.
    ///   - step: Frames of the shortest fade.
    /// - Returns: The serial of the last one; `nil` if none can be applied yet.
    mutating func applyQueued(now: EngineFrame, earliest: EngineFrame, step: Int64) -> UInt64? {
        guard let origin, let last = queued.last else { return nil }
        // Pulses take their duty from the starts of past steps.
        let forgotten = max((now - 2 * step).planFrame(origin: origin), 0)
        let earliest = max(earliest, startsAt ?? .asSoonAsPossible)
        joinQueued()
        for queued in queued {
            plan.add(serial: queued.serial, atFrame: queued.atFrame, earliest: earliest) { plan, frame in
                let frame = max(frame.planFrame(origin: origin), 0)
                switch queued.edit {
                case .values(let values):
                    plan.apply(
                        values.settings, at: frame.number, ramp: values.ramp, easing: values.easing, forgettingBefore: forgotten.number)
                case .other(let edit): edit(&plan, frame, forgotten)
                case .none: break
                }
            }
        }
        (queued, hasDueEdits) = ([], false)
        return last.serial
    }

    /// Lets the first of consecutive edits that set values on the same frame set all of them.
    private mutating func joinQueued() {
        var first: Int?
        for index in queued.indices {
            guard case .values(let values) = queued[index].edit else {
                if case .other = queued[index].edit { first = nil }
                continue
            }
            guard let start = first, case .values(var joined) = queued[start].edit, joined.isLike(values),
                queued[start].atFrame == queued[index].atFrame
            else {
                first = index
                continue
            }
            joined.settings += values.settings
            queued[start].edit = .none
            queued[start].edit = .values(joined)
            queued[index].edit = .none
        }
    }

    /// Refusals of all edits that have not landed, since it is unknown whether they will be heard.
    var refusals: [EngineEvent] { (plan.waiting.map(\.serial) + queued.map(\.serial)).map { .refused(serial: $0) } }

    /// The plan with every change that was requested.
    package var latest: PlanDraft { plan.latest }

    // MARK: - Phases

    /// The phase of a beat or pulse at an engine frame, in cycles from 0 up to 1; `nil` before its start, and if the layer has no such
    /// phase.
    package func phase(of parameter: Parameter, layer: Int, atFrame frame: EngineFrame) -> Double? {
        guard let origin, frame >= origin, plan.latest.layers.indices.contains(layer),
            let track = plan.latest.layers[layer].tracks[parameter], track.phases != nil
        else { return nil }
        var limit = Int64.max
        let phase = track.phaseTrack.differences(at: frame.planFrame(origin: origin).number, limit: &limit).phase
        // The track of a beat holds half of it.
        return Double(parameter == .beat ? phase &* 2 : phase) * 0x1p-64
    }

    /// A course that advances a beat or pulse by a number of cycles, -0.5 to 0.5: it glides to another frequency over
    /// `seconds`, and in the same time back to `value`, in Hz; with the ramp, in seconds, in which to follow it.
    package func course(
        shifting parameter: Parameter, layer: Int, holding value: Double, by cycles: Double, over seconds: Double,
        atFrame frame: EngineFrame, sampleRate: Double
    ) -> (course: ParameterCourse, ramp: Double)? {
        guard let origin, plan.latest.layers.indices.contains(layer) else { return nil }
        let compiled = plan.latest.layers[layer]
        guard let track = compiled.tracks[parameter], let description = compiled.description(of: parameter) else { return nil }
        let ramp = description.defaultRamp
        let start = frame.planFrame(origin: origin).number + Frames.count(of: ramp, sampleRate: sampleRate)
        let frames = Frames.count(of: seconds, sampleRate: sampleRate)
        let value = description.clamped(value)
        // The two moves are symmetric: on average they cover half of the height.
        let height = value + cycles * sampleRate / Double(frames)
        let course = ParameterCourse(
            layer: layer, description: description,
            track: ParameterTrack(
                form: track.form, value: value,
                moves: [
                    Move(start: start, frames: frames, easing: .sineInOut, target: height),
                    Move(start: start + frames, frames: frames, easing: .sineInOut, target: value),
                ], leadFrames: Frames.count(of: Frames.shortFade, sampleRate: sampleRate)))
        return (course, ramp)
    }
}
