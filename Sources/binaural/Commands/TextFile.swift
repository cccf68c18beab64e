import OperatingSystem

/// Writes a text file that appears under its name only when it is complete.
enum TextFile {
    /// A link is followed, and its target replaced.
    static func write(_ text: String, to path: String) throws(ProgramError) {
        do throws(FileError) {
            try RegularFile.replaceTarget(of: path, with: Array(text.utf8))
        } catch {
            throw ProgramError(.cannotCreate, "Cannot write \(path): \(error.reason). Choose another place.")
        }
    }
}
