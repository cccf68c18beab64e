import Patches
import Synthesis

/// The tables of one colour of noise at one sample rate.
final class NoiseTables: Sendable {
    private let magnitudes: PieceMemory<Float>
    private let transform: TransformTables

    /// Corner frequency in Hz. Power is proportional to 1/f for pink, 1/f^2 for brown, f for blue and f^2 for violet noise. Below the
    /// corner, pink and brown fall off, so that no level is wasted on inaudible frequencies and no DC offset is left.
    static let floor = 20.0

    private struct Key: Hashable {
        let color: NoiseColor
        let sampleRate: Double
    }

    private static let known = SharedTables<Key, NoiseTables>()

    /// The tables of a colour, shared by all plans that use them: making them takes longer than everything else in most patches.
    static func tables(of color: NoiseColor, sampleRate: Double) -> NoiseTables {
        known.tables(Key(color: color, sampleRate: sampleRate)) { NoiseTables(color: color, sampleRate: sampleRate) }
    }

    /// The spectrum reaches down to about 6 Hz at any sample rate: blocks last 0.13 to 0.26 s.
    private init(color: NoiseColor, sampleRate: Double) {
        var length = 256
        while Double(length) < sampleRate * 0.13 { length *= 2 }
        transform = .tables(length: length)
        let half = length / 2
        let power = (0...half).map { NoiseTables.power(of: color, at: Double($0) * sampleRate / Double(length)) }
        // The sum over all lines is the power of both channels together, each of which has that of a sine of amplitude 1. The lines of the upper
        // half mirror those of the lower one.
        var total = power.reduce(0, +)
        for line in (1..<half).reversed() { total += power[line] }
        let lines = power.map { Float(($0 / total).squareRoot()) }
        let reversed = NoiseTables.reversed(length)
        // Each 64 lines are transposed.
        magnitudes = PieceMemory(
            (0..<length).map { index in
                let line = reversed[index & ~63 | (index & 7) << 3 | (index >> 3) & 7]
                return lines[min(line, length - line)]
            })
    }

    var shape: NoiseShape {
        NoiseShape(
            length: transform.length, magnitudes: magnitudes.base, twiddles: transform.twiddles.base, window: transform.window.base)
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

    /// The numbers below a power of two with the order of their bits reversed.
    private static func reversed(_ count: Int) -> [Int] {
        var numbers = [Int](repeating: 0, count: count)
        for index in 1..<count { numbers[index] = numbers[index / 2] / 2 + index % 2 * (count / 2) }
        return numbers
    }
}
