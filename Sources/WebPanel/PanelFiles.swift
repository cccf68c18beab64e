import CPanelFiles

/// The files of the page, which are in the program itself: CPanelFiles embeds those of the folder `Web`.
enum PanelFiles {
    /// A file and its media type.
    struct File {
        let type: String
        let bytes: [UInt8]
    }

    /// Nothing is loaded from elsewhere, no other page may contain this one, and no address is passed on.
    static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; media-src 'self'; "
                + "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ]

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "webmanifest": "application/manifest+json",
    ]

    static func file(at path: String) -> File? {
        let name = path == "/" ? "index.html" : String(path.dropFirst())
        guard let type = name.lastIndex(of: ".").flatMap({ types[String(name[name.index(after: $0)...])] }) else { return nil }
        // SAFETY: the table and what it points to are constants.
        return all.first { String(cString: $0.name) == name }
            .map { File(type: type, bytes: [UInt8](UnsafeBufferPointer(start: $0.bytes, count: $0.size))) }
    }

    static var names: [String] { all.map { String(cString: $0.name) } }

    private static var all: UnsafeBufferPointer<panel_file> {
        var count = 0
        // SAFETY: as above.
        return UnsafeBufferPointer(start: panel_files(&count), count: count)
    }
}
