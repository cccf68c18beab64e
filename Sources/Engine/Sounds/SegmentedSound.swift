// The thread that decodes, one at a time.

/// A sound that is played in segments: it never ends, and its samples are the same whatever was read before.
final class SegmentedSound: SoundReader {
    private let sound: any SoundReader
    private let schedule: SegmentSchedule
    private var chunks: RecentChunks

    init(_ sound: any SoundReader, _ schedule: SegmentSchedule) {
        self.sound = sound
        self.schedule = schedule
        // Those of a segment that continues in the next chunk are still there.
        chunks = RecentChunks(capacity: min(2 * schedule.segmentsInFrames(SoundStream.chunkLength), Self.mostChunks))
    }

    private static let mostChunks = 64

    var frameCount: Int64 { .max }

    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFailure) {
        for index in 0..<count { (left[index], right[index]) = (0, 0) }
        let end = frame + Int64(count)
        for segment in schedule.segments(in: frame..<end) {
            var at = max(frame, segment.start)
            while at < min(end, segment.end) {
                let source = segment.source + at - segment.start
                let (number, offset) = source.quotientAndRemainder(dividingBy: Int64(SoundStream.chunkLength))
                let length = Int(min(min(end, segment.end) - at, Int64(SoundStream.chunkLength) - offset))
                let (first, second) = segment.exchangesEars ? (right, left) : (left, right)
                Self.add(
                    try chunks.chunk(number, of: sound), from: Int(offset), count: length, segment, at: at - segment.start,
                    first + Int(at - frame),
                    second + Int(at - frame))
                at += Int64(length)
            }
        }
        // A file may hold numbers so large that their sum is infinite.
        for index in 0..<count {
            if !left[index].isFinite { left[index] = 0 }
            if !right[index].isFinite { right[index] = 0 }
        }
    }

    /// Adds frames of a chunk, from the frame `at` of a segment on.
    private static func add(
        _ chunk: [Float], from offset: Int, count: Int, _ segment: SegmentSchedule.Segment, at: Int64, _ first: UnsafeMutablePointer<Float>,
        _ second: UnsafeMutablePointer<Float>
    ) {
        let half = SoundStream.chunkLength
        for index in 0..<count {
            let gain = segment.gain(at: at + Int64(index))
            first[index] += gain * chunk[offset + index]
            second[index] += gain * chunk[half + offset + index]
        }
    }
}
