import Patches

extension Plan {
    /// The plan in which parameters take other values from a frame on: the same samples before it, phases continuous, then a ramp, then
    /// the value held until the next chapter that names the parameter, whose move starts from it. Parameters that a layer does not
    /// have are passed over.
    ///
    /// - Parameters:
    ///   - ramp: Seconds; `nil` is the default of each parameter. Never shorter than 20 ms.
    ///   - easing: `nil` goes on with the value, slope and curvature that the parameter has there, and comes to rest smoothly.
    ///   - forgotten: Frames before it are not asked for any more, so that a plan does not grow under a fader moved for hours.
    package func applying(
        _ settings: [Setting], at frame: Int64, ramp: Double? = nil, easing: Easing? = nil, forgettingBefore forgotten: Int64 = 0
    ) -> Plan {
        var layers = layers
        for setting in settings {
            guard let track = layers[setting.layer].tracks[setting.parameter],
                let description = layers[setting.layer].kind.description(of: setting.parameter)
            else { continue }
            let move = Move(
                start: frame, frames: PlanCompiler.frames(ramp ?? description.defaultRamp, sampleRate: sampleRate),
                easing: easing, target: track.form.moving(description.clamped(setting.value)))
            layers[setting.layer].change(
                setting.parameter, to: ParameterTrack(track, changedBy: move, forgettingBefore: forgotten), from: frame)
        }
        return Plan(layers: layers, envelope: envelope, sampleRate: sampleRate, lengthInFrames: lengthInFrames)
    }

    /// The plan in which a parameter takes another course from a frame on, phase continuous, which it has come to after `ramp` seconds
    /// (`nil` is the default of the parameter).
    package func following(_ course: Course, at frame: Int64, ramp: Double? = nil, forgettingBefore forgotten: Int64 = 0) -> Plan {
        guard let track = layers[course.layer].tracks[course.description.parameter] else { return self }
        var layers = layers
        let frames = PlanCompiler.frames(ramp ?? course.description.defaultRamp, sampleRate: sampleRate)
        layers[course.layer].change(
            course.description.parameter,
            to: ParameterTrack(track, joining: course.track, at: frame, over: frames, forgettingBefore: forgotten), from: frame)
        return Plan(layers: layers, envelope: envelope, sampleRate: sampleRate, lengthInFrames: lengthInFrames)
    }

    /// The plan in which exactly these layers are silent from a frame on; those that change do so over 20 ms.
    package func muting(_ muted: Set<Int>, at frame: Int64, forgettingBefore forgotten: Int64 = 0) -> Plan {
        var layers = layers
        for index in layers.indices {
            let target: Double = muted.contains(index) ? 0 : 1
            guard layers[index].audible.timeline.end != target else { continue }
            let move = Move(
                start: frame, frames: PlanCompiler.frames(PlanCompiler.shortFade, sampleRate: sampleRate), easing: nil,
                target: target)
            layers[index].audible = ParameterTrack(layers[index].audible, changedBy: move, forgettingBefore: forgotten)
        }
        return Plan(layers: layers, envelope: envelope, sampleRate: sampleRate, lengthInFrames: lengthInFrames)
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
}
