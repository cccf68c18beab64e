import Patches
import Synthesis

/// The layers of a plan during live edits. However many edits come before, a plan is made of them once, when it is sent.
///
/// Edits of missing layers or parameters are ignored.
package struct PlanDraft: Sendable {
    private(set) var layers: [CompiledLayer]
    let envelope: PieceMemory<ValuePiece>
    private(set) var headroom: Headroom
    package let sampleRate: Double
    /// The length in frames; `nil` if the plan is endless.
    let lengthInFrames: Int64?

    package init(_ plan: Plan) {
        layers = plan.layers
        envelope = plan.envelope
        headroom = plan.headroom
        sampleRate = plan.sampleRate
        lengthInFrames = plan.lengthInFrames
    }

    /// Sets parameters from a frame on. The samples before it stay the same and phases are continuous; after a ramp the value is held until
    /// the next chapter that names the parameter, whose move starts from it.
    ///
    /// - Parameters:
    ///   - ramp: Seconds; `nil` is the default of each parameter. Never shorter than 20 ms.
    ///   - easing: `nil` continues the parameter's value, slope and curvature, and settles smoothly.
    ///   - forgotten: Frames before it are no longer needed, so that a plan does not grow while a fader is moved for hours.
    package mutating func apply(
        _ settings: [Setting], at frame: Int64, ramp: Double? = nil, easing: Easing? = nil, forgettingBefore forgotten: Int64 = 0
    ) {
        headroom.apply(settings, at: frame, ramp: ramp, easing: easing, forgettingBefore: forgotten)
        for setting in settings.flatMap({ [$0] + followers(of: $0) }) {
            guard layers.indices.contains(setting.layer), let track = layers[setting.layer].tracks[setting.parameter],
                let description = layers[setting.layer].description(of: setting.parameter)
            else { continue }
            let move = Move(
                start: frame, frames: Frames.count(of: ramp ?? description.defaultRamp, sampleRate: sampleRate),
                easing: easing, target: track.form.moving(description.clamped(setting.value)))
            layers[setting.layer] = layers[setting.layer].changing(
                setting.parameter, to: ParameterTrack(track, changedBy: move, forgettingBefore: forgotten), from: frame)
        }
    }

    /// The values that have to be set together with a leading rate.
    private func followers(of setting: Setting) -> [Setting] {
        guard layers.indices.contains(setting.layer), let followers = layers[setting.layer].source.followers[setting.parameter],
            let description = layers[setting.layer].description(of: setting.parameter)
        else { return [] }
        return followers.compactMap { follower in
            layers[follower.layer].description(of: follower.parameter).map {
                Setting(
                    layer: follower.layer, parameter: follower.parameter, value: $0.following(description.clamped(setting.value)))
            }
        }
    }

    /// Moves a parameter to another course from a frame on, phase continuous, within `ramp` seconds (`nil` is the parameter's default).
    package mutating func follow(_ course: ParameterCourse, at frame: Int64, ramp: Double? = nil, forgettingBefore forgotten: Int64 = 0) {
        guard layers.indices.contains(course.layer), let track = layers[course.layer].tracks[course.description.parameter] else { return }
        let frames = Frames.count(of: ramp ?? course.description.defaultRamp, sampleRate: sampleRate)
        layers[course.layer] = layers[course.layer].changing(
            course.description.parameter,
            to: ParameterTrack(track, joining: course.track, at: frame, over: frames, forgettingBefore: forgotten), from: frame)
        headroom.follow(course, at: frame, over: frames, forgettingBefore: forgotten)
        for follower in course.followers { follow(follower, at: frame, ramp: ramp, forgettingBefore: forgotten) }
    }

    /// Mutes exactly these layers from a frame on; changes take 20 ms.
    package mutating func mute(_ muted: Set<Int>, at frame: Int64, forgettingBefore forgotten: Int64 = 0) {
        for index in layers.indices {
            let target: Double = muted.contains(index) ? 0 : 1
            guard layers[index].audible.timeline.end != target else { continue }
            let move = Move(
                start: frame, frames: Frames.count(of: Frames.shortFade, sampleRate: sampleRate), easing: nil,
                target: target)
            layers[index] = layers[index].muting(ParameterTrack(layers[index].audible, changedBy: move, forgettingBefore: forgotten))
        }
    }
}

extension Plan {
    package convenience init(_ draft: PlanDraft, reusing similar: Plan? = nil) {
        self.init(
            layers: draft.layers, envelope: draft.envelope, headroom: draft.headroom, sampleRate: draft.sampleRate,
            lengthInFrames: draft.lengthInFrames, reusing: similar)
    }
}

extension ParameterDescription {
    /// The value clamped to the parameter's range; the default for NaN.
    func clamped(_ value: Double) -> Double {
        value.isNaN ? defaultValue : min(max(value, range.lowerBound), range.upperBound)
    }
}

/// The course of one parameter of a layer through a whole patch.
package struct ParameterCourse: Sendable {
    let layer: Int
    let description: ParameterDescription
    let track: ParameterTrack
    /// The same course in seconds, as in the patch; `nil` if it is not from the patch.
    var automation: Automation?
    /// The courses of the parameters that follow it.
    var followers: [ParameterCourse] = []
}
