import Foundation

/// A picture in a sound file: the front cover.
package struct FilePicture: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case png = "image/png"
        case jpeg = "image/jpeg"
    }

    package let kind: Kind
    /// Size in pixels; 0 if it cannot be read.
    package let width: Int
    package let height: Int
    package let data: [UInt8]

    /// A picture from the bytes of a file; `nil` if they are neither PNG nor JPEG.
    package init?(_ data: [UInt8]) {
        if data.count > 24, data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            (kind, width, height) = (.png, Self.number(data[16..<20]), Self.number(data[20..<24]))
        } else if data.starts(with: [0xFF, 0xD8, 0xFF]) {
            kind = .jpeg
            (width, height) = Self.sizeOfJPEG(data) ?? (0, 0)
        } else {
            return nil
        }
        self.data = data
    }

    /// The size in a JPEG picture's first frame header (ITU-T T.81, B.2.2).
    private static func sizeOfJPEG(_ data: [UInt8]) -> (Int, Int)? {
        var position = 2
        while position + 9 <= data.count, data[position] == 0xFF {
            let (marker, length) = (data[position + 1], number(data[position + 2..<position + 4]))
            if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker) {
                return (number(data[position + 7..<position + 9]), number(data[position + 5..<position + 7]))
            }
            position += 2 + length
        }
        return nil
    }

    /// The content of a PICTURE block (RFC 9639, section 8.8).
    var block: [UInt8] {
        let frontCover = 3
        let type = Array(kind.rawValue.utf8)
        // An empty description; 24 bits a pixel; no palette.
        return Self.bytes(frontCover) + Self.bytes(type.count) + type + Self.bytes(0) + Self.bytes(width) + Self.bytes(height)
            + Self.bytes(24) + Self.bytes(0) + Self.bytes(data.count) + data
    }

    /// The picture as a Vorbis comment (wiki.xiph.org/VorbisComment, METADATA_BLOCK_PICTURE).
    var comment: [UInt8] { Array("METADATA_BLOCK_PICTURE=\(Data(block).base64EncodedString())".utf8) }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func bytes(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init) }
}
