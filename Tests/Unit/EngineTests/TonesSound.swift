import Engine
import Foundation

/// A sum of tones, the same in both ears.
final class TonesSound: SoundReader {
    let frameCount: Int64 = 1 << 40
    static let frequencies = [20.0, 26, 101, 440, 5000, 16_000]
    static let amplitude = 0.15

    static func sample(_ frame: Int64) -> Float {
        Float(
            frequencies.enumerated().reduce(0) { $0 + amplitude * sin(2 * .pi * $1.element * Double(frame) / 48_000 + Double($1.offset)) })
    }

    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFailure) {
        for index in 0..<count {
            left[index] = Self.sample(frame + Int64(index))
            right[index] = left[index]
        }
    }
}

/// The amplitude of a tone in samples at 48 kHz, under a window with side lobes below -140 dB.
func level(_ samples: [Double], _ frequency: Double) -> Double {
    let weights = [
        0.27105140069342, -0.43329793923448, 0.21812299954311, -0.06592544638803, 0.01081174209837, -0.00077658482522, 0.00001388721735,
    ]
    var (real, imaginary, sum) = (0.0, 0.0, 0.0)
    for (index, sample) in samples.enumerated() {
        let place = 2 * .pi * Double(index) / Double(samples.count)
        let window = weights.indices.reduce(0) { $0 + weights[$1] * cos(Double($1) * place) }
        let phase = 2 * .pi * frequency * Double(index) / 48_000
        real += sample * window * cos(phase)
        imaginary += sample * window * sin(phase)
        sum += window
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / sum
}
