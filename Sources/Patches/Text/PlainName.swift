extension String {
    /// Whether it is safe as the name of a file, a session or a preset: not empty, at most 200 bytes, no `/`, no leading dot, no control or
    /// invisible characters.
    package var isPlainName: Bool {
        (1...200).contains(utf8.count) && !hasPrefix(".")
            && unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
                default: scalar != "/" && scalar != "\\"
                }
            }
    }

    /// Whether a JACK client may have this name: 1 to 63 bytes, not only spaces, without control characters, `:`, since JACK appends one, and,
    /// since a file is named after it, `/` and a leading dot.
    package var isClientName: Bool {
        (1...63).contains(utf8.count) && !hasPrefix(".") && !allSatisfy(\.isWhitespace)
            && unicodeScalars.allSatisfy { $0.value > 0x1F && $0 != ":" && $0 != "/" && $0.value != 0x7F }
    }

    /// Whether a new session may have this name: a plain one that does not look like an option, nor like one of the program's own files,
    /// such as `last-session`, or `x.yaml`, `x.yaml.1` and `x.position` of a session named `x`. Case is ignored.
    package var isSessionName: Bool {
        isNewName && lowercased() != "last-session"
    }

    /// Whether a new patch may have this name: a plain one that does not look like an option, like a path, nor like the file of the
    /// preferences. Case is ignored.
    package var isPatchName: Bool {
        isNewName && lowercased() != "preferences"
    }

    /// Why a new patch may not have this name, as a sentence; `nil` if it may.
    package var patchNameFault: String? {
        guard !isPatchName else { return nil }
        let reason =
            if isEmpty {
                "it is empty"
            } else if utf8.count > 200 {
                "it has \(utf8.count) bytes, and a name has at most 200"
            } else if contains(where: { "/\\".contains($0) }) {
                "a name has no / or \\"
            } else if hasPrefix("-") || hasPrefix(".") {
                "a name does not begin with a dash or a dot"
            } else if lowercased() == "preferences" {
                "the file of the preferences has that name"
            } else if isPlainName {
                "leave out the ending, as in \(prefix { $0 != "." })"
            } else {
                "a name has no control or invisible characters"
            }
        return "'\(count > 60 ? prefix(60) + "…" : self)' cannot be the name of a patch: \(reason)."
    }

    /// Whether it is a plain name that looks neither like an option nor like one of the program's own files.
    private var isNewName: Bool {
        isPlainName && !hasPrefix("-")
            && !lowercased().split(separator: ".", omittingEmptySubsequences: false).dropFirst().contains {
                ["yaml", "yml", "sbg", "sbxseq", "position"].contains($0)
            }
    }
}
