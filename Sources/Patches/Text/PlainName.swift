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
}
