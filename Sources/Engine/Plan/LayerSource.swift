import Patches
import Synthesis

/// A layer of a plan without what edits change: its kind, tables and sound.
final class LayerSource: Sendable {
    let kind: LayerKind
    let seedKey: UInt64
    let noise: NoiseTables?
    /// Tables of the waveform; `nil` for a sine.
    let wave: WaveTables?
    /// The ear that hears the wave backwards.
    let backwards: Ear?
    let spin: SpinTables?
    /// The parameters that follow rates of this layer, by the one that leads.
    let followers: [Parameter: [Follower]]
    /// The sound that a file layer plays, or `nil` if the layer is not a file.
    let sound: SoundName?

    /// A parameter that follows a rate of another layer.
    struct Follower {
        let layer: Int
        let parameter: Parameter
    }

    /// - Parameters:
    ///   - index: Its place in the patch, which is its seed if it has none.
    ///   - sampleRate: In Hz.
    init(_ layer: Layer, index: Int, followers: [Parameter: [Follower]], sampleRate: Double) {
        kind = layer.kind
        seedKey = Synthesis.seedKey(layer.seed ?? UInt64(index))
        let bands = layer.hasBands ? layer.bands : []
        let isShifted = layer.effects.contains(.shift)
        noise =
            layer.hasBlocks
            ? .tables(
                of: layer.spectrum, in: layer.range, bands.isEmpty ? .whole : .bands(bands), isAnalytic: isShifted, sampleRate: sampleRate)
            : nil
        wave = .tables(of: layer)
        backwards = layer.kind == .binaural ? layer.backwards : nil
        spin = layer.kind == .spin ? SpinTables(sampleRate: sampleRate) : nil
        self.followers = followers
        let delay = layer.effects.contains(.spinDelay) ? SpinTables.reach(sampleRate: sampleRate) : 0
        sound =
            layer.kind == .file
            ? SoundName(
                path: layer.path, loops: layer.loops, parts: .init(bands: bands, hasQuadrature: isShifted, delay: delay),
                segments: layer.segments, seedKey: seedKey) : nil
    }
}

extension Layer {
    /// Whether its noise comes in blocks: all but plain white noise does. A spin may delay its noise, a shift needs its Hilbert transform, and
    /// bands or a range need its spectrum.
    fileprivate var hasBlocks: Bool { kind == .spin || kind == .noise && !isPlainWhite }
}
