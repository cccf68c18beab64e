import Csndfile

/// How samples are stored in lossless formats.
package enum SampleFormat: String, CaseIterable, Sendable {
    /// 16-bit integers with triangular dither.
    case int16 = "16"
    /// 24-bit integers with triangular dither.
    case int24 = "24"
    /// 32-bit float, exactly the samples that were rendered.
    case float32 = "32f"

    /// Bytes of a sample.
    var byteCount: Int {
        switch self {
        case .int16: 2
        case .int24: 3
        case .float32: 4
        }
    }

    /// libsndfile's code for the sample format.
    var subtype: Int32 {
        switch self {
        case .int16: Int32(SF_FORMAT_PCM_16)
        case .int24: Int32(SF_FORMAT_PCM_24)
        case .float32: Int32(SF_FORMAT_FLOAT)
        }
    }
}
