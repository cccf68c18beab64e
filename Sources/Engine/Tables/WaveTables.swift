import Patches
import Synthesis

/// The tables of one waveform: 20 of them, from the fundamental alone to 1024 harmonics, two to the octave. 0.4 MB.
///
/// The ideal waves, with a crest of 1: sawtooth `2/π Σ (-1)^(n+1) sin(nθ)/n`, square `4/π Σ sin(nθ)/n` over odd n, triangle
/// `8/π² Σ (-1)^((n-1)/2) sin(nθ)/n²` over odd n. All rise through 0 at phase 0, as the sine does.
final class WaveTables: Sendable {
    private let samples: [PieceMemory<Float>]
    private let bands: PieceMemory<WaveBand>

    /// The tables of a layer's waveform; `nil` for the sine, which needs none.
    static func tables(of layer: Layer) -> WaveTables? {
        layer.wave == .table ? (layer.table.isEmpty ? nil : WaveTables(through: layer.table)) : tables(of: layer.wave)
    }

    static func tables(of waveform: Waveform) -> WaveTables? {
        switch waveform {
        case .sine, .table: nil
        case .triangle: triangle
        case .square: square
        case .sawtooth: sawtooth
        }
    }

    // Constants, made when the first plan with such a layer is compiled.
    private static let triangle = WaveTables(.triangle)
    private static let square = WaveTables(.square)
    private static let sawtooth = WaveTables(.sawtooth)

    private static let harmonicCounts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]

    var shape: WaveShape { WaveShape(bands: bands.base, count: bands.count) }

    private init(_ waveform: Waveform) {
        let samples = WaveTables.harmonicCounts.map { count in
            // At least 16 samples per cycle of the highest harmonic: the error of the cubic between them is below -100 dB.
            var sizeBits = 9
            while 1 << sizeBits < 16 * count { sizeBits += 1 }
            return WaveTables.samples(waveform, harmonicCount: count, size: 1 << sizeBits)
        }
        self.samples = samples
        bands = PieceMemory(
            zip(samples, WaveTables.harmonicCounts).map { memory, count in
                WaveBand(
                    samples: memory.base + 1, sizeBits: UInt64((memory.count - 3).trailingZeroBitCount), limit: 0.5 / Double(count))
            })
    }

    /// The smoothest wave through a layer's own samples.
    private init(through table: [Double]) {
        let series = FourierSeries(through: table)
        var bands: [(memory: PieceMemory<Float>, limit: Double)] = []
        for count in WaveTables.harmonicCounts {
            let limit = 0.5 / Double(count)
            if let last = bands.last, WaveTables.harmonicCounts[bands.count - 1] >= series.harmonicCount {
                // The last table again: it has all harmonics of the wave.
                bands.append((last.memory, limit))
                break
            }
            var bits = 9
            while 1 << bits < 16 * count { bits += 1 }
            bands.append((WaveTables.memory(series.cycle(harmonics: count, bits: bits)), limit))
        }
        samples = bands.map(\.memory)
        self.bands = PieceMemory(
            bands.map { memory, limit in
                WaveBand(samples: memory.base + 1, sizeBits: UInt64((memory.count - 3).trailingZeroBitCount), limit: limit)
            })
    }

    /// The highest sample in all tables.
    var crest: Double { samples.flatMap(\.elements).reduce(0) { max($0, Double(abs($1))) } }

    private static func memory(_ cycle: [Double]) -> PieceMemory<Float> {
        PieceMemory(([cycle[cycle.count - 1]] + cycle + cycle[0..<2]).map(Float.init))
    }

    private static func samples(_ waveform: Waveform, harmonicCount: Int, size: Int) -> PieceMemory<Float> {
        let sine = (0..<size).map { PortableMath.sine(turns: Double($0) / Double(size)) }
        var cycle = [Double](repeating: 0, count: size)
        for harmonic in 1...harmonicCount {
            let amplitude = amplitude(waveform, harmonic)
            guard amplitude != 0 else { continue }
            for index in 0..<size { cycle[index] += amplitude * sine[(index &* harmonic) & (size - 1)] }
        }
        return memory(cycle)
    }

    private static func amplitude(_ waveform: Waveform, _ harmonic: Int) -> Double {
        let n = Double(harmonic)
        let isOdd = harmonic % 2 == 1
        switch waveform {
        case .sine, .table: return harmonic == 1 ? 1 : 0
        case .sawtooth: return (isOdd ? 2 : -2) / (.pi * n)
        case .square: return isOdd ? 4 / (.pi * n) : 0
        case .triangle: return isOdd ? (harmonic % 4 == 1 ? 8 : -8) / (.pi * .pi * n * n) : 0
        }
    }
}

extension Layer {
    /// The highest sample of its sound at a gain of 0 dB; of one key if it is a keys layer. A file counts as full scale. An input counts as
    /// 0: its level is set where it comes from.
    package var crest: Double { crest(wave == .table ? WaveTables.tables(of: self) : nil) }

    /// - Parameter tables: Tables of its wave, if that is a table.
    func crest(_ tables: WaveTables?) -> Double {
        switch kind {
        case .noise where isPlainWhite: Layer.whiteCrest
        case .noise, .spin: Layer.noiseCrest
        case .file: fileCrest
        case .input: 0
        case .isochronic where effects.contains(.orbit): Layer.orbitCrest * waveCrest(tables)
        default: waveCrest(tables)
        }
    }

    private var fileCrest: Double {
        // Components that add up to less in the file may add up to more when they are shifted, some of them have another level, or they are
        // heard between the file's frames.
        let effects = !effects.isDisjoint(with: [.shift, .spinDelay]) || hasBands ? 2.0.squareRoot() : 1
        // In the middle of a crossfade both segments are at -3 dB, and so is each of two streams.
        let segments = segments.map { $0.streams == 2 ? 2 : 2.0.squareRoot() } ?? 1
        return effects * segments
    }

    /// Whether its noise is drawn sample by sample.
    var isPlainWhite: Bool { spectrum == .color(.white) && range == nil && effects.isDisjoint(with: [.shift, .spinDelay]) && !hasBands }

    /// White noise is uniform up to sqrt(1.5); an ear that hears both noises reaches sqrt(2) times that.
    private static let whiteCrest = 3.0.squareRoot()

    private static let noiseCrest = Amplitude.ratio(Layer.noisePeak)

    /// The highest sample of the waveform; without its highest harmonics, a wave overshoots at its jumps (Gibbs).
    private func waveCrest(_ tables: WaveTables?) -> Double {
        switch wave {
        case .sine, .triangle: 1
        case .square, .sawtooth: 1.18
        case .table: tables?.crest ?? 1
        }
    }
}
