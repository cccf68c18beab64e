import Csndfile

/// The format of a sound file.
package enum FileFormat: String, CaseIterable, Sendable {
    case wav, flac
    /// Vorbis in Ogg.
    case ogg
    /// Opus in Ogg.
    case opus

    /// The format with this file extension, in any case; `nil` if it is unknown.
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "wav", "wave": self = .wav
        case "flac": self = .flac
        case "ogg", "oga": self = .ogg
        case "opus": self = .opus
        default: return nil
        }
    }

    /// Whether samples are stored without loss.
    package var isLossless: Bool { self == .wav || self == .flac }

    /// The format's usual name.
    package var name: String {
        switch self {
        case .wav: "WAV"
        case .flac: "FLAC"
        case .ogg: "Ogg Vorbis"
        case .opus: "Opus"
        }
    }

    /// The sample rates that it supports, as part of a sentence, if it does not support this one (in Hz); otherwise `nil`.
    package func limit(on sampleRate: Int) -> String? {
        switch self {
        case .wav, .flac: nil
        case .ogg: sampleRate <= 192_000 ? nil : "at most 192000 Hz"
        case .opus: [8000, 12_000, 16_000, 24_000, 48_000].contains(sampleRate) ? nil : "8000, 12000, 16000, 24000 or 48000 Hz"
        }
    }

    /// The sample formats to choose from; empty if the format has no choice.
    package var depths: [SampleFormat] {
        switch self {
        case .wav: SampleFormat.allCases
        case .flac: [.int16, .int24]
        case .ogg, .opus: []
        }
    }

    /// libsndfile's code for the format.
    func code(_ depth: SampleFormat) -> Int32 {
        switch self {
        case .wav: Int32(SF_FORMAT_RF64) | depth.subtype
        case .flac: Int32(SF_FORMAT_FLAC) | depth.subtype
        case .ogg: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_VORBIS)
        case .opus: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_OPUS)
        }
    }

    /// Whether the installed library can write it. sf_format_check
    package var isAvailable: Bool {
        var description = SF_INFO()
        description.samplerate = 48_000
        description.channels = 2
        description.format = code(.int16)
        return sf_format_check(&description) == Int32(SF_TRUE)
    }
}
