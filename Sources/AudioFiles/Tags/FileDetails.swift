/// The metadata of a sound file; empty texts are left out.
package struct FileDetails: Equatable, Sendable {
    package var title = ""
    package var artist = ""
    package var album = ""
    package var composer = ""
    package var genre = ""
    package var comment = ""
    /// The place in an album, both from 1; `nil` for a file on its own.
    package var track: Track?
    /// Formats without room for it leave it out.
    package var picture: FilePicture?
    /// Chapters in order.
    package var chapters: [Chapter] = []

    package struct Track: Equatable, Sendable {
        package var number: Int
        package var total: Int

        package init(number: Int, total: Int) {
            self.number = number
            self.total = total
        }
    }

    package struct Chapter: Equatable, Sendable {
        /// Frames from the start of the file.
        package var frame: Int64
        package var title: String

        package init(frame: Int64, title: String) {
            self.frame = frame
            self.title = title
        }
    }

    package init(title: String = "") { self.title = title }
}

extension FileDetails {
    /// Whether a text is not empty and not too long: the header of a file has little room.
    static func canWrite(_ text: String) -> Bool { (1...4096).contains(text.utf8.count) }

    /// The details as Vorbis comments, `KEY=value`, with chapters as players of Ogg and FLAC know them (wiki.xiph.org/Chapter_Extension).
    ///
    /// - Parameters:
    ///   - limit: Bytes that the comments may take with their lengths; a picture and chapters for which there is no room are left out.
    ///   - holdsPicture: Whether the picture is one of the comments.
    func comments(sampleRate: Int, limit: Int, holdsPicture: Bool) -> [[UInt8]] {
        let texts = [
            ("TITLE", title), ("ARTIST", artist), ("ALBUM", album), ("COMPOSER", composer), ("GENRE", genre), ("COMMENT", comment),
            ("TRACKNUMBER", track.map { "\($0.number)" } ?? ""), ("TRACKTOTAL", track.map { "\($0.total)" } ?? ""),
            ("SOFTWARE", "binaural"),
        ]
        var comments = texts.filter { FileDetails.canWrite($1) }.map { Array("\($0)=\($1)".utf8) }
        var size = comments.reduce(0) { $0 + 4 + $1.count }
        if holdsPicture, let comment = picture?.comment, size + 4 + comment.count <= limit {
            comments.append(comment)
            size += 4 + comment.count
        }
        for (index, chapter) in chapters.enumerated() {
            let key = "CHAPTER" + Self.digits(Int64(index + 1), 3)
            let pair = ["\(key)=\(Self.clock(chapter.frame, sampleRate))", "\(key)NAME=\(chapter.title)"].map { Array($0.utf8) }
            size += pair.reduce(0) { $0 + 4 + $1.count }
            guard size <= limit else { break }
            comments += pair
        }
        return comments
    }

    /// A position as `hh:mm:ss.mmm`.
    private static func clock(_ frame: Int64, _ sampleRate: Int) -> String {
        let milliseconds = (frame * 1000 + Int64(sampleRate) / 2) / Int64(sampleRate)
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return digits(seconds / 3600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":" + digits(seconds % 60, 2) + "." + digits(rest, 3)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
