import Csndfile

/// The format of a sound file.
package enum FileFormat: String, CaseIterable, Sendable {
    case wav, flac
    /// Vorbis in Ogg.
    case ogg
    /// Opus in Ogg.
    case opus
    case mp3

    /// The format with this file extension, in any case; `nil` if it is unknown.
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "wav", "wave": self = .wav
        case "flac": self = .flac
        case "ogg", "oga": self = .ogg
        case "opus": self = .opus
        case "mp3": self = .mp3
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
        case .mp3: "MP3"
        }
    }

    /// The sample rates that it supports, as part of a sentence, if it does not support this one (in Hz); otherwise `nil`.
    package func limit(on sampleRate: Int) -> String? {
        switch self {
        case .wav: nil
        // Its header has room for others, but libFLAC does not write them.
        case .flac: sampleRate <= 65_535 || sampleRate.isMultiple(of: 10) ? nil : "up to 65535 Hz, or multiples of 10 Hz"
        case .ogg: sampleRate <= 192_000 ? nil : "at most 192000 Hz"
        case .opus: [8000, 12_000, 16_000, 24_000, 48_000].contains(sampleRate) ? nil : "8000, 12000, 16000, 24000 or 48000 Hz"
        case .mp3:
            [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].contains(sampleRate)
                ? nil : "8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100 or 48000 Hz"
        }
    }

    /// The sample formats to choose from; empty if the format has no choice.
    package var depths: [SampleFormat] {
        switch self {
        case .wav: SampleFormat.allCases
        case .flac: [.int16, .int24]
        case .ogg, .opus, .mp3: []
        }
    }

    /// libsndfile's code for the format.
    func code(_ depth: SampleFormat) -> Int32 {
        switch self {
        case .wav: Int32(SF_FORMAT_RF64) | depth.subtype
        case .flac: Int32(SF_FORMAT_FLAC) | depth.subtype
        case .ogg: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_VORBIS)
        case .opus: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_OPUS)
        // SF_FORMAT_MPEG and SF_FORMAT_MPEG_LAYER_III, which the header of libsndfile 1.0 does not have.
        case .mp3: 0x23_0000 | 0x82
        }
    }

    /// Whether its details are Vorbis comments.
    var hasComments: Bool { self == .flac || self == .ogg || self == .opus }

    /// Bytes of a picture's file for which it has room; 0 if it holds none.
    package var pictureRoom: Int {
        switch self {
        case .wav: 0
        case .flac, .ogg, .mp3: 4 << 20
        // Together with the texts and chapters, see `AudioFileWriter`.
        case .opus: 14_000
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
