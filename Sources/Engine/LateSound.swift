// The thread that decodes.

/// A sound that begins some frames late, after silence.
final class LateSound: SoundReader {
    private let reader: any SoundReader
    private let delay: Int
    /// The chunks of the sound read last, by number: the left channel, then the right one.
    private var chunks: [Int64: [Float]] = [:]

    /// - Parameter delay: In frames, at most ``SoundStream/chunkLength``.
    init(_ reader: any SoundReader, by delay: Int) {
        precondition(delay <= SoundStream.chunkLength, "A sound is late by a chunk at most.")
        self.reader = reader
        self.delay = delay
    }

    var frameCount: Int64 { reader.frameCount }

    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFailure) {
        let length = SoundStream.chunkLength
        for done in stride(from: 0, to: count, by: length) {
            let number = frame / Int64(length) + Int64(done / length)
            let before = number > 0 ? try chunk(number - 1) : [Float](repeating: 0, count: 2 * length)
            let now = try chunk(number)
            for index in 0..<min(length, count - done) {
                let place = index - delay
                left[done + index] = place < 0 ? before[length + place] : now[place]
                right[done + index] = place < 0 ? before[2 * length + place] : now[length + place]
            }
            chunks = chunks.filter { $0.key >= number }
        }
    }

    private func chunk(_ number: Int64) throws(SoundFailure) -> [Float] {
        if let known = chunks[number] { return known }
        let both = try reader.bothChannels(ofChunk: number)
        chunks[number] = both
        return both
    }
}
