// Control makes them; the render thread reads their memory.

import Patches
import Synthesis

/// The effects of a layer as plain memory for the render thread. It points into the tracks, which have to outlive it.
final class LayerEffects: @unchecked Sendable {
    // SAFETY: written only in `init`, freed only in `deinit`.
    let base: UnsafePointer<EffectTracks>
    let effects: Set<LayerEffect>
    private let tables: Tables

    /// The parts that do not move.
    private struct Tables {
        var envelope: EnvelopeTable?
        /// The filters of an input whose whole spectrum is shifted.
        var hilbert: HilbertTables?
        /// The filters of an input with bands.
        var filter: BandTables?
        /// The taps of a spin by delay.
        var spin: SpinTables?
        /// The delay line of an input with such a spin.
        var delayLine: DelayLineShape?
        /// The levels and delays of a tone that circles the head.
        var orbit: OrbitTables?
        /// The part of a noise that is not in its bands.
        var rest: NoiseTables?
        var isMono = false
        var hasBands = false

        /// The `Float`s that the filters of an input remember.
        var filterCount: Int { hilbert.map { 2 * $0.memoryCount } ?? filter?.memoryCount ?? 0 }

        /// Two channels, or the middle, the rest and the quadrature; and what is not in the bands.
        mutating func makeDelayLine(isShifted: Bool, reach: Int) {
            delayLine = DelayLineShape(reach: reach, channelCount: (isShifted ? 3 : 2) + (hasBands ? 2 : 0), offset: filterCount)
        }
    }

    /// `nil` if the layer has neither effects nor an envelope of its own.
    convenience init?(_ layer: Layer, _ tracks: [Parameter: ParameterTrack], sampleRate: Double) {
        guard !layer.effects.isEmpty || layer.envelope != nil || layer.isMono else { return nil }
        let isShifted = layer.effects.contains(.shift)
        var tables = Tables(isMono: layer.isMono, hasBands: layer.hasBands)
        if layer.canHaveEnvelope { tables.envelope = layer.envelope.map { EnvelopeTable($0) } }
        if layer.kind == .input {
            if layer.hasBands {
                tables.filter = .tables(layer.bands, hasQuadrature: isShifted, sampleRate: sampleRate)
            } else if isShifted {
                tables.hilbert = .tables(sampleRate: sampleRate)
            }
        }
        if layer.effects.contains(.spinDelay) {
            tables.spin = SpinTables(sampleRate: sampleRate)
            if layer.kind == .input { tables.makeDelayLine(isShifted: isShifted, reach: SpinTables.reach(sampleRate: sampleRate)) }
        }
        if layer.effects.contains(.orbit) { tables.orbit = .tables(sampleRate: sampleRate) }
        if layer.kind == .noise, layer.hasBands {
            tables.rest = .tables(
                of: layer.spectrum, in: layer.range, .rest(layer.bands), isAnalytic: isShifted, sampleRate: sampleRate)
        }
        self.init(layer.effects, tracks, tables)
    }

    private init(_ effects: Set<LayerEffect>, _ tracks: [Parameter: ParameterTrack], _ tables: Tables) {
        self.effects = effects
        self.tables = tables
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
            case .spinDelay: plain.spinByDelay = swing(.spinRate, .spinDelay)
            case .orbit: plain.orbit = swing(.orbitRate, .distance)
            case .shift: plain.shift = tracks[.beat]?.phaseTrack
            }
        }
        plain.envelope = tables.envelope?.shape
        plain.hilbert = tables.hilbert?.shape
        plain.filter = tables.filter?.shape
        plain.spinTaps = tables.spin?.shape
        plain.orbitShape = tables.orbit?.shape
        plain.delayLine = tables.delayLine
        plain.rest = tables.rest?.shape
        plain.isMono = tables.isMono
        plain.hasBands = tables.hasBands
        let memory = UnsafeMutablePointer<EffectTracks>.allocate(capacity: 1)
        memory.initialize(to: plain)
        base = UnsafePointer(memory)
    }

    deinit { base.deallocate() }

    /// The same effects after a change of one of the tracks.
    func changed(to tracks: [Parameter: ParameterTrack]) -> LayerEffects { LayerEffects(effects, tracks, tables) }

    /// The numbers that an input remembers for its effects; `nil` for other layers. Two `Float`s take the place of one.
    var memoryCount: Int? {
        if let line = tables.delayLine { return (line.memoryCount + 1) / 2 }
        return tables.filterCount == 0 ? nil : (tables.filterCount + 1) / 2
    }

    /// The part of a noise with bands that is not in them.
    var rest: NoiseTables? { tables.rest }

    /// The taps of a spin by delay.
    var spin: SpinTables? { tables.spin }

    /// Frames by which the effects delay the sound.
    var latency: Int { (tables.filter?.latency ?? 0) + (tables.delayLine == nil ? 0 : tables.spin?.shape.reach ?? 0) }
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
