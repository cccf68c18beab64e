import Engine

/// A recording whose samples are numbered: n · 2⁻²⁴ in the left ear, and its negative in the right one.
final class NumberedSound: SoundReader {
    let frameCount: Int64

    init(frames: Int64) { frameCount = frames }

    /// Up to 16.7 million of them, exactly.
    static func sample(_ frame: Int64) -> Float { Float(frame) * 0x1p-24 }

    func read(from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) {
        for index in 0..<count {
            left[index] = Self.sample((frame + Int64(index)) % frameCount)
            right[index] = -left[index]
        }
    }
}
