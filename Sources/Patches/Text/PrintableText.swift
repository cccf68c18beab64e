extension String {
    /// The text without characters that move the cursor, change colours or change the writing direction: titles come from files.
    package var printable: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
            case .format where scalar.value != 0x200D: continue  // the joiner inside an emoji stays
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
