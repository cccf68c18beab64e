/// The metadata of a sound file; empty texts are left out.
package struct FileDetails: Equatable, Sendable {
    package var title = ""
    package var artist = ""
    package var album = ""
    package var composer = ""
    package var genre = ""
    package var comment = ""
    /// Chapters in order.
    package var chapters: [Chapter] = []

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
    /// Whether a text is not empty and not too long: the head of a file has little room.
    static func canTell(_ text: String) -> Bool { (1...4096).contains(text.utf8.count) }

    /// The details as Vorbis comments, `KEY=value`, with chapters as players of Ogg and FLAC know them (wiki.xiph.org/Chapter_Extension).
    ///
    /// - Parameter limit: Bytes that the comments may take with their lengths; chapters for which there is no room are left out.
    func comments(sampleRate: Int, limit: Int) -> [[UInt8]] {
        let texts = [
            ("TITLE", title), ("ARTIST", artist), ("ALBUM", album), ("COMPOSER", composer), ("GENRE", genre), ("COMMENT", comment),
            ("SOFTWARE", "binaural"),
        ]
        var comments = texts.filter { FileDetails.canTell($1) }.map { Array("\($0)=\($1)".utf8) }
        var size = comments.reduce(0) { $0 + 4 + $1.count }
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
