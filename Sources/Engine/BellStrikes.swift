import Patches
import Synthesis

/// The strikes of a bell: when, and how fast each dies away.
struct BellStrikes: Sendable {
    /// Plan frames, in order.
    private let starts: [Int64]
    private let sampleRate: Double
    private(set) var memory: PieceMemory<Strike>

    /// Seconds in which a strike rises. One that comes sooner after another is none.
    static let rise = 0.005

    /// - Parameters:
    ///   - seconds: In any order.
    ///   - decay: Seconds for 60 dB, at a frame.
    init(at seconds: [Double], sampleRate: Double, decay: ParameterTrack) {
        let rise = PlanCompiler.frames(BellStrikes.rise, sampleRate: sampleRate)
        starts = seconds.map { PlanCompiler.frames($0, sampleRate: sampleRate) }.sorted().reduce(into: []) { starts, start in
            if starts.last.map({ start - $0 > rise }) ?? true { starts.append(start) }
        }
        self.sampleRate = sampleRate
        memory = PieceMemory([])
        change(to: decay, from: .min)
    }

    /// From a frame on, strikes die away as this course says; what rings by then goes on as it did.
    mutating func change(to decay: ParameterTrack, from frame: Int64) {
        var strikes: [Strike] = []
        for (index, start) in starts.enumerated() {
            let isOld = start < frame && index < memory.count
            let rate = isOld ? memory.elements[index].rate : rate(decay.timeline.motion(at: start).value)
            strikes.append(
                Strike(
                    start: start, rate: rate, startBefore: strikes.last?.start ?? start, rateBefore: strikes.last?.rate ?? .infinity,
                    rise: max(1, (BellStrikes.rise * sampleRate).rounded())))
        }
        memory = PieceMemory(strikes)
    }

    var track: StrikeTrack { StrikeTrack(strikes: memory.base, count: memory.count) }

    /// Octaves a frame: 60 dB are log2(1000) of them. An easing may take the decay below its range for a while.
    private func rate(_ decay: Double) -> Double {
        9.965784284662087 / (max(decay, ParameterDescription.decay.range.lowerBound) * sampleRate)
    }
}
