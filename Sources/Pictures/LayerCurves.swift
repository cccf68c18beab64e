import Patches

/// The curves and names that are drawn for one layer.
struct LayerCurves {
    let name: String
    /// The name, with the source in brackets if only the level of the sound is known.
    let nameOfLevel: String
    let ink: Ink
    let area: Panel.Filling
    /// Whether it is neither noise nor a sound from elsewhere.
    var isTone: Bool { area == .none }
    /// Whether it is a spin, whose beat is the rate at which it rotates around the head.
    let isSpin: Bool
    /// The carrier in Hz, midway between the ears; `nil` for a layer without carrier.
    let carrier: Curve?
    /// The lowest and the highest tone of both ears in Hz; `nil` if they do not differ.
    let ears: (low: Curve, high: Curve)?
    /// Beats and pulse rates in Hz, with their parameters.
    let beats: [(parameter: Parameter, curve: Curve, automation: Automation)]
    /// Level in dBFS, with the fades of the patch; with the strikes of a bell, and for keys that of the loudest key.
    let level: Curve
    /// The bell's strikes and decays, or `nil` if the layer is not a bell.
    let bell: RingingBell?
    let gain: Automation
    let carrierAutomation: Automation?
    /// All other parameters that chapters move.
    let others: [(description: ParameterDescription, curve: Curve, automation: Automation)]

    init(_ patch: Patch, layer index: Int, time: TimeAxis, palette: Palette) {
        let layer = patch.layers[index]
        // A point and a half on the page.
        let step = time.end / max(1, (time.right - time.left) / 1.5)
        func automation(_ parameter: Parameter) -> Automation? { patch.automation(of: parameter, layer: index, edits: []) }
        func curve(_ automation: Automation, _ extra: [Double] = []) -> Curve {
            Curve(automation, until: time.end, step: step, extraTimes: extra)
        }
        name = layer.name
        nameOfLevel = layer.name + (layer.kind.source.map { " (\($0))" } ?? "")
        area = layer.kind.isNoise ? .plain : layer.kind.source == nil ? .none : .hatched
        isSpin = layer.kind == .spin
        ink = layer.kind.isNoise ? palette.ink(of: layer.spectrum) : palette.ink(ofLayer: index)
        let fade = PatchFadeLevel(patch)
        guard let gain = automation(.gain) else { preconditionFailure("Every layer has a gain.") }
        self.gain = gain
        let bell = layer.kind == .bell ? RingingBell(patch, layer: index, until: time.end) : nil
        self.bell = bell
        let bellTimes = bell?.times(step: step, until: time.end) ?? []
        var level = curve(gain, fade.times(step: step) + bellTimes)
        level.change { max(Parameter.off, $1 + fade.decibels(at: $0) + (bell?.decibels(at: $0) ?? 0)) }
        self.level = level
        // Their opacity changes with the gain.
        let gainTimes = curve(gain, bellTimes).points.map(\.time)
        carrierAutomation = automation(.carrier)
        carrier = carrierAutomation.map { curve($0, gainTimes) }
        var beats: [(parameter: Parameter, curve: Curve, automation: Automation)] = []
        var others: [(description: ParameterDescription, curve: Curve, automation: Automation)] = []
        for description in layer.parameters where description.parameter != .carrier && description.parameter != .gain {
            guard let automation = automation(description.parameter) else { continue }
            // A file or an input without pulses has the parameters of pulses, but does not use them.
            if layer.kind.isForeign, !layer.effects.contains(.pulses), [.pulseRate, .duty, .edge].contains(description.parameter) {
                continue
            }
            if description.unit == .hertz {
                beats.append((description.parameter, curve(automation, gainTimes), automation))
            } else if automation.moves.contains(where: { $0.target != automation.base }) {
                others.append((description, curve(automation), automation))
            }
        }
        self.beats = beats
        self.others = others
        let tones = layer.kind.tones
        if tones.count > 1, let tone = carrierAutomation, let beat = beats.first(where: { $0.parameter == .beat }) {
            let times = (carrier?.points ?? []).map(\.time) + beat.curve.points.map(\.time)
            var (low, high) = (curve(tone, times), curve(tone, times))
            func edge(_ time: Double, _ carrier: Double, isHigh: Bool) -> Double {
                let beat = beat.automation.value(at: time)
                let offsets = tones.map { $0 * beat }
                return max(1, carrier + ((isHigh ? offsets.max() : offsets.min()) ?? 0))
            }
            low.change { edge($0, $1, isHigh: false) }
            high.change { edge($0, $1, isHigh: true) }
            ears = (low, high)
        } else {
            ears = nil
        }
    }

    /// The opacity of its pitch and beat at a time: 1 for the loudest layer, less for softer ones, in five steps; 0 where it is off.
    func strength(at time: Double, loudest: Double) -> Double {
        let level = gain.value(at: time) + (bell?.decibels(at: time) ?? 0)
        guard level > Parameter.off else { return 0 }
        let below = (loudest - level) / 36
        return max(0.2, 1 - (min(max(below, 0), 1) * 5).rounded() / 5)
    }
}

extension LayerKind {
    /// The source of a sound of which only the level is known; `nil` for other kinds.
    fileprivate var source: String? {
        switch self {
        case .keys: "played"
        case .input: "input"
        case .file: "file"
        default: nil
        }
    }
}
