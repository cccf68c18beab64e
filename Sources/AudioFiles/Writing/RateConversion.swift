import Csamplerate

/// Converts a stereo sound to another sample rate, piece by piece, with libsamplerate. One thread at a time.
final class RateConversion {
    private let state: OpaquePointer
    private let ratio: Double

    /// Makes a converter between two rates in Hz; `nil` if they are too far apart. src_new
    init?(from source: Int, to result: Int) {
        ratio = Double(result) / Double(source)
        var code: Int32 = 0
        guard src_is_valid_ratio(ratio) != 0, let state = src_new(Int32(SRC_SINC_MEDIUM_QUALITY), 2, &code) else { return nil }
        self.state = state
    }

    deinit { src_delete(state) }

    /// Converts the next frames, which are interleaved. src_process
    func convert(_ samples: [Float]) -> [Float] {
        var (rest, converted) = (samples[...], [Float]())
        // The converter takes all that it is given as long as there is room for what it makes of it.
        let room = Int((Double(samples.count / 2) * ratio).rounded(.up)) + 64
        while !rest.isEmpty {
            var data = SRC_DATA()
            converted += rest.withUnsafeBufferPointer { input in
                [Float](unsafeUninitializedCapacity: 2 * room) { output, count in
                    data.data_in = input.baseAddress
                    data.input_frames = input.count / 2
                    data.data_out = output.baseAddress
                    data.output_frames = room
                    data.src_ratio = ratio
                    count = src_process(state, &data) == 0 ? 2 * Int(data.output_frames_gen) : 0
                }
            }
            if data.input_frames_used == 0, data.output_frames_gen == 0 { break }
            rest = rest.dropFirst(2 * Int(data.input_frames_used))
        }
        return converted
    }
}
