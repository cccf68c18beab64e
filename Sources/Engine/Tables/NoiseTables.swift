import Patches
import Synthesis

/// The tables of one spectrum of noise at one sample rate.
final class NoiseTables: Sendable {
    private let magnitudes: PieceMemory<Float>
    private let transform: TransformTables
    /// The window of noises whose lines must not leak far: parts of a spectrum, and a shift, which has no negative frequencies. `nil` for half a sine.
    private let smoothWindow: SmoothWindow?

    /// Corner frequency in Hz. Power is proportional to 1/f for pink, 1/f^2 for brown, f for blue and f^2 for violet noise. Below the
    /// corner, pink and brown fall off, so that no level is wasted on inaudible frequencies and no DC offset is left.
    static let floor = 20.0

    private struct Key: Hashable {
        let spectrum: NoiseSpectrum
        let range: NoiseRange?
        let part: Part
        let isAnalytic: Bool
        let sampleRate: Double
    }

    /// The part of the noise that the tables make. Noises of the same seed add up: bands and rest are the whole.
    enum Part: Hashable {
        case whole
        /// The lines in bands, in Hz.
        case bands([ClosedRange<Double>])
        /// The other lines.
        case rest([ClosedRange<Double>])
    }

    private static let known = SharedTables<Key, NoiseTables>()

    /// The tables of a spectrum, shared by all plans that use them: making them takes longer than everything else in most patches.
    ///
    /// - Parameter isAnalytic: Whether the second of the two noises is the Hilbert transform of the first; otherwise they are independent.
    static func tables(
        of spectrum: NoiseSpectrum, in range: NoiseRange? = nil, _ part: Part = .whole, isAnalytic: Bool, sampleRate: Double
    ) -> NoiseTables {
        let key = Key(spectrum: spectrum, range: range, part: part, isAnalytic: isAnalytic, sampleRate: sampleRate)
        return known.tables(key) { NoiseTables(key) }
    }

    /// The spectrum reaches down to about 6 Hz at any sample rate: blocks last 0.13 to 0.26 s.
    private init(_ key: Key) {
        var length = 256
        while Double(length) < key.sampleRate * 0.13 { length *= 2 }
        transform = .tables(length: length)
        // With half a sine, the bass of brown noise would leak into a band at -52 dB.
        smoothWindow = key.part != .whole || key.range != nil || key.isAnalytic ? .window(length: length) : nil
        let half = length / 2
        var power = (0...half).map { line in
            let frequency = Double(line) * key.sampleRate / Double(length)
            let share = key.range.map { Part.share(of: $0.bands, at: frequency) } ?? 1
            return key.spectrum.power(at: frequency) * share * share
        }
        // Two independent noises have the same power at positive and negative frequencies; a noise with its Hilbert transform has no negative
        // ones, and neither end of the spectrum, which is both.
        if key.isAnalytic { (power[0], power[half]) = (0, 0) }
        // The sum over all lines is the power of both channels together, each of which has that of a sine of amplitude 1.
        var total = power.reduce(0, +)
        if !key.isAnalytic { for line in (1..<half).reversed() { total += power[line] } }
        // A range may be above half the sample rate, where there is nothing.
        if total <= 0 { total = 1 }
        let lines = power.enumerated().map { line, power in
            Float((power / total).squareRoot() * key.part.share(at: Double(line) * key.sampleRate / Double(length)))
        }
        let reversed = NoiseTables.reversed(length)
        // Each 64 lines are transposed.
        magnitudes = PieceMemory(
            (0..<length).map { index in
                let line = reversed[index & ~63 | (index & 7) << 3 | (index >> 3) & 7]
                return key.isAnalytic && line > half ? 0 : lines[min(line, length - line)]
            })
    }

    var shape: NoiseShape {
        NoiseShape(
            length: transform.length, magnitudes: magnitudes.base, twiddles: transform.twiddles.base,
            window: (smoothWindow?.values ?? transform.window).base)
    }

    /// The numbers below a power of two with the order of their bits reversed.
    private static func reversed(_ count: Int) -> [Int] {
        var numbers = [Int](repeating: 0, count: count)
        for index in 1..<count { numbers[index] = numbers[index / 2] / 2 + index % 2 * (count / 2) }
        return numbers
    }
}

extension NoiseTables.Part {
    /// Half the width in Hz of the transition at an end of a band.
    private static let reach = 20.0

    /// The factor of a line.
    fileprivate func share(at frequency: Double) -> Double {
        switch self {
        case .whole: 1
        case .bands(let bands): NoiseTables.Part.share(of: bands, at: frequency)
        case .rest(let bands): 1 - NoiseTables.Part.share(of: bands, at: frequency)
        }
    }

    fileprivate static func share(of bands: [ClosedRange<Double>], at frequency: Double) -> Double {
        /// Half a cosine from 0 to 1 around an end.
        func rise(_ end: Double) -> Double {
            let place = min(max((frequency - end) / reach, -1), 1)
            return 0.5 + 0.5 * PortableMath.sine(turns: place / 4)
        }
        return bands.reduce(0) {
            $0 + ($1.lowerBound == 0 ? 1 : rise($1.lowerBound)) - ($1.upperBound == .infinity ? 0 : rise($1.upperBound))
        }
    }
}

extension NoiseSpectrum {
    /// The power at a frequency in Hz, of which only the shape counts.
    fileprivate func power(at frequency: Double) -> Double {
        guard frequency > 0 else { return 0 }
        let audible = min(1, frequency * frequency / (NoiseTables.floor * NoiseTables.floor))
        switch self {
        case .color(.white): return 1
        case .color(.pink): return audible / frequency
        case .color(.brown): return audible * audible / (frequency * frequency)
        case .color(.blue): return frequency
        case .color(.violet): return frequency * frequency
        case .slope(let slope):
            // In powers of the frequency.
            let exponent = slope / (10 * log10of2)
            let rise = PortableMath.exp2(exponent * PortableMath.log2(frequency / 1000))
            return exponent < 0 && audible < 1 ? rise * PortableMath.exp2(-exponent * PortableMath.log2(audible)) : rise
        case .levels(let levels):
            let pitch = PortableMath.log2(frequency / 20) / PortableMath.log2(1000) * Double(levels.count - 1)
            let place = min(max(pitch, 0), Double(levels.count - 1))
            let index = min(Int(place), levels.count - 2)
            let level = levels[index] + (levels[index + 1] - levels[index]) * (place - Double(index))
            return PortableMath.exp2(level / (10 * log10of2))
        }
    }
}

private let log10of2 = 0.301_029_995_663_981_2
