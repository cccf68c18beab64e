import Patches
import Synchronization
import Synthesis

/// The tables of one colour of noise at one sample rate.
final class NoiseTables: Sendable {
    private let magnitudes: PieceMemory<Float>
    private let twiddles: PieceMemory<Float>
    private let window: PieceMemory<Float>
    private let length: Int

    /// Corner frequency in Hz. Power is proportional to 1/f for pink, 1/f^2 for brown, f for blue and f^2 for violet noise. Below the
    /// corner, pink and brown fall off, so that no level is wasted on inaudible frequencies and no DC offset is left.
    static let floor = 20.0

    private struct Key: Hashable {
        let color: NoiseColor
        let sampleRate: Double
    }

    private struct Entry {
        weak var tables: NoiseTables?
    }

    /// The tables of all plans that there are.
    private static let known = Mutex<[Key: Entry]>([:])

    /// The tables of a colour, shared by all plans that use them: making them takes longer than everything else in most patches.
    static func tables(of color: NoiseColor, sampleRate: Double) -> NoiseTables {
        let key = Key(color: color, sampleRate: sampleRate)
        if let tables = known.withLock({ $0[key]?.tables }) { return tables }
        let made = NoiseTables(color: color, sampleRate: sampleRate)
        return known.withLock { known in
            if let tables = known[key]?.tables { return tables }
            known = known.filter { $0.value.tables != nil }
            known[key] = Entry(tables: made)
            return made
        }
    }

    /// The spectrum reaches down to about 6 Hz at any sample rate: blocks last 0.13 to 0.26 s.
    private init(color: NoiseColor, sampleRate: Double) {
        var length = 256
        while Double(length) < sampleRate * 0.13 { length *= 2 }
        self.length = length
        let bits = length.trailingZeroBitCount
        var power = (0..<length).map { line in
            let frequency = Double(min(line, length - line)) * sampleRate / Double(length)
            return NoiseTables.power(of: color, at: frequency)
        }
        // The sum over all lines is the power of both channels together, each of which has that of a sine of amplitude 1.
        let total = power.reduce(0, +)
        for line in power.indices { power[line] = (power[line] / total).squareRoot() }
        // Each 64 lines are transposed.
        magnitudes = PieceMemory(
            (0..<length).map { Float(power[NoiseTables.reversed($0 & ~63 | ($0 & 7) << 3 | ($0 >> 3) & 7, bits: bits)]) })
        var twiddles: [Float] = []
        var span = 8
        if bits & 1 == 0 {
            twiddles += NoiseTables.turns(span, by: 1 / 16.0)
            span = 16
        }
        while span < length {
            for factor in [2.0, 1, 3] { twiddles += NoiseTables.turns(span, by: factor / Double(4 * span)) }
            span *= 4
        }
        self.twiddles = PieceMemory(twiddles)
        window = PieceMemory((0..<length).map { Float(PortableMath.sine(turns: (Double($0) + 0.5) / Double(2 * length))) })
    }

    /// Cosines and then sines of multiples of a part of a cycle.
    private static func turns(_ count: Int, by part: Double) -> [Float] {
        let turns = (0..<count).map { Double($0) * part }
        return turns.map { Float(PortableMath.sine(turns: 0.25 + $0)) } + turns.map { Float(PortableMath.sine(turns: $0)) }
    }

    var shape: NoiseShape {
        NoiseShape(length: length, magnitudes: magnitudes.base, twiddles: twiddles.base, window: window.base)
    }

    private static func power(of color: NoiseColor, at frequency: Double) -> Double {
        guard frequency > 0 else { return 0 }
        let audible = min(1, frequency * frequency / (floor * floor))
        return switch color {
        case .white: 1
        case .pink: audible / frequency
        case .brown: audible * audible / (frequency * frequency)
        case .blue: frequency
        case .violet: frequency * frequency
        }
    }

    private static func reversed(_ index: Int, bits: Int) -> Int {
        (0..<bits).reduce(0) { $0 << 1 | (index >> $1) & 1 }
    }
}
