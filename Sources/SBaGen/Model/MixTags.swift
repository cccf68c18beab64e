import Patches

/// The comments of a FLAC or Ogg file that SBaGen heeds when it is the file of `-m`.
package struct MixTags: Equatable, Sendable {
    /// `REPLAYGAIN_TRACK_GAIN` in dB; `nil` without one.
    package private(set) var trackGain: Double?
    /// `SBAGEN_LOOPER`, which says how the file is played in segments; `nil` without one.
    private var looper: String?

    /// Bytes from the start of a file in which the comments are looked for.
    package static let reach = 256 * 1024

    /// The gain at which SBaGen plays the file, in dB: 3 dB less than the tag, within ±24 dB.
    package var gain: Double { trackGain.map { min(max($0 - 3, -24), 24) } ?? 0 }

    /// - Parameter bytes: The file, or its first ``reach`` bytes. Files of other formats, and damaged ones, have no tags.
    package init(_ bytes: [UInt8]) {
        for comment in Self.comments(bytes) {
            let parts = comment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            switch parts[0].uppercased() {
            case "REPLAYGAIN_TRACK_GAIN":
                let number = parts[1].prefix { "+-.0123456789".contains($0) }
                if let value = NumberText.parse(String(number.drop { $0 == "+" })), value.isFinite { trackGain = value }
            case "SBAGEN_LOOPER": looper = String(parts[1])
            default: break
            }
        }
    }

    /// Whether it has an `SBAGEN_LOOPER`, valid or not.
    var hasLooper: Bool { looper != nil }

    /// The segments that SBaGen plays the file in; `nil` if it plays it from its beginning to its end.
    ///
    /// - Parameter section: The K of `FILE#K`; 0 for FILE alone.
    func segments(ofSection section: Int) -> SoundSegments? { looper.flatMap { SoundSegments(looper: $0, section: section) } }

    // MARK: Comments

    private static func comments(_ bytes: [UInt8]) -> [Substring] {
        if bytes.starts(with: Array("fLaC".utf8)) { return list(flacBlock(bytes)) }
        guard bytes.starts(with: Array("OggS".utf8)) else { return [] }
        let packet = secondPacket(bytes)
        for mark in ["\u{3}vorbis", "OpusTags"] where packet.starts(with: Array(mark.utf8)) {
            return list(packet.dropFirst(mark.utf8.count))
        }
        return []
    }

    /// The block of comments in the header of FLAC: type 4, lengths in three bytes, the highest first.
    private static func flacBlock(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var start = 4
        while start + 4 <= bytes.count {
            let size = Int(bytes[start + 1]) << 16 | Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
            let end = min(start + 4 + size, bytes.count)
            if bytes[start] & 0x7F == 4 { return bytes[start + 4..<end] }
            if bytes[start] & 0x80 != 0 { break }
            start = end
        }
        return []
    }

    /// The second packet of Ogg, which has the comments: its segments of 255 bytes end with a shorter one, on as many pages as they need.
    private static func secondPacket(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var packet: [UInt8] = []
        var (start, index) = (0, 0)
        while start + 27 <= bytes.count, bytes[start..<start + 4].elementsEqual("OggS".utf8) {
            let count = Int(bytes[start + 26])
            var place = start + 27 + count
            guard place <= bytes.count else { break }
            for size in bytes[start + 27..<start + 27 + count] {
                let end = min(place + Int(size), bytes.count)
                if index == 1 { packet += bytes[min(place, end)..<end] }
                place = end
                if size < 255 { index += 1 }
                if index > 1 { return packet[...] }
            }
            start = place
        }
        return packet[...]
    }

    /// The comments behind the vendor's name; each has its length in front, the lowest byte first.
    private static func list(_ bytes: ArraySlice<UInt8>) -> [Substring] {
        var rest = bytes
        func number() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard let vendor = number(), vendor <= rest.count else { return [] }
        rest = rest.dropFirst(vendor)
        guard let count = number() else { return [] }
        var comments: [Substring] = []
        while comments.count < count, let size = number(), size <= rest.count {
            comments.append(Substring(String(decoding: rest.prefix(size), as: UTF8.self)))
            rest = rest.dropFirst(size)
        }
        return comments
    }
}
