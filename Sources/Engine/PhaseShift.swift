import Patches
import Synthesis

extension EngineControl {
    /// The phase of a beat or pulse of the current plan at an engine frame, in cycles from 0 up to 1; `nil` if nothing is current, before
    /// its start, and if the layer has no such phase.
    package func phase(of parameter: Parameter, layer: Int, atFrame frame: EngineFrame) -> Double? {
        guard let live, let origin = live.origin, frame >= origin, live.plan.latest.layers.indices.contains(layer),
            let track = live.plan.latest.layers[layer].tracks[parameter], track.phases != nil
        else { return nil }
        var limit = Int64.max
        let phase = track.phaseTrack.differences(at: frame.planFrame(origin: origin).number, limit: &limit).phase
        // The track of a beat holds half of it.
        return Double(parameter == .beat ? phase &* 2 : phase) * 0x1p-64
    }

    /// Advances a beat or pulse of the current plan by so many cycles, -0.5 to 0.5: it glides to another frequency over `seconds`, and back
    /// to `value`, in Hz, over as many. Returns `nil` if nothing is current.
    package func shift(
        _ parameter: Parameter, layer: Int, holding value: Double, by cycles: Double, over seconds: Double, atFrame frame: EngineFrame
    ) -> UInt64? {
        guard let live, let origin = live.origin, live.plan.latest.layers.indices.contains(layer) else { return nil }
        let compiled = live.plan.latest.layers[layer]
        guard let track = compiled.tracks[parameter], let description = compiled.kind.description(of: parameter) else { return nil }
        let ramp = description.defaultRamp
        let start = frame.planFrame(origin: origin).number + PlanCompiler.frames(ramp, sampleRate: sampleRate)
        let frames = PlanCompiler.frames(seconds, sampleRate: sampleRate)
        let value = description.clamped(value)
        // The two moves are symmetric: on average they cover half of the height.
        let height = value + cycles * sampleRate / Double(frames)
        let course = Course(
            layer: layer, description: description,
            track: ParameterTrack(
                form: track.form, value: value,
                moves: [
                    Move(start: start, frames: frames, easing: .sineInOut, target: height),
                    Move(start: start + frames, frames: frames, easing: .sineInOut, target: value),
                ], leadFrames: PlanCompiler.frames(PlanCompiler.shortFade, sampleRate: sampleRate)))
        return follow(course, ramp: ramp, atFrame: frame)
    }
}
