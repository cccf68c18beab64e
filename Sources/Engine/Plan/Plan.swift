import Patches
import Synthesis

/// A patch with its live edits, compiled for one sample rate, for the render thread. It is immutable.
///
/// Plan frames are counted from the start of the patch. A plan and its edited versions share the tracks that did not change.
package final class Plan: @unchecked Sendable {
    // SAFETY: immutable; `data` and `plainLayers` are written in `init` only and freed in `deinit`.
    package let sampleRate: Double
    /// The length in frames; `nil` if the plan is endless.
    package let lengthInFrames: Int64?
    let layers: [CompiledLayer]
    /// The fade of the patch at its two ends.
    let envelope: PieceMemory<ValuePiece>
    let headroom: Headroom
    let data: UnsafePointer<PlanData>
    private let plainLayers: UnsafeMutablePointer<LayerTracks>
    private let versions: PieceMemory<LayerVersion>

    /// - Parameter similar: A plan whose layers are the same except for some changes; what it has of the others is copied, which is faster.
    init(
        layers: [CompiledLayer], envelope: PieceMemory<ValuePiece>, headroom: Headroom, sampleRate: Double, lengthInFrames: Int64?,
        reusing similar: Plan? = nil
    ) {
        let similar = similar.flatMap { $0.envelope === envelope && $0.layers.count == layers.count ? $0 : nil }
        self.layers = layers
        self.envelope = envelope
        self.headroom = headroom
        self.sampleRate = sampleRate
        self.lengthInFrames = lengthInFrames
        let envelopeTrack = ValueTrack(pieces: envelope.base, count: envelope.count)
        let noPhases = PhaseTrack(pieces: Plan.noPhases.base, count: 0)
        let noValues = ValueTrack(pieces: envelope.base, count: 0)
        plainLayers = .allocate(capacity: layers.count)
        var noiseIndex = 0
        var soundIndex = 0
        var keysCount = 0
        var filterIndex = 0
        for (index, layer) in layers.enumerated() {
            if let similar, similar.layers[index].revision == layer.revision {
                (plainLayers + index).initialize(to: similar.plainLayers[index])
            } else {
                (plainLayers + index).initialize(
                    to: layer.plain(noPhases: noPhases, noValues: noValues, noiseIndex: noiseIndex, soundIndex: soundIndex))
            }
            noiseIndex += layer.noises.count
            if layer.source.sound != nil { soundIndex += 1 }
            if layer.effects?.memoryCount != nil {
                (plainLayers + index).pointee.soundIndex = filterIndex
                filterIndex += 1
            }
            if layer.kind == .keys {
                (plainLayers + index).pointee.part = keysCount
                keysCount += 1
            }
        }
        versions = PieceMemory(layers.map { LayerVersion(revision: $0.revision, isSines: $0.isSines) })
        let usesNodes = layers.count(where: \.isSines) >= Plan.fewestForNodes
        let data = UnsafeMutablePointer<PlanData>.allocate(capacity: 1)
        data.initialize(
            to: PlanData(
                layers: UnsafePointer(plainLayers), versions: versions.base, layerCount: layers.count,
                nodeWeights: usesNodes ? Plan.nodeWeights.base : nil, soundCount: soundIndex, envelope: envelopeTrack,
                length: lengthInFrames ?? .max, headroom: headroom.gain.valueTrack(), level: Float(headroom.level),
                keysCount: keysCount, chordRoom: headroom.chordRoom.valueTrack()
            ))
        self.data = UnsafePointer(data)
    }

    deinit {
        data.deallocate()
        plainLayers.deallocate()
    }

    /// Placeholder where a layer has no phase; nothing is read from it.
    private static let noPhases = PieceMemory<PhasePiece>([])

    /// The weights of the nodes of a cell, see ``NodeCell``.
    private static let nodeWeights = PieceMemory(NodeGrid.weights)

    /// The fewest layers of sines that are faster to add up at nodes.
    private static let fewestForNodes = 8

    /// Whether its layers of sines are added up at nodes.
    package var usesNodes: Bool { data.pointee.nodeWeights != nil }

    package var layerCount: Int { layers.count }

    /// The least and the most frames by which its layers delay inputs; 0 without inputs.
    var inputDelay: ClosedRange<UInt32> {
        let delays = layers.filter { $0.kind == .input }.map { UInt32($0.effects?.latency ?? 0) }
        return (delays.min() ?? 0)...(delays.max() ?? 0)
    }

    /// Whether a layer plays a sound file.
    package var hasSounds: Bool { layers.contains { $0.source.sound != nil } }

    /// Frame at a position in seconds, limited to the plan.
    package func frame(atPosition seconds: Double) -> Int64 {
        let frame = (max(seconds, 0) * sampleRate).rounded()
        return min(frame < 0x1p62 ? Int64(frame) : .max, lengthInFrames ?? .max)
    }

    /// Position in seconds at a frame.
    package func position(atFrame frame: Int64) -> Double {
        Double(frame) / sampleRate
    }

    /// The value of a parameter at a frame, in its unit, during moves too; `nil` if there is no such layer or parameter.
    package func value(of parameter: Parameter, layer: Int, at frame: Int64) -> Double? {
        guard layers.indices.contains(layer) else { return nil }
        return layers[layer].tracks[parameter].map { $0.form.value($0.timeline.motion(at: frame).value) }
    }
}

/// Identifies the tracks of a layer among all plans.
struct LayerVersion: BitwiseCopyable {
    /// The same in two plans only if the layer's tracks are.
    var revision: UInt64
    /// Whether the layer is one or two sines.
    var isSines: Bool
}

/// A plan as the render thread sees it.
struct PlanData: BitwiseCopyable {
    var layers: UnsafePointer<LayerTracks>
    /// One for each layer.
    var versions: UnsafePointer<LayerVersion>
    var layerCount: Int
    /// The weights of the nodes of a cell; `nil` if layers of sines are too few for nodes.
    var nodeWeights: UnsafePointer<Double>?
    /// Number of layers that play sound files.
    var soundCount: Int
    var envelope: ValueTrack
    /// Length in frames; `Int64.max` if it is endless.
    var length: Int64
    /// Gain that keeps all layers together under the ceiling; constant except for live edits.
    var headroom: ValueTrack
    /// The highest level of all layers together under the ceiling, with every key down.
    var level: Float
    /// Number of keys layers.
    var keysCount: Int
    /// The number of keys struck at full velocity that there is room for.
    var chordRoom: ValueTrack
}
