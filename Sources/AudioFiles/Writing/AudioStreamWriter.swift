import Glibc
import OperatingSystem

/// Writes stereo sound to a file descriptor that cannot seek, such as a pipe. The samples are those of ``AudioFileWriter``, with the same
/// dither.
package final class AudioStreamWriter: AudioSink {
    package enum Container: Sendable {
        /// WAV. A size beyond 4 GiB is given as 0xFFFFFFFF, which means until the end of the stream.
        case wav
        /// Interleaved little-endian samples without a header.
        case raw
    }

    private let descriptor: Int32
    private let depth: SampleFormat
    private var samples: InterleavedSamples
    private var bytes: [UInt8] = []

    /// Starts a stream; a WAV header is written with the first frames.
    ///
    /// - Parameters:
    ///   - sampleRate: Hz.
    ///   - frameCount: The number of frames that will follow.
    ///   - ceiling: dBFS that no sample exceeds by its dither, at most 0.
    package init(
        _ container: Container, to descriptor: Int32, sampleRate: Int, _ depth: SampleFormat, frameCount: Int64, ceiling: Double = 0
    ) {
        samples = InterleavedSamples(ceiling: ceiling)
        self.descriptor = descriptor
        self.depth = depth
        if container == .wav { bytes = WaveHeader(sampleRate: sampleRate, depth, frameCount: frameCount).bytes }
    }

    package func write(left: UnsafeBufferPointer<Float>, right: UnsafeBufferPointer<Float>) throws(AudioFileError) {
        precondition(left.count == right.count, "Both channels must have the same number of frames.")
        bytes.reserveCapacity(bytes.count + left.count * 2 * depth.byteCount)
        samples.interleave(left, right)
        switch depth {
        case .int16: for sample in samples.quantised16() { append(UInt32(bitPattern: Int32(sample)), 2) }
        case .int24: for sample in samples.quantised24() { append(UInt32(bitPattern: sample), 3) }
        case .float32: for sample in samples.floats { append(sample.bitPattern, 4) }
        }
        try flush()
    }

    package func finish() throws(AudioFileError) { try flush() }

    private func append(_ word: UInt32, _ count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(8 * index))) }
    }

    /// write(2)
    private func flush() throws(AudioFileError) {
        var done = 0
        while done < bytes.count {
            // SAFETY: the call reads at most the bytes of the array from `done` on.
            let (count, code) = bytes.withUnsafeBytes { buffer in
                let count = Glibc.write(descriptor, buffer.baseAddress.unsafelyUnwrapped + done, buffer.count - done)
                return (count, count < 0 ? errno : 0)
            }
            switch code {
            case 0: done += count
            case EINTR: continue
            case EAGAIN:
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            case EPIPE: throw .readerGone
            default: throw .cannotStream(reason: Errno(rawValue: code).reason)
            }
        }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// The header of a stereo WAV file, up to its first sample.
private struct WaveHeader {
    private(set) var bytes: [UInt8] = []

    init(sampleRate: Int, _ depth: SampleFormat, frameCount: Int64) {
        let isFloat = depth == .float32
        let frameSize = 2 * depth.byteCount
        let size = frameCount * Int64(frameSize)
        let extra: [UInt8] = isFloat ? [0, 0] : []
        // From the name of the form to the first sample.
        let header = 4 + 8 + 16 + extra.count + (isFloat ? 12 : 0) + 8
        add("RIFF")
        add(Self.size(size + Int64(header)))
        add("WAVE")
        add("fmt ")
        add(UInt32(16 + extra.count))
        // PCM or floating point, two channels.
        bytes += [isFloat ? 3 : 1, 0, 2, 0]
        add(UInt32(sampleRate))
        add(UInt32(sampleRate * frameSize))
        bytes += [UInt8(frameSize), 0, UInt8(8 * depth.byteCount), 0]
        bytes += extra
        if isFloat {
            add("fact")
            add(4)
            add(Self.size(frameCount))
        }
        add("data")
        add(Self.size(size))
    }

    /// A size, or the mark of one that is unknown.
    private static func size(_ bytes: Int64) -> UInt32 { UInt32(exactly: bytes) ?? .max }

    private mutating func add(_ name: String) { bytes += Array(name.utf8) }

    private mutating func add(_ number: UInt32) {
        for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * index))) }
    }
}
