import CPanelFiles
import Foundation
import HTTP

/// The files of the page, which are in the program itself: CPanelFiles embeds those of the folder `Web`.
enum PanelFiles {
    /// A file as it is served.
    struct File {
        /// Its media type.
        let type: String
        let bytes: [UInt8]
        /// The bytes in the format of RFC 1952; `nil` if that is not shorter.
        let compressed: [UInt8]?
        /// Another text for other bytes (RFC 9110, section 8.8.3). It is a weak tag, since it is the same with and without compression.
        let tag: String

        init(_ type: String, _ bytes: [UInt8]) {
            (self.type, self.bytes) = (type, bytes)
            compressed = Gzip.compressed(bytes).flatMap { $0.count < bytes.count ? $0 : nil }
            tag = "W/\"\(SHA256.hexadecimal(SHA256.digest(bytes)).prefix(16))\""
        }
    }

    /// Nothing is loaded from elsewhere, only the one script in the page itself runs besides those that are loaded, no other page may contain this one,
    /// and no address is passed on.
    static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self' 'sha256-\(Data(SHA256.digest(Array(script.utf8))).base64EncodedString())'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; media-src 'self'; "
                + "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ]

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png",
        "webmanifest": "application/manifest+json",
    ]

    /// The files that begin the page's modules and styles, to which the others are joined, and the page.
    private static let (firstModule, firstStyle, page) = ("app.js", "app.css", "index.html")
    /// The script in the page, which runs before the modules.
    private static let scriptName = "start.js"
    private static let script = JoinedFiles.short(text(scriptName) ?? "")

    /// The answer to a request for a file of the page; `nil` if its path is that of none. A browser keeps the files, and asks each time whether they
    /// are still current.
    static func answer(to request: Request) -> Response? {
        guard let file = file(at: request.path) else { return nil }
        let headers = [("ETag", file.tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")] + headers
        if request.knows(tag: file.tag) { return Response(.notModified, headers: headers) }
        if request.acceptsGzip, let compressed = file.compressed {
            return Response(.ok, file.type, compressed, headers: [("Content-Encoding", "gzip")] + headers)
        }
        return Response(.ok, file.type, file.bytes, headers: headers)
    }

    static func file(at path: String) -> File? { served[path == "/" ? page : String(path.dropFirst())] }

    /// The files that are served by name, made when the first one is asked for.
    private static let served = Dictionary(
        uniqueKeysWithValues: names.compactMap { name -> (String, File)? in
            let kind = String(name[(name.lastIndex(of: ".") ?? name.startIndex)...].dropFirst())
            guard let type = types[kind] else { return nil }
            switch kind {
            case "js" where name == firstModule: return (name, File(type, Array(JoinedFiles.modules(from: name, text).utf8)))
            case "css" where name == firstStyle: return (name, File(type, Array(JoinedFiles.styles(from: name, text).utf8)))
            case "js", "css": return nil
            case "html" where name == page:
                return text(name).map { (name, File(type, Array(JoinedFiles.page($0, with: script, named: scriptName).utf8))) }
            default: return source(name).map { (name, File(type, $0)) }
            }
        })

    /// The names of the files of the folder `Web`.
    static var names: [String] { all.map { String(cString: $0.name) } }

    /// The bytes of a file of that folder.
    static func source(_ name: String) -> [UInt8]? {
        // SAFETY: the table and what it points to are constants.
        all.first { String(cString: $0.name) == name }.map { [UInt8](UnsafeBufferPointer(start: $0.bytes, count: $0.size)) }
    }

    static func text(_ name: String) -> String? { source(name).map { String(decoding: $0, as: UTF8.self) } }

    private static var all: UnsafeBufferPointer<panel_file> {
        var count = 0
        // SAFETY: as above.
        return UnsafeBufferPointer(start: panel_files(&count), count: count)
    }
}
