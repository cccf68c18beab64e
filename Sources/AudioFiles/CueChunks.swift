/// The chapters of a WAV file: a cue point for each, and a label for each cue point (Multimedia Programming Interface and Data
/// Specifications 1.0, 1991).
enum CueChunks {
    /// The chunks `cue ` and `LIST`, without identifier and length. A cue point is told in 32 bits: chapters beyond are left out.
    static func make(_ chapters: [FileDetails.Chapter]) -> (cue: [UInt8], labels: [UInt8]) {
        let told = chapters.filter { $0.frame <= UInt32.max }
        var cue = bytes(UInt32(told.count))
        var labels = Array("adtl".utf8)
        for (index, chapter) in told.enumerated() {
            let (number, frame) = (UInt32(index + 1), UInt32(chapter.frame))
            cue += bytes(number) + bytes(frame) + Array("data".utf8) + bytes(0) + bytes(0) + bytes(frame)
            let text = Array(chapter.title.utf8) + [0]
            labels += Array("labl".utf8) + bytes(UInt32(4 + text.count)) + bytes(number) + text
            if !text.count.isMultiple(of: 2) { labels.append(0) }
        }
        return (cue, labels)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
}
