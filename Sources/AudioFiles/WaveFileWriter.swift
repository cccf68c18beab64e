import Csndfile
import Foundation

/// Writes a stereo WAV file that appears under its name only when it is complete. Beyond 4 GiB it becomes RF64, which is what such players expect.
///
/// Until `finish` the samples go to a hidden file beside it, which is removed when the writer is dropped without it.
package final class WaveFileWriter {
    package let path: String
    package let format: SampleFormat
    package private(set) var frameCount: Int64 = 0
    private let temporaryPath: String
    private let file: Int32
    private var handle: OpaquePointer?
    private var isFinished = false
    private var dither = Dither()
    private var floats: [Float] = []
    private var integers: [Int32] = []

    /// Begins a file; `sampleRate` in hertz, `title` becomes its metadata. sf_open_fd
    package init(path: String, sampleRate: Int, format: SampleFormat, title: String? = nil) throws(AudioFileError) {
        // A link keeps pointing to the new file.
        let target = URL(filePath: path).resolvingSymlinksInPath()
        self.path = target.path
        self.format = format
        var information = stat()
        if stat(target.path, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
            throw .cannotCreate(path: path, reason: "something that is not a file has that name")
        }
        temporaryPath = target.deletingLastPathComponent().path + "/.\(target.lastPathComponent).\(getpid()).part"
        file = open(temporaryPath, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { throw .cannotCreate(path: path, reason: words(for: errno)) }
        var description = SF_INFO()
        description.samplerate = Int32(sampleRate)
        description.channels = 2
        description.format = Int32(SF_FORMAT_RF64) | format.subtype
        handle = sf_open_fd(file, Int32(SFM_WRITE), &description, Int32(SF_FALSE))
        guard let handle else {
            throw .cannotCreate(path: path, reason: String(cString: sf_strerror(nil)))
        }
        // RF64 only where it has to be.
        sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
        // The chunk of peaks has the time of day in it: two renderings would differ.
        sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        if let title { sf_set_string(handle, Int32(SF_STR_TITLE), title) }
    }

    deinit {
        if let handle { sf_close(handle) }
        if file >= 0 { close(file) }
        if file >= 0 && !isFinished { unlink(temporaryPath) }
    }

    /// Appends frames; both buffers have as many. sf_writef_float, sf_writef_int
    package func write(left: UnsafeBufferPointer<Float>, right: UnsafeBufferPointer<Float>) throws(AudioFileError) {
        precondition(left.count == right.count, "both channels have the same number of frames")
        guard let handle else { preconditionFailure("the file is finished") }
        let count = left.count
        errno = 0
        let written: sf_count_t
        switch format {
        case .float32:
            if floats.count < 2 * count { floats = [Float](repeating: 0, count: 2 * count) }
            floats.withUnsafeMutableBufferPointer { floats in
                for frame in 0..<count {
                    floats[2 * frame] = left[frame]
                    floats[2 * frame + 1] = right[frame]
                }
            }
            written = sf_writef_float(handle, floats, sf_count_t(count))
        case .int16, .int24:
            if integers.count < 2 * count { integers = [Int32](repeating: 0, count: 2 * count) }
            let bits = format == .int16 ? 16 : 24
            var dither = dither
            integers.withUnsafeMutableBufferPointer { integers in
                for frame in 0..<count {
                    // libsndfile takes the upper bits.
                    integers[2 * frame] = dither.quantise(left[frame], bits: bits) << (32 - bits)
                    integers[2 * frame + 1] = dither.quantise(right[frame], bits: bits) << (32 - bits)
                }
            }
            self.dither = dither
            written = sf_writef_int(handle, integers, sf_count_t(count))
        }
        guard written == sf_count_t(count) else { throw failure(errno, sf_error(handle)) }
        frameCount += Int64(count)
    }

    /// Completes the file and gives it its name. sf_close, fsync, rename
    package func finish() throws(AudioFileError) {
        guard let open = handle.take() else { preconditionFailure("the file is finished") }
        errno = 0
        let code = sf_close(open)
        guard code == 0 else { throw failure(errno, code) }
        guard fsync(file) == 0 else { throw failure(errno, 0) }
        guard rename(temporaryPath, path) == 0 else { throw .cannotCreate(path: path, reason: words(for: errno)) }
        isFinished = true
    }

    private func failure(_ systemCode: Int32, _ libraryCode: Int32) -> AudioFileError {
        switch systemCode {
        case ENOSPC, EDQUOT: .diskFull(path: path)
        case 0: .cannotWrite(path: path, reason: String(cString: sf_error_number(libraryCode)))
        default: .cannotWrite(path: path, reason: words(for: systemCode))
        }
    }
}
