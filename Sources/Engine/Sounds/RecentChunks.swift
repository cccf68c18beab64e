// The thread that decodes.

/// The chunks of a sound that were needed last.
struct RecentChunks {
    private let capacity: Int
    /// The one that was needed last is the last one.
    private var chunks: [(number: Int64, samples: [Float])] = []

    /// - Parameter capacity: How many are kept; each takes 64 KB.
    init(capacity: Int) { self.capacity = capacity }

    /// A chunk, the left channel before the right one. It is read if it is not among those that are kept.
    mutating func chunk(_ number: Int64, of reader: any SoundReader) throws(SoundFailure) -> [Float] {
        if let place = chunks.firstIndex(where: { $0.number == number }) {
            chunks.append(chunks.remove(at: place))
        } else {
            let samples = try Self.read(number, of: reader)
            if chunks.count == capacity { chunks.removeFirst() }
            chunks.append((number, samples))
        }
        return chunks[chunks.count - 1].samples
    }

    private static func read(_ number: Int64, of reader: any SoundReader) throws(SoundFailure) -> [Float] {
        let length = SoundStream.chunkLength
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * length)
        defer { memory.deallocate() }
        try reader.read(from: number * Int64(length), left: memory, right: memory + length, count: length)
        return Array(UnsafeBufferPointer(start: memory, count: 2 * length))
    }
}
