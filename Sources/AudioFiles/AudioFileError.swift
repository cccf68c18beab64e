import Foundation

/// Why a sound file could not be written; says what to do.
package enum AudioFileError: Error, Equatable {
    case cannotCreate(path: String, reason: String)
    case diskFull(path: String)
    case cannotWrite(path: String, reason: String)
}

extension AudioFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotCreate(let path, let reason):
            "Cannot create '\(path)': \(reason). Choose another place with -o."
        case .diskFull(let path):
            "Cannot write '\(path)': the disk is full. Make room, or choose another place with -o; nothing is left of it."
        case .cannotWrite(let path, let reason):
            "Cannot write '\(path)': \(reason). Check the disk, or choose another place with -o; nothing is left of it."
        }
    }
}

/// The system's words for an error number, in lower case as they stand inside a sentence. strerror
func words(for code: Int32) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
}
