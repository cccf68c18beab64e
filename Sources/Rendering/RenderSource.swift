import AudioFiles
import Engine
import Patches

/// The source of a part of a file, read in order.
protocol RenderSource: AnyObject {
    /// The total number of frames.
    var frameCount: Int64 { get }
    /// Fills both buffers, which must not exceed the remaining frames.
    func fill(left: UnsafeMutableBufferPointer<Float>, right: UnsafeMutableBufferPointer<Float>)
    /// The number of samples clipped at the ceiling so far.
    var samplesAtCeiling: UInt64 { get }
    /// Why a sound file could not be read to its end; `nil` if there was no failure.
    func takeSoundFailure() -> SoundFailure?
}

/// A part of a plan, rendered as it is played, or one of its layers.
final class PlainSource: RenderSource {
    let frameCount: Int64
    private let renderer: OfflineRenderer
    /// The layer that is rendered alone; `nil` is the mix.
    private let layer: Int?

    init(_ plan: Plan, _ range: Range<Int64>, layer: Int? = nil, kernel: Kernel, masterGain: Double, ceiling: Double) {
        frameCount = Int64(range.count)
        self.layer = layer
        renderer = OfflineRenderer(
            plan, from: range.lowerBound, kernel: kernel, masterGain: masterGain, ceiling: ceiling, sounds: SoundFileReader.open)
    }

    func fill(left: UnsafeMutableBufferPointer<Float>, right: UnsafeMutableBufferPointer<Float>) {
        if let layer {
            _ = renderer.render(layer: layer, left: left, right: right)
        } else {
            _ = renderer.render(left: left, right: right)
        }
    }

    /// A layer alone does not meet it.
    var samplesAtCeiling: UInt64 { layer == nil ? renderer.guardActions.ceiling : 0 }

    func takeSoundFailure() -> SoundFailure? {
        renderer.takeSoundNotices().lazy.compactMap { notice in
            if case .failed(let failure) = notice { failure } else { nil }
        }.first
    }
}

/// A looping plan, rendered as it is played: after its last frame comes its first one.
final class RoundSource: RenderSource {
    let frameCount: Int64
    private let length: Int64
    private let end: Int64
    private let makeRound: (Range<Int64>, _ roundStart: Int64) -> PlainSource
    /// The end of the present round, counted from the start of the first one.
    private var roundEnd: Int64
    private var round: PlainSource
    private var position: Int64
    private var failure: SoundFailure?
    private var samplesAtCeilingBefore: UInt64 = 0

    /// - Parameters:
    ///   - range: frames from the start of the first round; not empty.
    ///   - length: Frames of a round.
    ///   - makeRound: Makes the source of a part of the plan, in the round that begins at a frame.
    init(_ range: Range<Int64>, length: Int64, _ makeRound: @escaping (Range<Int64>, _ roundStart: Int64) -> PlainSource) {
        (frameCount, self.length, end, self.makeRound) = (Int64(range.count), length, range.upperBound, makeRound)
        position = range.lowerBound
        (round, roundEnd) = Self.round(from: position, length, end, makeRound)
    }

    private static func round(
        from position: Int64, _ length: Int64, _ end: Int64, _ makeRound: (Range<Int64>, _ roundStart: Int64) -> PlainSource
    ) -> (PlainSource, end: Int64) {
        let start = position / length * length
        let roundEnd = min(start + length, end)
        return (makeRound(position - start..<roundEnd - start, start), roundEnd)
    }

    func fill(left: UnsafeMutableBufferPointer<Float>, right: UnsafeMutableBufferPointer<Float>) {
        var done = 0
        while done < left.count {
            if position == roundEnd {
                failure = failure ?? round.takeSoundFailure()
                samplesAtCeilingBefore += round.samplesAtCeiling
                (round, roundEnd) = Self.round(from: position, length, end, makeRound)
            }
            let part = done..<done + Int(min(Int64(left.count - done), roundEnd - position))
            round.fill(left: .init(rebasing: left[part]), right: .init(rebasing: right[part]))
            done = part.upperBound
            position += Int64(part.count)
        }
    }

    var samplesAtCeiling: UInt64 { samplesAtCeilingBefore + round.samplesAtCeiling }

    func takeSoundFailure() -> SoundFailure? { failure.take() ?? round.takeSoundFailure() }
}

/// A part of a plan as a seamless loop: at its beginning, what would follow its end fades out while the beginning fades in. Layers whose
/// phases meet are crossfaded with equal gain, the others with equal power.
final class LoopSource: RenderSource {
    let frameCount: Int64
    private let whole: PlainSource
    private var groups: [Group]
    private let blend: Int64
    private var position: Int64 = 0

    private struct Group {
        let beginning: PlainSource
        /// The part after the end.
        let sequel: PlainSource
        let isMeeting: Bool
    }

    /// - Parameters:
    ///   - item: without end and without fades.
    ///   - blend: Frames of the crossfade, at most those of the loop.
    init(_ item: RenderItem, _ seam: LoopSeam, from start: Int64, blend: Int64, sampleRate: Int, kernel: Kernel, ceiling: Double) {
        frameCount = seam.frames
        self.blend = blend
        func source(_ range: Range<Int64>, without silent: Set<Int> = []) -> PlainSource {
            let plan = PlanCompiler.compile(
                item.patch, edits: item.edits, muted: item.muted.union(silent), sampleRate: Double(sampleRate))
            return PlainSource(plan, range, kernel: kernel, masterGain: item.masterGain, ceiling: ceiling)
        }
        let end = start + seam.frames
        whole = source(start..<end)
        let others = Set(item.patch.layers.indices).subtracting(seam.meeting)
        groups = [(silent: others, isMeeting: true), (silent: seam.meeting, isMeeting: false)].compactMap { silent, isMeeting in
            guard silent.count < item.patch.layers.count else { return nil }
            return Group(
                beginning: source(start..<start + blend, without: silent), sequel: source(end..<end + blend, without: silent),
                isMeeting: isMeeting)
        }
    }

    func fill(left: UnsafeMutableBufferPointer<Float>, right: UnsafeMutableBufferPointer<Float>) {
        whole.fill(left: left, right: right)
        let count = Int(min(Int64(left.count), blend - position))
        if count > 0 { mix(into: left, right, count) }
        position += Int64(left.count)
        if position >= blend { groups = [] }
    }

    /// Replaces the plain beginning by the crossfade of the groups.
    private func mix(into left: UnsafeMutableBufferPointer<Float>, _ right: UnsafeMutableBufferPointer<Float>, _ count: Int) {
        for frame in 0..<count { (left[frame], right[frame]) = (0, 0) }
        for group in groups {
            for (source, isRising) in [(group.beginning, true), (group.sequel, false)] {
                var (a, b) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
                a.withUnsafeMutableBufferPointer { a in b.withUnsafeMutableBufferPointer { b in source.fill(left: a, right: b) } }
                for frame in 0..<count {
                    let gain = gain(at: position + Int64(frame), isRising, group.isMeeting)
                    left[frame] += gain * a[frame]
                    right[frame] += gain * b[frame]
                }
            }
        }
    }

    /// The crossfade's gain: a smootherstep, or the sine of a quarter cycle over it, so that both ends are smooth.
    private func gain(at frame: Int64, _ isRising: Bool, _ isMeeting: Bool) -> Float {
        let rising = PortableMath.smootherstep(Double(frame) / Double(blend))
        let part = isRising ? rising : 1 - rising
        return Float(isMeeting ? part : PortableMath.sine(turns: part / 4))
    }

    var samplesAtCeiling: UInt64 { whole.samplesAtCeiling }

    func takeSoundFailure() -> SoundFailure? { whole.takeSoundFailure() }
}
