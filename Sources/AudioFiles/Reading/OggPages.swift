import Glibc

/// The pages of an Ogg file. RFC 3533
enum OggPages {
    /// The most frames that a page of Vorbis can hold: those of 255 packets, each half of the largest block.
    static let mostFrames: Int64 = 255 * 4096
    private static let headerSize = 27
    private static let largestPage = headerSize + 255 + 255 * 255

    /// Frames that the last page of a Vorbis stream adds; `mostFrames` if the file does not show it. The offset of the file stays the same.
    static func lastPageFrames(of file: Int32) -> Int64 {
        var status = stat()
        var first = [UInt8](repeating: 0, count: headerSize)
        guard fstat(file, &status) == 0, pread(file, &first, first.count, 0) == first.count else { return mostFrames }
        var end = [UInt8](repeating: 0, count: 2 * largestPage)
        let count = pread(file, &end, end.count, max(0, status.st_size - end.count))
        var last: Int64?
        for start in stride(from: count - headerSize, through: 0, by: -1) where end[start] == UInt8(ascii: "O") {
            // A page of the same stream, by its serial number.
            guard end[start..<start + 4].elementsEqual("OggS".utf8), end[start + 14..<start + 18] == first[14..<18] else { continue }
            let position = end[start + 6..<start + 14].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
            // On this page no packet ends.
            if position == -1 { continue }
            guard let last else {
                last = position
                continue
            }
            let frames = last &- position
            return (0...mostFrames).contains(frames) ? frames : mostFrames
        }
        return mostFrames
    }
}
