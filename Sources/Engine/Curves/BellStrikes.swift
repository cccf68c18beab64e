import Patches
import Synthesis

/// The strikes of a bell: when each starts, and how fast it decays.
struct BellStrikes: Sendable {
    /// The plan frames of the strikes, in order.
    private let starts: [Int64]
    private let sampleRate: Double
    private(set) var memory: PieceMemory<Strike>

    /// Rise time of a strike, in seconds. A strike that follows another one within this time is dropped.
    static let rise = 0.005

    /// - Parameters:
    ///   - seconds: Positions of the strikes, in any order.
    ///   - decay: Course of the decay time, the seconds for 60 dB.
    init(at seconds: [Double], sampleRate: Double, decay: ParameterTrack) {
        let rise = Frames.count(of: BellStrikes.rise, sampleRate: sampleRate)
        starts = seconds.map { Frames.count(of: $0, sampleRate: sampleRate) }.sorted().reduce(into: []) { starts, start in
            if starts.last.map({ start - $0 > rise }) ?? true { starts.append(start) }
        }
        self.sampleRate = sampleRate
        memory = PieceMemory([])
        change(to: decay, from: .min)
    }

    /// The strikes with another decay course for those from a frame on; those that already ring keep their rate.
    func following(_ decay: ParameterTrack, from frame: Int64) -> BellStrikes {
        var strikes = self
        strikes.change(to: decay, from: frame)
        return strikes
    }

    private mutating func change(to decay: ParameterTrack, from frame: Int64) {
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

    /// Decay rate in octaves per frame: 60 dB are log2(1000) octaves. An easing may take the decay below its range for a while.
    private func rate(_ decay: Double) -> Double {
        9.965784284662087 / (max(decay, ParameterDescription.decay.range.lowerBound) * sampleRate)
    }
}
