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

    /// Whether a JACK client may have this name: 1 to 63 bytes without control characters, `:`, since JACK appends one, and, since a file is
    /// named after it, `/` and a leading dot.
    package var isClientName: Bool {
        (1...63).contains(utf8.count) && !hasPrefix(".")
            && unicodeScalars.allSatisfy { $0.value > 0x1F && $0 != ":" && $0 != "/" && $0.value != 0x7F }
    }

    /// Whether a new session may have this name: a plain one that does not look like an option, nor like one of the program's own files,
    /// such as `last-session`, or `x.yaml`, `x.yaml.1` and `x.position` of a session named `x`. Case is ignored.
    package var isSessionName: Bool {
        let name = lowercased()
        return isPlainName && !name.hasPrefix("-") && name != "last-session"
            && !name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().contains {
                ["yaml", "yml", "sbg", "position"].contains($0)
            }
    }
}
