import Cebur128

/// Measures the integrated loudness of stereo sound, as in ITU-R BS.1770-4 with the gates of EBU R 128, and its peaks.
package final class LoudnessMeter {
    /// State of libebur128.
    private var state: UnsafeMutablePointer<ebur128_state>?
    private var frames: [Float] = []

    /// Frames up to which every block's energy is kept: 14 MB for a day. Of longer sounds there is a histogram, in steps of 0.1 LU.
    private static let longestExact: Int64 = 24 * 3600

    /// - Parameters:
    ///   - sampleRate: Hz
    ///   - frameCount: The number of frames that will be added.
    ///   - measuresTruePeak: Also measures ``truePeak``, which takes several times as long.
    package init(sampleRate: Int, frameCount: Int64, measuresTruePeak: Bool) {
        var mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_SAMPLE_PEAK.rawValue
        if measuresTruePeak { mode |= EBUR128_MODE_TRUE_PEAK.rawValue }
        if frameCount / Int64(sampleRate) > Self.longestExact { mode |= EBUR128_MODE_HISTOGRAM.rawValue }
        state = ebur128_init(2, UInt(sampleRate), Int32(mode))
        precondition(state != nil, "There is no memory for a meter.")
    }

    deinit { ebur128_destroy(&state) }

    /// Adds frames; both buffers have the same length. ebur128_add_frames_float
    package func add(left: UnsafeBufferPointer<Float>, right: UnsafeBufferPointer<Float>) {
        let count = min(left.count, right.count)
        if frames.count < 2 * count { frames = [Float](repeating: 0, count: 2 * count) }
        for frame in 0..<count {
            frames[2 * frame] = left[frame]
            frames[2 * frame + 1] = right[frame]
        }
        ebur128_add_frames_float(state, frames, count)
    }

    /// LUFS; `nil` for silence, and for sounds shorter than 0.4 s. ebur128_loudness_global
    package var loudness: Double? { Self.loudness(of: [self]) }

    /// The loudness of several sounds together, in LUFS; `nil` for silence. ebur128_loudness_global_multiple
    package static func loudness(of meters: [LoudnessMeter]) -> Double? {
        var states = meters.map(\.state)
        var loudness = 0.0
        let code = ebur128_loudness_global_multiple(&states, states.count, &loudness)
        return code == EBUR128_SUCCESS.rawValue && loudness.isFinite ? loudness : nil
    }

    /// The highest sample of both channels; 1 is full scale. ebur128_sample_peak
    package var samplePeak: Double { peak(ebur128_sample_peak) }

    /// The highest value between the samples, from four times as many; 1 is full scale. ebur128_true_peak
    package var truePeak: Double { peak(ebur128_true_peak) }

    private func peak(_ read: (UnsafeMutablePointer<ebur128_state>?, UInt32, UnsafeMutablePointer<Double>?) -> Int32) -> Double {
        [UInt32(0), 1].reduce(0.0) { highest, channel in
            var value = 0.0
            return read(state, channel, &value) == EBUR128_SUCCESS.rawValue ? max(highest, value) : highest
        }
    }
}
