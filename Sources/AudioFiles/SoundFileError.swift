import Engine

/// Why a sound file cannot be heard; says what to do.
package enum SoundFileError: Error, Equatable {
    case notThere(path: String)
    /// A folder, a pipe or the like.
    case notAFile(path: String, reason: String)
    case cannotOpen(path: String, reason: String)
    case notSound(path: String, reason: String)
    case noFrames(path: String)
    /// In Hz; one that cannot be brought to that of the engine.
    case sampleRate(path: String, Int)
    /// It was there when it was opened.
    case cannotRead(path: String, frame: Int64)

    /// There is nothing to look at, or it may not be looked at.
    package var isMissing: Bool {
        switch self {
        case .notThere, .cannotOpen: true
        case .notAFile, .notSound, .noFrames, .sampleRate, .cannotRead: false
        }
    }
}

extension SoundFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notThere(let path): "There is no sound file '\(path)'. Put it there, or name another one in the patch."
        case .notAFile(let path, let reason): "Cannot open '\(path)' as a sound file: \(reason). Name a sound file in the patch."
        case .cannotOpen(let path, let reason): "Cannot open the sound file '\(path)': \(reason)."
        case .notSound(let path, let reason):
            "'\(path)' is no sound file that can be read: \(reason). WAV, FLAC, Ogg and, where libsndfile can, Opus and MP3 are."
        case .noFrames(let path): "The sound file '\(path)' is empty."
        case .sampleRate(let path, let rate): "The sound file '\(path)' has \(rate) frames a second, which cannot be played here."
        case .cannotRead(let path, let frame):
            "The sound file '\(path)' cannot be read at its frame \(frame): it is damaged, or was changed while it played."
        }
    }

    /// For the engine.
    var failure: SoundFailure { SoundFailure(description) }
}
