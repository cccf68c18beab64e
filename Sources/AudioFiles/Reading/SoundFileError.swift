import Engine
import Patches

/// Why a sound file cannot be played; the description says what to do.
package enum SoundFileError: Error, Equatable {
    case notThere(path: String)
    /// A folder, a pipe or the like.
    case notAFile(path: String, reason: String)
    case cannotOpen(path: String, reason: String)
    case notSound(path: String, reason: String)
    case noFrames(path: String)
    /// Its header gives it so many frames, more than any recording has.
    case tooLong(path: String, frames: Int64)
    /// It has no frame of the section that its segments come from; its length in seconds.
    case endsBeforeSection(path: String, Double)
    /// Its sample rate, in Hz, cannot be converted to that of the engine.
    case sampleRate(path: String, Int)
    /// Reading failed although the file could be opened.
    case cannotRead(path: String, frame: Int64)

    /// Whether the file does not exist or may not be opened.
    package var isMissing: Bool {
        switch self {
        case .notThere, .cannotOpen: true
        case .notAFile, .notSound, .noFrames, .tooLong, .endsBeforeSection, .sampleRate, .cannotRead: false
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
            "Cannot read '\(path)' as a sound file: \(reason). WAV, FLAC and Ogg are supported, also Opus and MP3 if libsndfile supports them."
        case .noFrames(let path): "The sound file '\(path)' is empty."
        case .tooLong(let path, let frames):
            "The sound file '\(path)' is damaged: its header gives it \(frames) frames. Download or convert it again."
        case .endsBeforeSection(let path, let length):
            "The sound file '\(path)' ends at \(DurationText.string(from: length)), before the section that its segments come from. Correct `from`, or the `d` of its tag SBAGEN_LOOPER."
        case .sampleRate(let path, let rate):
            "The sound file '\(path)' has an unsupported sample rate of \(rate) Hz. Convert it to another rate."
        case .cannotRead(let path, let frame):
            "Cannot read the sound file '\(path)' at frame \(frame): it is damaged, or was changed while it was playing."
        }
    }

    /// The error as the engine reports it.
    var failure: SoundFailure { SoundFailure(description) }
}
