// Control makes them; the render thread reads their memory.

import Patches
import Synthesis

/// The effects of a layer as plain memory for the render thread. It points into the tracks, which have to outlive it.
final class LayerEffects: @unchecked Sendable {
    // SAFETY: written only in `init`, freed only in `deinit`.
    let effects: Set<LayerEffect>
    let base: UnsafePointer<EffectTracks>

    private let envelope: EnvelopeTable?
    private let hilbert: HilbertTables?
    private let isMono: Bool

    /// `nil` if the layer has neither effects nor an envelope of its own.
    convenience init?(_ layer: Layer, _ tracks: [Parameter: ParameterTrack], sampleRate: Double) {
        guard !layer.effects.isEmpty || layer.envelope != nil || layer.isMono else { return nil }
        self.init(
            layer.effects, tracks, layer.canHaveEnvelope ? layer.envelope.map { EnvelopeTable($0) } : nil,
            layer.kind == .input && layer.effects.contains(.shift) ? .tables(sampleRate: sampleRate) : nil, isMono: layer.isMono)
    }

    private init(
        _ effects: Set<LayerEffect>, _ tracks: [Parameter: ParameterTrack], _ envelope: EnvelopeTable?, _ hilbert: HilbertTables?,
        isMono: Bool
    ) {
        self.isMono = isMono
        self.effects = effects
        self.envelope = envelope
        self.hilbert = hilbert
        var plain = EffectTracks()
        func swing(_ rate: Parameter, _ depth: Parameter) -> EffectTracks.Swing? {
            guard let rate = tracks[rate], let depth = tracks[depth] else { return nil }
            return EffectTracks.Swing(rate: rate.phaseTrack, depth: depth.valueTrack())
        }
        for effect in effects {
            switch effect {
            case .pulses: plain.pulseDepth = tracks[.pulseDepth]?.valueTrack()
            case .modulation: plain.modulation = swing(.amRate, .amDepth)
            case .spin: plain.spin = swing(.spinRate, .spinDepth)
            case .shift: plain.shift = tracks[.beat]?.phaseTrack
            }
        }
        plain.envelope = envelope?.shape
        plain.hilbert = hilbert?.shape
        plain.isMono = isMono
        let memory = UnsafeMutablePointer<EffectTracks>.allocate(capacity: 1)
        memory.initialize(to: plain)
        base = UnsafePointer(memory)
    }

    deinit { base.deallocate() }

    /// The same effects after a change of one of the tracks.
    func changed(to tracks: [Parameter: ParameterTrack]) -> LayerEffects {
        LayerEffects(effects, tracks, envelope, hilbert, isMono: isMono)
    }

    /// The numbers that the filters of a shifted input remember; `nil` for other layers.
    var memoryCount: Int? { hilbert?.memoryCount }
}

/// The levels of a drawn envelope.
private final class EnvelopeTable: Sendable {
    private let levels: PieceMemory<Float>
    private let curve: EnvelopeShape.Curve

    init(_ envelope: DrawnEnvelope) {
        levels = PieceMemory((envelope.levels + envelope.levels.prefix(1)).map(Float.init))
        curve =
            switch envelope.curve {
            case .linear: .linear
            case .smoothstep: .smoothstep
            case .smootherstep: .smootherstep
            }
    }

    var shape: EnvelopeShape { EnvelopeShape(levels: levels.base, count: levels.count - 1, curve: curve) }
}
