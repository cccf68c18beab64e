// The thread that decodes, one at a time.
import Csndfile
import Glibc
import Patches
import RegularFiles

/// A sound file that is open for random access. One thread at a time.
package final class SoundFile {
    package let path: String
    /// Sample rate in Hz.
    package let sampleRate: Int
    package let channelCount: Int
    /// Length in frames, from 1 to 2^40.
    package let frameCount: Int64
    /// Whether frames do not depend on earlier decoding, as in lossless formats.
    let isLossless: Bool
    private let handle: OpaquePointer
    /// The next frame to be read.
    private var position: Int64 = 0
    private var interleaved: [Float]
    private let slice: Int

    /// Opens a file. sf_open_fd
    package init(path: String) throws(SoundFileError) {
        self.path = path
        let descriptor: Int32
        do throws(FileError) { descriptor = try RegularFile.open(path) } catch {
            switch error.cause {
            case .system(ENOENT), .system(ENOTDIR): throw .notThere(path: path)
            case .system: throw .cannotOpen(path: path, reason: error.reason)
            case .kind: throw .notAFile(path: path, reason: error.reason)
            }
        }
        var information = SF_INFO()
        guard let handle = sf_open_fd(descriptor, Int32(SFM_READ), &information, Int32(SF_TRUE)) else {
            // The library has closed the descriptor.
            throw .notSound(path: path, reason: words(sf_strerror(nil)))
        }
        guard information.frames > 0, information.channels > 0, information.samplerate > 0, information.seekable != 0 else {
            sf_close(handle)
            throw .noFrames(path: path)
        }
        guard information.frames <= Self.mostFrames else {
            sf_close(handle)
            throw .tooLong(path: path, frames: information.frames)
        }
        self.handle = handle
        sampleRate = Int(information.samplerate)
        channelCount = Int(information.channels)
        frameCount = information.frames
        isLossless = Self.isLossless(information.format)
        slice = max(1, 16_384 / channelCount)
        interleaved = [Float](repeating: 0, count: slice * channelCount)
    }

    deinit { sf_close(handle) }

    private static func isLossless(_ format: Int32) -> Bool {
        switch format & Int32(SF_FORMAT_SUBMASK) {
        case Int32(SF_FORMAT_VORBIS), Int32(SF_FORMAT_OPUS), Int32(SF_FORMAT_MPEG_LAYER_I), Int32(SF_FORMAT_MPEG_LAYER_II),
            Int32(SF_FORMAT_MPEG_LAYER_III), Int32(SF_FORMAT_GSM610), Int32(SF_FORMAT_IMA_ADPCM), Int32(SF_FORMAT_MS_ADPCM),
            Int32(SF_FORMAT_VOX_ADPCM), Int32(SF_FORMAT_G721_32), Int32(SF_FORMAT_G723_24), Int32(SF_FORMAT_G723_40):
            false
        default: true
        }
    }

    /// Reads `count` frames of the file. Of more than two channels the first two are used; a single one goes to both ears. NaN and infinity
    /// become silence. sf_seek, sf_readf_float
    ///
    /// - Parameter restarts: Whether to seek even if the next frame is wanted, which makes lossy formats independent of earlier reads.
    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int, restarts: Bool = false
    ) throws(SoundFileError) {
        if restarts || frame != position {
            guard sf_seek(handle, frame, Int32(SEEK_SET)) == frame else { throw .cannotRead(path: path, frame: frame) }
            position = frame
        }
        var done = 0
        while done < count {
            let wanted = min(count - done, slice)
            let got = Int(interleaved.withUnsafeMutableBufferPointer { sf_readf_float(handle, $0.baseAddress, sf_count_t(wanted)) })
            guard got > 0 else {
                position = -1
                // Formats without an exact length may be off by some of their blocks.
                guard !isLossless, frame + Int64(done) > frameCount - Self.tolerance else {
                    throw .cannotRead(path: path, frame: frame + Int64(done))
                }
                for index in done..<count { (left[index], right[index]) = (0, 0) }
                return
            }
            let second = channelCount > 1 ? 1 : 0
            for index in 0..<got {
                left[done + index] = Self.finite(interleaved[index * channelCount])
                right[done + index] = Self.finite(interleaved[index * channelCount + second])
            }
            done += got
            position += Int64(got)
        }
    }

    /// Checks that it is long enough for a section.
    ///
    /// - Parameter segments: The segments that it is played in; `nil` to play it from its beginning to its end.
    package func check(_ segments: SoundSegments?) throws(SoundFileError) {
        let length = Double(frameCount) / Double(sampleRate)
        if let segments, segments.start >= length { throw .endsBeforeSection(path: path, (length * 1000).rounded() / 1000) }
    }

    /// Reads the whole file.
    ///
    /// - Throws: at the first frame that cannot be read.
    package func decode() throws(SoundFileError) {
        var (left, right) = ([Float](repeating: 0, count: slice), [Float](repeating: 0, count: slice))
        var frame: Int64 = 0
        while frame < frameCount {
            let count = Int(min(Int64(slice), frameCount - frame))
            try read(from: frame, left: &left, right: &right, count: count)
            frame += Int64(count)
        }
    }

    private static let tolerance: Int64 = 8192
    /// Nine months at 48 kHz: frames at any other rate can be counted exactly, too.
    private static let mostFrames: Int64 = 1 << 40

    private static func finite(_ sample: Float) -> Float { sample.isFinite ? sample : 0 }
}
