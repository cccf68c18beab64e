/// The chapters of a WAV file: a cue point for each, and a label for each cue point (Multimedia Programming Interface and Data
/// Specifications 1.0, 1991).
enum CueChunks {
    /// Bytes. libsndfile 1.2 writes a broken file without reporting an error if the header is longer than some 50,000.
    private static let limit = 28_000

    /// The chunks `cue ` and `LIST`, without identifier and length. A cue point has 32 bits: chapters beyond are left out, and so are those
    /// for which there is no room.
    static func make(_ chapters: [FileDetails.Chapter]) -> (cue: [UInt8], labels: [UInt8]) {
        var points: [UInt8] = []
        var labels = Array("adtl".utf8)
        var last: (start: Int, title: [UInt8])?
        var count: UInt32 = 0
        for chapter in chapters where chapter.frame <= UInt32.max {
            let (number, frame) = (count + 1, UInt32(chapter.frame))
            var point: [UInt8] = bytes(number) + bytes(frame) + Array("data".utf8)
            point += bytes(0) + bytes(0) + bytes(frame)
            let title = Array(chapter.title.utf8)
            let label = label(number, title, zeros: 1)
            guard points.count + labels.count + point.count + label.count <= limit else { break }
            points += point
            last = (labels.count, title)
            labels += label
            count += 1
        }
        // libsndfile pads a chunk to a multiple of 4 bytes, within its length, and its reader mistakes those zeros for a chunk inside the
        // list, so they have to be part of a label.
        if let last, !labels.count.isMultiple(of: 4) { labels.replaceSubrange(last.start..., with: label(count, last.title, zeros: 3)) }
        return (bytes(count) + points, labels)
    }

    /// A label whose text ends in this many zeros. Chunks begin at even offsets.
    private static func label(_ number: UInt32, _ title: [UInt8], zeros: Int) -> [UInt8] {
        let text = bytes(number) + title + [UInt8](repeating: 0, count: zeros)
        return Array("labl".utf8) + bytes(UInt32(text.count)) + text + (text.count.isMultiple(of: 2) ? [] : [0])
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
}
