import AudioFiles
import OperatingSystem

/// A Standard MIDI File (RP-001, format 0) with the chapters of an item as markers and its bookmarks as cue points, for DAWs.
package struct MarkerFile {
    private let events: [(tick: Int, event: [UInt8])]

    /// Quarter notes a minute. It is in the file, since the times are in ticks.
    private static let tempo = 120
    /// Ticks of a quarter note.
    private static let division = 960
    /// The most bytes of a text.
    private static let longestText = 1000

    /// - Parameters:
    ///   - title: The name of the track.
    ///   - chapters: With seconds from the start.
    ///   - bookmarks: Seconds from the start.
    init(title: String, chapters: [(seconds: Double, title: String)], bookmarks: [Double]) {
        let perSecond = Double(Self.division * Self.tempo) / 60
        let microseconds = 60_000_000 / Self.tempo
        let tempo = [UInt8(microseconds >> 16 & 0xFF), UInt8(microseconds >> 8 & 0xFF), UInt8(microseconds & 0xFF)]
        let markers = chapters.map { ($0.seconds, Self.meta(0x06, Self.bytes($0.title))) }
        let cues = bookmarks.enumerated().map { ($1, Self.meta(0x07, Self.bytes("Bookmark \($0 + 1)"))) }
        events =
            [(0, Self.meta(0x03, Self.bytes(title))), (0, Self.meta(0x51, tempo))]
            + (markers + cues).sorted { $0.0 < $1.0 }.map { (Int(($0 * perSecond).rounded()), $1) }
        markerCount = markers.count + cues.count
    }

    /// Markers and cue points.
    package let markerCount: Int

    /// The contents of the file.
    package var bytes: [UInt8] {
        var (track, last) = ([UInt8](), 0)
        for (tick, event) in events {
            track += Self.variable(tick - last) + event
            last = tick
        }
        track += Self.variable(0) + Self.meta(0x2F, [])
        return Array("MThd".utf8) + Self.big(6, 4) + Self.big(0, 2) + Self.big(1, 2) + Self.big(Self.division, 2)
            + Array("MTrk".utf8) + Self.big(track.count, 4) + track
    }

    /// Writes the file, in place of another one that is there.
    package func write(to path: String) throws(AudioFileError) {
        do throws(FileError) { try RegularFile.replaceTarget(of: path, with: bytes) } catch {
            throw .cannotCreate(path: path, reason: error.reason)
        }
    }

    private static func meta(_ kind: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, kind] + variable(data.count) + data }

    private static func bytes(_ text: String) -> [UInt8] {
        var text = text
        while text.utf8.count > longestText { text.removeLast() }
        return Array(text.utf8)
    }

    /// A number in groups of seven bits, of which all but the last are marked by the eighth; at most 2^28 - 1.
    private static func variable(_ number: Int) -> [UInt8] {
        var rest = min(max(number, 0), 1 << 28 - 1)
        var groups = [UInt8(rest & 0x7F)]
        while rest > 0x7F {
            rest >>= 7
            groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        }
        return groups
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }
}
