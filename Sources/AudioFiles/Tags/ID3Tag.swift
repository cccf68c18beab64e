/// Puts an ID3v2.3 tag (id3.org/id3v2.3.0; chapters: id3v2-chapters-1.0) in place of the one that libsndfile has written through LAME, which
/// has no text but Latin-1, no chapters and no picture.
///
/// libsndfile writes one comment of as many bytes as our tag will take, which replaces it afterwards, so that nothing moves.
struct ID3Tag {
    private let details: FileDetails
    private let sampleRate: Int

    init(_ details: FileDetails, sampleRate: Int) { (self.details, self.sampleRate) = (details, sampleRate) }

    /// The value of the comment that libsndfile is to write. LAME adds at least the names of its own frames to it, and writes none for a comment
    /// that fits into the 30 bytes of an ID3v1 tag.
    var placeholder: String { String(repeating: "x", count: max(content(frameCount: 0).count, 31)) }

    /// Bytes from the start of the file that contain the tag.
    var reach: Int { content(frameCount: 0).count + 4096 }

    /// Bytes of the ID3v1 tag at the end of the file.
    static let oldTagSize = 128

    /// Whether the end of a file is an ID3v1 tag.
    static func isOldTag(_ end: [UInt8]) -> Bool { end.count == oldTagSize && end.starts(with: Array("TAG".utf8)) }

    /// Changes the header of a file. Returns false if it is not as expected.
    func replace(in header: inout [UInt8], frameCount: Int64) -> Bool {
        guard header.count > 10, header.starts(with: Array("ID3".utf8)), header[6..<10].allSatisfy({ $0 < 0x80 }) else { return false }
        let size = header[6..<10].reduce(0) { $0 << 7 | Int($1) }
        let content = content(frameCount: frameCount)
        guard content.count <= size, header.count >= 10 + size else { return false }
        // Version 3.0 without flags; the rest is padding.
        header.replaceSubrange(3..<6, with: [3, 0, 0])
        header.replaceSubrange(10..<10 + size, with: content + [UInt8](repeating: 0, count: size - content.count))
        return true
    }

    // MARK: Frames

    /// Chapters that a table of contents can list.
    private static let mostChapters = 255

    private func content(frameCount: Int64) -> [UInt8] {
        let track = details.track.map { "\($0.number)/\($0.total)" } ?? ""
        var bytes: [UInt8] = []
        for (name, text) in [
            ("TIT2", details.title), ("TPE1", details.artist), ("TALB", details.album), ("TCOM", details.composer), ("TCON", details.genre),
            ("TRCK", track), ("TSSE", "binaural"),
        ] where FileDetails.canWrite(text) { bytes += Self.text(name, text) }
        if FileDetails.canWrite(details.comment) {
            let text = Text(details.comment)
            // A language, and an empty description.
            bytes += Self.frame("COMM", [text.encoding] + Array("und".utf8) + text.emptyDescription + text.bytes)
        }
        if let picture = details.picture {
            bytes += Self.frame("APIC", [0] + Array(picture.kind.rawValue.utf8) + [0, 3, 0] + picture.data)
        }
        return bytes + chapters(frameCount: frameCount)
    }

    private func chapters(frameCount: Int64) -> [UInt8] {
        let chapters = details.chapters.prefix(Self.mostChapters).map { ($0, milliseconds($0.frame)) }
        guard !chapters.isEmpty else { return [] }
        let names = chapters.indices.map { Array("c\($0 + 1)".utf8) + [0] }
        // The top of the contents, in order.
        var bytes = Self.frame("CTOC", Array("toc".utf8) + [0, 3, UInt8(chapters.count)] + names.joined())
        for (index, (chapter, start)) in chapters.enumerated() {
            let end = index + 1 < chapters.count ? chapters[index + 1].1 : max(start, milliseconds(frameCount))
            // Times count, not places in the file.
            let times = Self.number(start) + Self.number(end) + [UInt8](repeating: 0xFF, count: 8)
            bytes += Self.frame("CHAP", names[index] + times + Self.text("TIT2", chapter.title))
        }
        return bytes
    }

    private func milliseconds(_ frame: Int64) -> UInt32 { UInt32(clamping: frame * 1000 / Int64(sampleRate)) }

    /// Text as version 2.3 encodes it: ASCII, or UTF-16 with a byte order mark.
    private struct Text {
        let encoding: UInt8
        let bytes: [UInt8]
        let emptyDescription: [UInt8]

        init(_ text: String) {
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                (encoding, bytes, emptyDescription) = (0, Array(text.utf8), [0])
            } else {
                let units = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
                (encoding, bytes, emptyDescription) = (1, [0xFF, 0xFE] + units, [0xFF, 0xFE, 0, 0])
            }
        }
    }

    private static func text(_ name: String, _ text: String) -> [UInt8] {
        let text = Text(text)
        return frame(name, [text.encoding] + text.bytes)
    }

    /// A frame. Its size is a plain number in version 2.3; that of 2.4, which leaves out bits, is read wrongly inside chapters by FFmpeg.
    private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + number(UInt32(clamping: content.count)) + [0, 0] + content
    }

    private static func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
}
