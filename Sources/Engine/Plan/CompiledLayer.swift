import Patches
import Synchronization
import Synthesis

/// One layer of a plan: its tracks, and what is needed to pass them to the render thread. It is immutable: an edit makes another one, so that
/// plans of many layers are copied fast.
final class CompiledLayer: Sendable {
    let source: LayerSource
    /// The bell's strikes, or `nil` if the layer is not a bell.
    let strikes: BellStrikes?
    let tracks: [Parameter: ParameterTrack]
    /// The effects of the layer, and the drawn envelope of its pulses; `nil` for none.
    let effects: LayerEffects?
    /// Mute gain over time: 1 is audible, 0 is muted.
    let audible: ParameterTrack
    /// Fades near half the sample rate; `nil` if none of the layer's frequencies comes near it.
    let fades: NyquistFades?
    /// Different after every change, and in every layer.
    let revision: UInt64

    init(
        source: LayerSource, strikes: BellStrikes?, tracks: [Parameter: ParameterTrack], effects: LayerEffects?, audible: ParameterTrack,
        fades: NyquistFades?
    ) {
        self.source = source
        self.strikes = strikes
        self.tracks = tracks
        self.effects = effects
        self.audible = audible
        self.fades = fades
        revision = Self.lastRevision.add(1, ordering: .relaxed).newValue
    }

    private static let lastRevision = Atomic<UInt64>(0)

    var kind: LayerKind { source.kind }

    /// Its noises in blocks: the one of its bands and the rest, if it has both.
    var noises: [NoiseTables] { [source.noise, effects?.rest].compactMap(\.self) }

    /// Whether it is one or two sines, without pulses or strikes.
    var isSines: Bool { [.tone, .binaural, .monaural].contains(kind) && source.wave == nil }
}

extension Parameter {
    /// Cycles of a track's phase in a cycle of the parameter: each ear has half a beat.
    fileprivate var phaseFactor: Double { self == .beat ? 0.5 : 1 }
}

extension ParameterDescription {
    /// How the parameter's values are converted for rendering, for a sample rate in Hz.
    ///
    /// - Parameter leader: The rate that it follows.
    func form(
        sampleRate: Double, gainLaw: Patch.GainLaw, pitchLaw: Patch.PitchLaw = .hertz, following leader: Parameter? = nil
    ) -> ParameterTrack.Form {
        let phase = ParameterTrack.Form.Phase.frequency(
            factor: parameter.phaseFactor, following: leader?.phaseFactor, sampleRate: sampleRate)
        var form: ParameterTrack.Form =
            switch parameter {
            case .carrier, .beat, .amRate, .spinRate, .orbitRate: .init(phase: phase)
            case .pulseRate: .init(phase: phase, laws: [.pulseEdge])
            case .edge: .init(laws: [.edgeScale])
            case .depth: .init(laws: [.phaseShift])
            case .attack, .release: .init(laws: [.duration(sampleRate: sampleRate)])
            case .decay: .init()
            case .delay, .spinDelay: .init(laws: [.lateness(sampleRate: sampleRate)])
            case .phase: .init(phase: .degrees)
            case .duty, .pulseDepth, .amDepth, .spinDepth, .distance: .init(laws: [.identity])
            case .gain: gainLaw == .decibels ? .init(laws: [.decibels]) : .init(laws: [.amplitude], isAmplitude: true)
            case .pan: .init(laws: [.leftBalance, .rightBalance])
            case .width: .init(laws: [.ownTone, .otherTone])
            case .correlation: .init(laws: [.sharedNoise, .ownNoise])
            }
        let (low, high) = (form.moving(range.lowerBound), form.moving(range.upperBound))
        form.bounds = (low - (high - low))...(high + (high - low))
        form.movesRatio = parameter == .carrier && pitchLaw == .ratio
        return form
    }
}

extension CompiledLayer {
    /// The layer as plain memory. It points into the tracks, which have to outlive it.
    func plain(noPhases: PhaseTrack, noValues: ValueTrack, noiseIndex: Int, soundIndex: Int) -> LayerTracks {
        var plain = LayerTracks(kind: kind, noPhases: noPhases, noValues: noValues)
        for (parameter, track) in tracks {
            switch parameter {
            case .carrier: plain.carrier = track.phaseTrack
            case .beat: plain.beat = track.phaseTrack
            case .phase: plain.offset = track.phaseTrack
            case .pulseRate:
                plain.pulses.rate = track.phaseTrack
                plain.pulses.edge = track.valueTrack()
            case .duty:
                plain.pulses.duty = track.valueTrack()
                plain.pulses.step = track.timeline.leadFrames
            case .edge: plain.pulses.edgeScale = track.valueTrack()
            case .decay, .pulseDepth, .amRate, .amDepth, .spinRate, .spinDepth, .spinDelay, .orbitRate, .distance: break
            case .delay: plain.delay = track.valueTrack()
            case .depth: plain.depth = track.valueTrack()
            case .attack: plain.keys.attack = track.valueTrack()
            case .release: plain.keys.release = track.valueTrack()
            case .gain: plain.gain = track.valueTrack()
            case .pan:
                plain.panLeft = track.valueTrack(0)
                plain.panRight = track.valueTrack(1)
            case .width: plain.tones = (own: track.valueTrack(0), other: track.valueTrack(1))
            case .correlation: plain.noises = (shared: track.valueTrack(0), own: track.valueTrack(1))
            }
        }
        plain.audible = audible.valueTrack()
        plain.wave = source.wave?.shape
        plain.wave?.leftIsBackwards = source.backwards == .left
        plain.wave?.rightIsBackwards = source.backwards == .right
        plain.spin = source.spin?.shape
        plain.strikes = strikes?.track
        plain.seedKey = source.seedKey
        plain.noise = source.noise?.shape
        plain.noiseIndex = noiseIndex
        plain.soundIndex = soundIndex
        plain.effects = effects?.base
        if let fades {
            plain.fades.count = fades.pieces.count
            for index in fades.pieces.indices { plain.fades.tracks[index] = fades.track(index) }
        }
        return plain
    }
}

extension CompiledLayer {
    /// The description of a parameter that the layer has.
    func description(of parameter: Parameter) -> ParameterDescription? {
        tracks[parameter] == nil ? nil : kind.possibleParameters.first { $0.parameter == parameter }
    }

    /// The layer with another course of a parameter from a plan frame on.
    func changing(_ parameter: Parameter, to track: ParameterTrack, from frame: Int64) -> CompiledLayer {
        var tracks = tracks
        tracks[parameter] = track
        return CompiledLayer(
            source: source, strikes: parameter == .decay ? strikes?.following(track, from: frame) : strikes, tracks: tracks,
            effects: effects?.changed(to: tracks), audible: audible,
            fades: parameter == .carrier || parameter == .beat ? NyquistFades(kind, tracks, replacing: fades, from: frame) : fades)
    }

    /// The layer with another mute gain.
    func muting(_ track: ParameterTrack) -> CompiledLayer {
        CompiledLayer(source: source, strikes: strikes, tracks: tracks, effects: effects, audible: track, fades: fades)
    }
}
