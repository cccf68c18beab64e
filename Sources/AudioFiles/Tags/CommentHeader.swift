/// Puts Vorbis comments and a picture into the header of a file that libsndfile has written, since libsndfile does not support chapters and
/// pictures.
///
/// libsndfile writes one comment of as many bytes as all of ours will take. They replace it afterwards, so that nothing moves.
struct CommentHeader {
    private let comments: [[UInt8]]
    /// A FLAC PICTURE block with its header, which follows the comments; empty without a picture.
    private let pictureBlock: [UInt8]

    /// - Parameters:
    ///   - comments: `KEY=value`; more than twelve bytes in all.
    ///   - picture: The picture of a FLAC file; in others it is one of the comments.
    init(_ comments: [[UInt8]], picture: FilePicture?) {
        self.comments = comments
        pictureBlock = picture.map { [6] + Self.length($0.block.count) + $0.block } ?? []
    }

    /// The length of a block in the FLAC format, in three bytes.
    private static func length(_ count: Int) -> [UInt8] { [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] }

    private static let key = Array("COMMENT=".utf8)
    private static let filler = UInt8(ascii: "x")

    /// The value of the comment that libsndfile is to write.
    var placeholder: String { String(repeating: "x", count: size - 4 - Self.key.count) }

    /// Bytes of all comments with their lengths, and of the picture's block.
    private var size: Int { comments.reduce(pictureBlock.count) { $0 + 4 + $1.count } }

    /// Bytes from the start of the file that contain the comments and the pages they are on.
    var reach: Int { size + 256 * 1024 }

    /// Changes the header of a file. Returns false if it is not as expected.
    func replace(in header: inout [UInt8], _ format: FileFormat) -> Bool {
        switch format {
        case .wav, .mp3: return false
        case .flac:
            guard let block = Self.flacComments(header), let new = replaced(Array(header[block])) else { return false }
            header.replaceSubrange(block, with: new + pictureBlock)
            guard !pictureBlock.isEmpty else { return true }
            // The comments' block is shorter now, and the picture's follows. The highest bit marks the last block.
            let start = block.lowerBound - 4
            header[start + 4 + new.count] |= header[start] & 0x80
            header.replaceSubrange(start..<start + 4, with: [header[start] & 0x7F] + Self.length(new.count))
            return true
        case .ogg, .opus:
            let pages = OggPage.pages(of: header)
            guard let segments = OggPage.packet(1, of: pages) else { return false }
            let prefix = format == .ogg ? 7 : 8
            let packet = segments.flatMap { header[$0] }
            guard packet.count > prefix, let new = replaced(Array(packet[prefix...])) else { return false }
            var rest = packet[..<prefix] + new
            for segment in segments {
                header.replaceSubrange(segment, with: rest.prefix(segment.count))
                rest = rest.dropFirst(segment.count)
            }
            for page in pages where page.bytes.upperBound <= header.count { page.seal(&header) }
            return true
        }
    }

    /// The range of the comment block (VORBIS_COMMENT, type 4, in the FLAC format); `nil` if it is missing.
    private static func flacComments(_ header: [UInt8]) -> Range<Int>? {
        guard header.starts(with: Array("fLaC".utf8)) else { return nil }
        var position = 4
        while position + 4 <= header.count {
            let length = Int(header[position + 1]) << 16 | Int(header[position + 2]) << 8 | Int(header[position + 3])
            let block = position + 4..<position + 4 + length
            guard block.upperBound <= header.count else { return nil }
            if header[position] & 0x7F == 4 { return block }
            guard header[position] & 0x80 == 0 else { return nil }
            position = block.upperBound
        }
        return nil
    }

    /// A list of comments, which follows the vendor name, with ours in place of the placeholder; `nil` if that is not found.
    private func replaced(_ list: [UInt8]) -> [UInt8]? {
        var position = 0
        func number() -> Int? {
            guard position + 4 <= list.count else { return nil }
            defer { position += 4 }
            return (0..<4).reduce(0) { $0 | Int(list[position + $1]) << (8 * $1) }
        }
        guard let vendor = number(), position + vendor + 4 <= list.count else { return nil }
        position += vendor
        let countAt = position
        guard let count = number() else { return nil }
        for _ in 0..<count {
            let start = position
            guard let length = number(), position + length <= list.count else { return nil }
            let text = list[position..<position + length]
            position += length
            // libFLAC writes the key in lower case.
            guard 4 + length == size, text.prefix(Self.key.count).elementsEqual(Self.key, by: { $0 & 0xDF == $1 & 0xDF }),
                text.dropFirst(Self.key.count).allSatisfy({ $0 == Self.filler })
            else { continue }
            var new = list
            new.replaceSubrange(start..<position, with: comments.flatMap { Self.bytes(UInt32($0.count)) + $0 })
            new.replaceSubrange(countAt..<countAt + 4, with: Self.bytes(UInt32(count - 1 + comments.count)))
            return new
        }
        return nil
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
}

/// A page of an Ogg file (RFC 3533).
private struct OggPage {
    /// The bytes of the page in the file.
    let bytes: Range<Int>
    /// Its contents, cut where a packet ends; the last one may continue on the next page.
    let segments: [(range: Range<Int>, isEnd: Bool)]

    /// The pages that are complete.
    static func pages(of header: [UInt8]) -> [OggPage] {
        var pages: [OggPage] = []
        var position = 0
        while position + 27 <= header.count, header[position..<position + 4].elementsEqual("OggS".utf8) {
            let count = Int(header[position + 26])
            var start = position + 27 + count
            guard start <= header.count else { break }
            var segments: [(range: Range<Int>, isEnd: Bool)] = []
            var end = start
            for lacing in header[position + 27..<position + 27 + count] {
                end += Int(lacing)
                if lacing < 255 {
                    segments.append((start..<end, true))
                    start = end
                }
            }
            if start < end { segments.append((start..<end, false)) }
            guard end <= header.count else { break }
            pages.append(OggPage(bytes: position..<end, segments: segments))
            position = end
        }
        return pages
    }

    /// The ranges of a packet, counted from 0; `nil` if it is not complete.
    static func packet(_ wanted: Int, of pages: [OggPage]) -> [Range<Int>]? {
        var number = 0
        var ranges: [Range<Int>] = []
        for segment in pages.flatMap(\.segments) {
            if number == wanted { ranges.append(segment.range) }
            guard segment.isEnd else { continue }
            if number == wanted { return ranges }
            number += 1
        }
        return nil
    }

    /// Writes the checksum: CRC-32 with polynomial 04C11DB7, from 0, not reflected, over the page with 0 in its place.
    func seal(_ header: inout [UInt8]) {
        let place = bytes.lowerBound + 22..<bytes.lowerBound + 26
        header.replaceSubrange(place, with: [0, 0, 0, 0])
        var sum: UInt32 = 0
        for byte in header[bytes] {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
        }
        header.replaceSubrange(place, with: withUnsafeBytes(of: sum.littleEndian, Array.init))
    }
}
