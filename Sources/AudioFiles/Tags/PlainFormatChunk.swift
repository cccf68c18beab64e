/// The plain format chunk of a WAV file: 16 bytes, with the tag of PCM.
///
/// libsndfile gives a file that may become RF64 the extended chunk of 40 bytes, which is meant for more than two channels or 16 bits, and
/// which some programs do not read. The rest of its place becomes a chunk that every program skips.
enum PlainFormatChunk {
    /// Bytes from the start of the file that contain the chunk.
    static let reach = 4096

    /// Replaces the chunk. A file of RF64, or without an extended chunk, is left as it is.
    static func replace(in header: inout [UInt8]) {
        guard header.starts(with: Array("RIFF".utf8)) else { return }
        var start = 12
        while start + 8 <= header.count {
            let size = (0..<4).reduce(0) { $0 | Int(header[start + 4 + $1]) << (8 * $1) }
            if header[start..<start + 4].elementsEqual("fmt ".utf8) {
                // 0xFFFE is the extended format's tag.
                guard size == 40, start + 48 <= header.count, header[start + 8] == 0xFE, header[start + 9] == 0xFF else { return }
                header.replaceSubrange(start + 4..<start + 10, with: [16, 0, 0, 0, 1, 0])
                header.replaceSubrange(
                    start + 24..<start + 48, with: Array("JUNK".utf8) + [16, 0, 0, 0] + [UInt8](repeating: 0, count: 16))
                return
            }
            start += 8 + size + size % 2
        }
    }
}
