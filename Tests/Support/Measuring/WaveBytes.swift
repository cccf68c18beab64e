import Foundation

/// Makes WAV files of any shape, without the library that reads them.
package enum WaveBytes {
    /// The format of the samples.
    package enum Encoding: Sendable {
        case int16, float32
    }

    /// A file with these channels, all of one length.
    ///
    /// - Parameter claimed: The number of frames in the header; `nil` for the true one.
    package static func file(
        _ channels: [[Float]], sampleRate: Int, _ encoding: Encoding = .float32, claimed: Int? = nil
    ) -> Data {
        let width = encoding == .int16 ? 2 : 4
        let frames = channels.first?.count ?? 0
        var data = header(
            sampleRate: sampleRate, channels: channels.count, encoding, byteCount: (claimed ?? frames) * channels.count * width)
        data.reserveCapacity(data.count + frames * channels.count * width)
        for frame in 0..<frames {
            for channel in channels {
                switch encoding {
                case .int16: append(UInt16(bitPattern: Int16((channel[frame] * 32_767).rounded())), to: &data)
                case .float32: append(channel[frame].bitPattern, to: &data)
                }
            }
        }
        return data
    }

    /// The header before the samples; RF64 if their number does not fit into RIFF.
    package static func header(sampleRate: Int, channels: Int, _ encoding: Encoding, byteCount: Int) -> Data {
        let width = encoding == .int16 ? 2 : 4
        let isLarge = byteCount > 0xffff_0000
        var data = Data((isLarge ? "RF64" : "RIFF").utf8)
        append(isLarge ? UInt32.max : UInt32(byteCount + 36), to: &data)
        data += Data("WAVE".utf8)
        if isLarge {
            data += Data("ds64".utf8)
            append(UInt32(28), to: &data)
            append(UInt64(byteCount + 36 + 36), to: &data)
            append(UInt64(byteCount), to: &data)
            append(UInt64(byteCount / (channels * width)), to: &data)
            append(UInt32(0), to: &data)
        }
        data += Data("fmt ".utf8)
        append(UInt32(16), to: &data)
        append(UInt16(encoding == .int16 ? 1 : 3), to: &data)
        append(UInt16(channels), to: &data)
        append(UInt32(sampleRate), to: &data)
        append(UInt32(sampleRate * channels * width), to: &data)
        append(UInt16(channels * width), to: &data)
        append(UInt16(8 * width), to: &data)
        data += Data("data".utf8)
        append(isLarge ? UInt32.max : UInt32(byteCount), to: &data)
        return data
    }

    private static func append(_ number: some FixedWidthInteger, to data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
}
