/// The chapters of a WAV file: a cue point for each, and a label for each cue point (Multimedia Programming Interface and Data
/// Specifications 1.0, 1991).
enum CueChunks {
    /// Bytes. libsndfile 1.2 writes a broken file where the head is longer than some 50,000, without a word.
    private static let limit = 28_000

    /// The chunks `cue ` and `LIST`, without identifier and length. A cue point is told in 32 bits: chapters beyond are left out, and those
    /// for which there is no room.
    static func make(_ chapters: [FileDetails.Chapter]) -> (cue: [UInt8], labels: [UInt8]) {
        var points: [UInt8] = []
        var labels = Array("adtl".utf8)
        var count: UInt32 = 0
        for chapter in chapters where chapter.frame <= UInt32.max {
            let (number, frame) = (count + 1, UInt32(chapter.frame))
            var point: [UInt8] = bytes(number) + bytes(frame) + Array("data".utf8)
            point += bytes(0) + bytes(0) + bytes(frame)
            let text: [UInt8] = Array(chapter.title.utf8) + [0]
            var label: [UInt8] = Array("labl".utf8) + bytes(UInt32(4 + text.count))
            label += bytes(number) + text
            if !text.count.isMultiple(of: 2) { label.append(0) }
            guard points.count + labels.count + point.count + label.count <= limit else { break }
            points += point
            labels += label
            count += 1
        }
        return (bytes(count) + points, labels)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
}
