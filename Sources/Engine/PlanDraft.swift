import Patches
import Synthesis

/// The layers of a plan while they are changed by hand. A plan is made of them once, when it goes out, however many changes went before.
///
/// Layers and parameters that are not there are passed over.
package struct PlanDraft: Sendable {
    private(set) var layers: [CompiledLayer]
    let envelope: PieceMemory<ValuePiece>
    private(set) var headroom: Headroom
    package let sampleRate: Double
    /// `nil`: endless.
    let lengthInFrames: Int64?

    package init(_ plan: Plan) {
        layers = plan.layers
        envelope = plan.envelope
        headroom = plan.headroom
        sampleRate = plan.sampleRate
        lengthInFrames = plan.lengthInFrames
    }

    /// Has parameters take other values from a frame on: the same samples before it, phases continuous, then a ramp, then the value held
    /// until the next chapter that names the parameter, whose move starts from it.
    ///
    /// - Parameters:
    ///   - ramp: Seconds; `nil` is the default of each parameter. Never shorter than 20 ms.
    ///   - easing: `nil` goes on with the value, slope and curvature that the parameter has there, and comes to rest smoothly.
    ///   - forgotten: Frames before it are not asked for any more, so that a plan does not grow under a fader moved for hours.
    package mutating func apply(
        _ settings: [Setting], at frame: Int64, ramp: Double? = nil, easing: Easing? = nil, forgettingBefore forgotten: Int64 = 0
    ) {
        headroom.apply(settings, at: frame, ramp: ramp, easing: easing, forgettingBefore: forgotten)
        for setting in settings {
            guard layers.indices.contains(setting.layer), let track = layers[setting.layer].tracks[setting.parameter],
                let description = layers[setting.layer].kind.description(of: setting.parameter)
            else { continue }
            let move = Move(
                start: frame, frames: PlanCompiler.frames(ramp ?? description.defaultRamp, sampleRate: sampleRate),
                easing: easing, target: track.form.moving(description.clamped(setting.value)))
            layers[setting.layer].change(
                setting.parameter, to: ParameterTrack(track, changedBy: move, forgettingBefore: forgotten), from: frame)
        }
    }

    /// Has a parameter take another course from a frame on, phase continuous, which it has come to after `ramp` seconds (`nil` is the default
    /// of the parameter).
    package mutating func follow(_ course: Course, at frame: Int64, ramp: Double? = nil, forgettingBefore forgotten: Int64 = 0) {
        guard layers.indices.contains(course.layer), let track = layers[course.layer].tracks[course.description.parameter] else { return }
        let frames = PlanCompiler.frames(ramp ?? course.description.defaultRamp, sampleRate: sampleRate)
        layers[course.layer].change(
            course.description.parameter,
            to: ParameterTrack(track, joining: course.track, at: frame, over: frames, forgettingBefore: forgotten), from: frame)
        headroom.follow(course, at: frame, over: frames, forgettingBefore: forgotten)
    }

    /// Has exactly these layers be silent from a frame on; those that change do so over 20 ms.
    package mutating func mute(_ muted: Set<Int>, at frame: Int64, forgettingBefore forgotten: Int64 = 0) {
        for index in layers.indices {
            let target: Double = muted.contains(index) ? 0 : 1
            guard layers[index].audible.timeline.end != target else { continue }
            let move = Move(
                start: frame, frames: PlanCompiler.frames(PlanCompiler.shortFade, sampleRate: sampleRate), easing: nil,
                target: target)
            layers[index].audible = ParameterTrack(layers[index].audible, changedBy: move, forgettingBefore: forgotten)
        }
    }
}

extension Plan {
    package convenience init(_ draft: PlanDraft) {
        self.init(
            layers: draft.layers, envelope: draft.envelope, headroom: draft.headroom, sampleRate: draft.sampleRate,
            lengthInFrames: draft.lengthInFrames)
    }
}

extension ParameterDescription {
    /// The value in the parameter's range; the default for what is not a number.
    func clamped(_ value: Double) -> Double {
        value.isNaN ? defaultValue : min(max(value, range.lowerBound), range.upperBound)
    }
}

/// How one parameter of a layer moves through a whole patch.
package struct Course: Sendable {
    let layer: Int
    let description: ParameterDescription
    let track: ParameterTrack
    /// The same in seconds, as the patch has it; `nil` where it is not the patch's.
    var automation: Automation?
}
