import Patches
import Synthesis

/// Compiles patches into plans.
package enum PlanCompiler {
    /// Compiles a patch for a sample rate in Hz.
    ///
    /// - Parameters:
    ///   - edits: Live edits, each of which holds between two chapters that name its parameter.
    ///   - held: Values of held parameters, which nothing in the patch moves.
    ///   - muted: Indices of layers that are silent from the start.
    ///   - similar: A plan of which as much as possible is taken over. It saves time and changes no bit.
    package static func compile(
        _ patch: Patch, edits: [LiveEdit] = [], held: [Setting] = [], muted: Set<Int> = [], sampleRate: Double,
        reusing similar: PlanDraft? = nil
    ) -> Plan {
        let length = patch.duration.map { max(1, Frames.count(of: $0, sampleRate: sampleRate)) }
        let automations = AutomationIndex(of: patch)
        let followers = followers(in: patch)
        var moving = MovingTracks()
        let layers = patch.layers.enumerated().map { index, layer in
            var tracks: [Parameter: ParameterTrack] = [:]
            let known = similar.flatMap { $0.layers.indices.contains(index) ? $0.layers[index].tracks : nil } ?? [:]
            for description in layer.parameters {
                let automation = automations.automation(of: description.parameter, layer: index, edits: edits, held: held)
                tracks[description.parameter] = automation.map {
                    track(
                        description, $0, of: patch, layer: index, sampleRate: sampleRate, sharing: &moving,
                        reusing: known[description.parameter])
                }
            }
            return CompiledLayer(
                source: LayerSource(layer, index: index, followers: followers[index] ?? [:], sampleRate: sampleRate),
                strikes: layer.kind == .bell
                    ? tracks[.decay].map { BellStrikes(at: patch.strikes(ofLayer: index), sampleRate: sampleRate, decay: $0) } : nil,
                tracks: tracks, effects: LayerEffects(layer, tracks, sampleRate: sampleRate),
                audible: ParameterTrack(
                    form: .init(laws: [.identity]), value: muted.contains(index) ? 0 : 1, moves: [],
                    leadFrames: Frames.count(of: Frames.shortFade, sampleRate: sampleRate)),
                fades: NyquistFades(layer.kind, tracks))
        }
        return Plan(
            layers: layers, envelope: envelope(of: patch, length: length, sampleRate: sampleRate),
            headroom: Headroom(
                of: patch, edits: edits, held: held, crests: zip(patch.layers, layers).map { $0.crest($1.source.wave) },
                sampleRate: sampleRate),
            sampleRate: sampleRate,
            lengthInFrames: length)
    }

    /// The parameters that follow rates, by the layer that leads.
    private static func followers(in patch: Patch) -> [Int: [Parameter: [LayerSource.Follower]]] {
        var found: [Int: [Parameter: [LayerSource.Follower]]] = [:]
        for (index, layer) in patch.layers.enumerated() {
            for parameter in layer.leaders.keys {
                guard let leader = patch.leader(of: parameter, layer: index) else { continue }
                found[leader.layer, default: [:]][leader.parameter, default: []].append(.init(layer: index, parameter: parameter))
            }
        }
        return found
    }

    /// The course of one parameter of a patch, as made by ``compile(_:edits:held:muted:sampleRate:)``, with those that follow it; `nil` if it
    /// does not exist.
    package static func course(
        of parameter: Parameter, layer: Int, in patch: Patch, edits: [LiveEdit], held: [Setting], sampleRate: Double
    ) -> ParameterCourse? {
        var course = ownCourse(of: parameter, layer: layer, in: patch, edits: edits, held: held, sampleRate: sampleRate)
        course?.followers = patch.followers(of: parameter, layer: layer).compactMap {
            ownCourse(of: $0.parameter, layer: $0.layer, in: patch, edits: edits, held: held, sampleRate: sampleRate)
        }
        return course
    }

    private static func ownCourse(
        of parameter: Parameter, layer: Int, in patch: Patch, edits: [LiveEdit], held: [Setting], sampleRate: Double
    ) -> ParameterCourse? {
        let automations = AutomationIndex(of: patch, only: parameter, layer: layer)
        guard patch.layers.indices.contains(layer), let description = patch.layers[layer].description(of: parameter),
            let automation = automations.automation(of: parameter, layer: layer, edits: edits, held: held)
        else { return nil }
        var moving = MovingTracks()
        return ParameterCourse(
            layer: layer, description: description,
            track: track(description, automation, of: patch, layer: layer, sampleRate: sampleRate, sharing: &moving),
            automation: automation)
    }

    private static func track(
        _ description: ParameterDescription, _ automation: Automation, of patch: Patch, layer: Int, sampleRate: Double,
        sharing tracks: inout MovingTracks, reusing similar: ParameterTrack? = nil
    ) -> ParameterTrack {
        let form = description.form(
            sampleRate: sampleRate, gainLaw: patch.gainLaw, pitchLaw: patch.pitchLaw,
            following: patch.leader(of: description.parameter, layer: layer)?.parameter)
        let moves = automation.moves.map {
            Move(
                start: Frames.count(of: $0.start, sampleRate: sampleRate), frames: Frames.count(of: $0.over, sampleRate: sampleRate),
                easing: $0.ease, target: form.moving(description.clamped($0.target)))
        }
        let value = form.moving(description.clamped(automation.base))
        return tracks.track(form, value, moves) {
            ParameterTrack(
                form: form, value: value, moves: moves, leadFrames: Frames.count(of: Frames.shortFade, sampleRate: sampleRate),
                reusing: similar)
        }
    }

    /// The patch's own fade in and out, each at least the short fade. In a patch shorter than both together, they share its length.
    private static func envelope(of patch: Patch, length: Int64?, sampleRate: Double) -> PieceMemory<ValuePiece> {
        let short = Frames.count(of: Frames.shortFade, sampleRate: sampleRate)
        var fadeIn = max(short, patch.fade.map { Frames.count(of: $0.fadeIn, sampleRate: sampleRate) } ?? 0)
        var fadeOut = max(short, patch.fade.map { Frames.count(of: $0.fadeOut, sampleRate: sampleRate) } ?? 0)
        var lead = short
        if let length, fadeIn + fadeOut > length {
            fadeIn = max(1, Int64((Double(length) * Double(fadeIn) / Double(fadeIn + fadeOut)).rounded()))
            fadeOut = max(1, length - fadeIn)
            lead = min(short, fadeIn, fadeOut)
        }
        var moves = [Move(start: 0, frames: fadeIn, easing: patch.fade?.easeIn, target: 1)]
        if let length {
            moves.append(Move(start: max(length - fadeOut, 0), frames: fadeOut, easing: patch.fade?.easeOut, target: 0))
        }
        let track = ParameterTrack(form: .init(laws: [.identity]), value: 0, moves: moves, leadFrames: lead)
        return track.values[0]
    }
}
