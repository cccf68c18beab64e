import Csndfile

/// What kind of sound file.
package enum FileFormat: String, CaseIterable, Sendable {
    case wav, flac
    /// Vorbis in Ogg.
    case ogg
    /// Opus in Ogg.
    case opus

    /// The format of a file whose name ends so.
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "wav", "wave": self = .wav
        case "flac": self = .flac
        case "ogg", "oga": self = .ogg
        case "opus": self = .opus
        default: return nil
        }
    }

    /// Whether the samples come back as they were stored.
    package var isLossless: Bool { self == .wav || self == .flac }

    /// As people call it.
    package var name: String {
        switch self {
        case .wav: "WAV"
        case .flac: "FLAC"
        case .ogg: "Ogg Vorbis"
        case .opus: "Opus"
        }
    }

    /// Frames per second that it cannot have though they can be rendered: what it can have, for a sentence.
    package func limit(on sampleRate: Int) -> String? {
        switch self {
        case .wav, .flac: nil
        case .ogg: sampleRate <= 192_000 ? nil : "192000 Hz at most"
        case .opus: [8000, 12_000, 16_000, 24_000, 48_000].contains(sampleRate) ? nil : "8000, 12000, 16000, 24000 or 48000 Hz"
        }
    }

    /// How samples can be stored; empty where that is the format's own affair.
    package var depths: [SampleFormat] {
        switch self {
        case .wav: SampleFormat.allCases
        case .flac: [.int16, .int24]
        case .ogg, .opus: []
        }
    }

    /// libsndfile's code.
    func code(_ depth: SampleFormat) -> Int32 {
        switch self {
        case .wav: Int32(SF_FORMAT_RF64) | depth.subtype
        case .flac: Int32(SF_FORMAT_FLAC) | depth.subtype
        case .ogg: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_VORBIS)
        case .opus: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_OPUS)
        }
    }

    /// Whether the library that is installed here can write it. sf_format_check
    package var isAvailable: Bool {
        var description = SF_INFO()
        description.samplerate = 48_000
        description.channels = 2
        description.format = code(.int16)
        return sf_format_check(&description) == Int32(SF_TRUE)
    }
}
