import Foundation

/// Why a sound file could not be written; the description says what to do.
package enum AudioFileError: Error, Equatable {
    case cannotCreate(path: String, reason: String)
    /// The installed library was built without the format.
    case formatMissing(path: String, format: String)
    case diskFull(path: String)
    case cannotWrite(path: String, reason: String)
    case cannotStream(reason: String)
    case cannotEncode(format: String, reason: String)
    /// The program that reads the stream has ended.
    case readerGone
}

extension AudioFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotCreate(let path, let reason):
            "Cannot create '\(path)': \(reason). Choose another place with -o."
        case .formatMissing(let path, let format):
            "Cannot create '\(path)': this system's libsndfile cannot write \(format)\(needed(for: format)). Choose another format, such as wav."
        case .diskFull(let path):
            "Cannot write '\(path)': the disk is full. Free some space, or choose another place with -o. No partial file was kept."
        case .cannotWrite(let path, let reason):
            "Cannot write '\(path)': \(reason). Check the disk, or choose another place with -o. No partial file was kept."
        case .cannotStream(let reason): "Cannot write the sound to standard output: \(reason). What was written so far is incomplete."
        case .cannotEncode(let format, let reason): "Cannot encode the sound as \(format): \(reason). Choose another format."
        case .readerGone: "The program that reads standard output has ended; the sound is incomplete."
        }
    }
}

/// The version of libsndfile that a format needs, as part of a sentence; empty if any version writes it.
private func needed(for format: String) -> String {
    [FileFormat.mp3.name: ", which needs version 1.1 or later, with MPEG support"][format] ?? ""
}

/// A library's message, worded to stand inside a sentence.
func words(_ sentence: UnsafePointer<CChar>) -> String {
    let text = String(cString: sentence)
    return text.prefix(1).lowercased() + text.dropFirst().trimmingCharacters(in: CharacterSet(charactersIn: ". \n"))
}
