// The thread that decodes.

/// A sound that begins some frames late, after silence.
final class DelayedSound: SoundReader {
    private let reader: any SoundReader
    private let delay: Int
    /// Enough for two layers that are read in turn.
    private var chunks = RecentChunks(capacity: 4)

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
            let before = number > 0 ? try chunks.chunk(number - 1, of: reader) : [Float](repeating: 0, count: 2 * length)
            let now = try chunks.chunk(number, of: reader)
            for index in 0..<min(length, count - done) {
                let place = index - delay
                left[done + index] = place < 0 ? before[length + place] : now[place]
                right[done + index] = place < 0 ? before[2 * length + place] : now[length + place]
            }
        }
    }
}
