import Csndfile
import OperatingSystem

/// Encodes stereo sound as a stream of bytes, for players that read it while it is being made. One thread at a time.
///
/// A stream begins with the headers of its format, and its bytes are available as soon as the encoder has them: after 24 ms of MP3,
/// 100 ms of Opus, or 4096 frames of FLAC. Rates that the format does not support are converted to 48 kHz.
///
/// The sound gets triangular dither at 24 bits, 140 dB below full scale. Without it, silence would be compressed to
/// almost nothing, and players that wait for a full buffer would stall.
package final class SoundEncoder {
    private let format: FileFormat
    private let output = EncodedBytes()
    private let converter: RateConversion?
    private var interleaved = InterleavedSamples()
    /// Handle of libsndfile; `nil` once the stream has ended.
    private var handle: OpaquePointer?

    /// The rate that rates without support are converted to, in Hz; every format supports it.
    private static let commonRate = 48_000

    /// Starts a stream of MP3 (192 kbit/s), Opus or FLAC (24 bits). sf_open_virtual
    ///
    /// - Parameter sampleRate: The rate of the sound, in Hz.
    /// - Throws: `AudioFileError.cannotEncode` if the installed library does not write the format.
    package init(_ format: FileFormat, sampleRate: Int) throws(AudioFileError) {
        self.format = format
        guard format.isAvailable else { throw .cannotEncode(format: format.name, reason: "this system's libsndfile does not support it") }
        let isConverted = format.limit(on: sampleRate) != nil
        converter = isConverted ? RateConversion(from: sampleRate, to: Self.commonRate) : nil
        guard isConverted == (converter != nil) else {
            throw .cannotEncode(format: format.name, reason: "its sample rate of \(sampleRate) Hz cannot be converted")
        }
        var description = SF_INFO()
        description.samplerate = Int32(isConverted ? Self.commonRate : sampleRate)
        description.channels = 2
        description.format = format.code(.int24)
        var calls = EncodedBytes.calls
        handle = sf_open_virtual(&calls, Int32(SFM_WRITE), &description, Unmanaged.passUnretained(output).toOpaque())
        guard let handle else { throw .cannotEncode(format: format.name, reason: words(sf_strerror(nil))) }
        set(handle)
    }

    deinit { if let handle { sf_close(handle) } }

    /// Sets the options for streaming. The header of libsndfile 1.0 lacks the commands. sf_command
    private func set(_ handle: OpaquePointer) {
        switch format {
        case .mp3:
            // SFC_SET_BITRATE_MODE: constant, so that players know how much they have buffered; then 192 kbit/s.
            var (mode, level) = (Int32(0), 0.4)
            sf_command(handle, 0x1305, &mode, Int32(MemoryLayout<Int32>.size))
            sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
        case .opus:
            // SFC_SET_OGG_PAGE_LATENCY_MS; otherwise a page holds a second.
            var latency = 100.0
            sf_command(handle, 0x1302, &latency, Int32(MemoryLayout<Double>.size))
        case .wav, .flac, .ogg: break
        }
    }

    /// Encodes frames.
    ///
    /// - Parameter samples: Interleaved samples of both channels.
    /// - Returns: The bytes that the encoder has finished, possibly none.
    package func encode(_ samples: [Float]) throws(AudioFileError) -> [UInt8] {
        guard let handle else { return [] }
        // libsndfile takes the upper bits.
        interleaved.floats = converter?.convert(samples) ?? samples
        let integers = interleaved.quantised24(shiftedBy: 8)
        let count = sf_count_t(integers.count / 2)
        guard sf_writef_int(handle, integers, count) == count else {
            throw .cannotEncode(format: format.name, reason: words(sf_strerror(handle)))
        }
        return output.take()
    }

    /// Ends the stream, and returns its last bytes. sf_close
    package func finish() -> [UInt8] {
        if let handle = handle.take() { sf_close(handle) }
        return output.take()
    }
}

/// The bytes that libsndfile writes. It returns to the header at the end, to write the length: that is ignored, since the header has been sent.
private final class EncodedBytes {
    private var bytes: [UInt8] = []
    private var position: Int64 = 0
    private var length: Int64 = 0

    func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private func write(_ data: UnsafeRawBufferPointer) {
        if position == length {
            bytes += data
            length += Int64(data.count)
        }
        position += Int64(data.count)
    }

    private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
        switch origin {
        case Int32(SF_SEEK_SET): position = offset
        case Int32(SF_SEEK_CUR): position += offset
        default: position = length + offset
        }
        return position
    }

    /// SAFETY: the context is an object that outlives the handle.
    private static func object(_ context: UnsafeMutableRawPointer?) -> EncodedBytes? {
        context.map { Unmanaged<EncodedBytes>.fromOpaque($0).takeUnretainedValue() }
    }

    static let calls = SF_VIRTUAL_IO(
        get_filelen: { object($0)?.length ?? 0 },
        seek: { object($2)?.seek($0, $1) ?? -1 },
        read: { _, _, _ in 0 },
        write: { data, count, context in
            guard let data, let object = object(context) else { return 0 }
            object.write(UnsafeRawBufferPointer(start: data, count: Int(count)))
            return count
        },
        tell: { object($0)?.position ?? 0 })
}
