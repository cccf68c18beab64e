import Patches
import Synthesis

/// The tables of one waveform: 20 of them, from the fundamental alone to 1024 harmonics, two to the octave. 0.4 MB.
///
/// Of the ideal wave, whose crest is 1: sawtooth `2/π Σ (-1)^(n+1) sin(nθ)/n`, square `4/π Σ sin(nθ)/n` over odd n, triangle
/// `8/π² Σ (-1)^((n-1)/2) sin(nθ)/n²` over odd n. All rise through 0 at phase 0, as the sine does.
final class WaveTables: Sendable {
    private let samples: [PieceMemory<Float>]
    private let bands: PieceMemory<WaveBand>

    /// `nil` for the sine, which needs none.
    static func tables(of waveform: Waveform) -> WaveTables? {
        switch waveform {
        case .sine: nil
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
            // 16 samples or more of the highest harmonic: what the cubic between them misses is below -100 dB.
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

    private static func samples(_ waveform: Waveform, harmonicCount: Int, size: Int) -> PieceMemory<Float> {
        let sine = (0..<size).map { PortableMath.sine(turns: Double($0) / Double(size)) }
        var cycle = [Double](repeating: 0, count: size)
        for harmonic in 1...harmonicCount {
            let amplitude = amplitude(waveform, harmonic)
            guard amplitude != 0 else { continue }
            for index in 0..<size { cycle[index] += amplitude * sine[(index &* harmonic) & (size - 1)] }
        }
        return PieceMemory(([cycle[size - 1]] + cycle + cycle[0..<2]).map(Float.init))
    }

    private static func amplitude(_ waveform: Waveform, _ harmonic: Int) -> Double {
        let n = Double(harmonic)
        let isOdd = harmonic % 2 == 1
        switch waveform {
        case .sine: return harmonic == 1 ? 1 : 0
        case .sawtooth: return (isOdd ? 2 : -2) / (.pi * n)
        case .square: return isOdd ? 4 / (.pi * n) : 0
        case .triangle: return isOdd ? (harmonic % 4 == 1 ? 8 : -8) / (.pi * .pi * n * n) : 0
        }
    }
}
