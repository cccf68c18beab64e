import Foundation

/// Why a sound file could not be written; the description says what to do.
package enum AudioFileError: Error, Equatable {
    case cannotCreate(path: String, reason: String)
    /// The installed library was built without the format.
    case formatMissing(path: String, format: String)
    case diskFull(path: String)
    case cannotWrite(path: String, reason: String)
}

extension AudioFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotCreate(let path, let reason):
            "Cannot create '\(path)': \(reason). Choose another place with -o."
        case .formatMissing(let path, let format):
            "Cannot create '\(path)': this system's libsndfile cannot write \(format). Choose another format, such as wav."
        case .diskFull(let path):
            "Cannot write '\(path)': the disk is full. Free some space, or choose another place with -o. No partial file was kept."
        case .cannotWrite(let path, let reason):
            "Cannot write '\(path)': \(reason). Check the disk, or choose another place with -o. No partial file was kept."
        }
    }
}

/// The system's message for an error number, in lower case as inside a sentence. strerror
func words(for code: Int32) -> String { words(strerror(code)) }

/// A library's message, likewise.
func words(_ sentence: UnsafePointer<CChar>) -> String {
    let text = String(cString: sentence)
    return text.prefix(1).lowercased() + text.dropFirst().trimmingCharacters(in: CharacterSet(charactersIn: ". \n"))
}
