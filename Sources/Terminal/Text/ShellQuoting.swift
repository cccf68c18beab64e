/// Texts as they are typed in a shell.
package enum ShellQuoting {
    /// The text as one word, in quotes if it needs them.
    package static func word(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789-_./+,@%".unicodeScalars.contains($0) }
        return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
