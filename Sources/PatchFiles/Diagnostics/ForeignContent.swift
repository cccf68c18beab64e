/// The contents of a file that is not text: a sound file, a picture and so on, recognised by its first bytes.
package enum ForeignContent: Equatable, Sendable {
    /// The name of the format, such as "FLAC".
    case sound(String)
    case picture(String)
    case video(String)
    /// A text with layout, such as a PDF.
    case document(String)
    case archive(String)
    case midi
    case program
    /// Text in UTF-16 or UTF-32.
    case wideText

    /// Recognises the contents of a file by its first bytes; `nil` if they may be text.
    package init?(_ bytes: [UInt8]) {
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        let content: ForeignContent? =
            if has("<?xml") {
                String(decoding: bytes.prefix(1024), as: UTF8.self).contains("<svg") ? .picture("SVG") : .document("XML")
            } else if let known = Self.byLetters.first(where: { has($0.beginning) }) {
                known.content
            } else if let known = Self.byBytes.first(where: { bytes.starts(with: $0.beginning) }) {
                known.content
            } else if has("RIFF") || has("RF64") || has("FORM") {
                Self.inContainer.first { has($0.name, at: 8) }?.content
            } else if has("ftyp", at: 4) {
                Self.inMP4.first { has($0.brand, at: 8) }?.content ?? .video("MP4")
            } else if bytes.first == 0xFF, [0xFB, 0xFA, 0xF3, 0xF2, 0xE3, 0xE2].contains(bytes.dropFirst().first) {
                .sound("MP3")
            } else {
                nil
            }
        guard let content else { return nil }
        self = content
    }

    /// Formats whose files begin with letters.
    private static let byLetters: [(beginning: String, content: ForeignContent)] = [
        ("fLaC", .sound("FLAC")), ("OggS", .sound("Ogg")), ("ID3", .sound("MP3")), (".snd", .sound("AU")), ("caff", .sound("CAF")),
        ("GIF8", .picture("GIF")), ("<svg", .picture("SVG")), ("%PDF-", .document("PDF")), ("{\\rtf", .document("RTF")),
        ("<!DOCTYPE", .document("HTML")), ("<!doctype", .document("HTML")), ("<html", .document("HTML")),
        ("PK\u{3}\u{4}", .archive("ZIP")), ("BZh", .archive("bzip2")), ("MThd", .midi), ("\u{7F}ELF", .program),
    ]

    /// Formats whose files begin with other bytes.
    private static let byBytes: [(beginning: [UInt8], content: ForeignContent)] = [
        ([0x89, 0x50, 0x4E, 0x47], .picture("PNG")), ([0xFF, 0xD8, 0xFF], .picture("JPEG")), ([0x49, 0x49, 0x2A, 0], .picture("TIFF")),
        ([0x4D, 0x4D, 0, 0x2A], .picture("TIFF")), ([0x1A, 0x45, 0xDF, 0xA3], .video("Matroska")), ([0x1F, 0x8B], .archive("gzip")),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], .archive("xz")), ([0x37, 0x7A, 0xBC, 0xAF], .archive("7z")),
        ([0xD0, 0xCF, 0x11, 0xE0], .document("Microsoft Office")), ([0xFF, 0xFE], .wideText), ([0xFE, 0xFF], .wideText),
    ]

    /// Formats of RIFF and IFF files, by the name in their bytes 8 to 11.
    private static let inContainer: [(name: String, content: ForeignContent)] = [
        ("WAVE", .sound("WAV")), ("AIFF", .sound("AIFF")), ("AIFC", .sound("AIFF")), ("WEBP", .picture("WebP")), ("AVI ", .video("AVI")),
        ("RMID", .midi),
    ]

    /// Brands of MP4 files that hold no video.
    private static let inMP4: [(brand: String, content: ForeignContent)] = [
        ("M4A", .sound("M4A")), ("M4B", .sound("M4A")), ("avif", .picture("AVIF")), ("hei", .picture("HEIF")),
    ]
}

extension ForeignContent {
    /// The kind of file, with its article.
    var noun: String {
        switch self {
        case .sound(let name): "a sound file (\(name))"
        case .picture(let name): "a picture (\(name))"
        case .video(let name): "a video (\(name))"
        case .document(let name): "a document (\(name)), not plain text"
        case .archive(let name): "an archive (\(name))"
        case .midi: "a MIDI file"
        case .program: "a program"
        case .wideText: "UTF-16 text"
        }
    }

    /// Advice on how to use the file.
    ///
    /// - Parameter file: the path of the file; only its last part is used.
    func advice(for file: String) -> String {
        let name = Self.quoted(file.split(separator: "/").last.map(String.init) ?? file)
        return switch self {
        case .sound: "put it in a layer of a patch: `layers: [{file: {path: \(name)}}]`"
        case .picture: "a patch can show a picture: `artwork: \(name)`"
        case .video: "save its sound as a sound file, and put that in a layer of a patch"
        case .document: "save the text of a patch or session as plain text (UTF-8)"
        case .archive: "unpack it first"
        case .midi: "MIDI files cannot be played; a layer of the kind `keys` is played over JACK's MIDI"
        case .program: "name a patch or a session"
        case .wideText: "save the file as UTF-8"
        }
    }

    /// A file's name as it is written in YAML, in quotes unless it has only letters, digits, dots, dashes and underscores.
    private static func quoted(_ name: String) -> String {
        let isPlain = name.first?.isLetter == true && name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
        return isPlain ? name : "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
