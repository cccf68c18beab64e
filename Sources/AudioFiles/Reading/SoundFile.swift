// The thread that decodes, one at a time.
import Csndfile
import Glibc
import Patches
import OperatingSystem

/// A sound file that is open for random access. One thread at a time.
package final class SoundFile {
    package let path: String
    /// Sample rate in Hz.
    package let sampleRate: Int
    package let channelCount: Int
    /// Length in frames, from 1 to 2^40.
    package let frameCount: Int64
    /// Whether single frames can be read, since none depends on others.
    let isLossless: Bool
    /// Frames that have to be decoded before those that are wanted, so that these are the same whatever was read before; 0 if they always are.
    let lead: Int64
    /// In Vorbis, the last frame to which the library seeks exactly; `nil` in other formats.
    private let lastSeek: Int64?
    private let handle: OpaquePointer
    /// The next frame to be read; -1 if it is not known.
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
        let isVorbis = information.format & Int32(SF_FORMAT_SUBMASK) == Int32(SF_FORMAT_VORBIS)
        lead = isLossless || isVorbis ? 0 : Self.decoderLead
        lastSeek = isVorbis ? max(0, information.frames - OggPages.lastPageFrames(of: descriptor) - Self.largestBlock) : nil
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
    /// become silence. sf_readf_float
    ///
    /// - Parameter restarts: Whether to seek even if the next frame is wanted, which makes formats with a lead independent of earlier reads.
    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int, restarts: Bool = false
    ) throws(SoundFileError) {
        if restarts || frame != position { try seek(to: frame) }
        var done = 0
        while done < count {
            let got = readSlice(count - done)
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
        }
    }

    /// Makes a frame the next one, or the end of the file if that comes before it. sf_seek
    private func seek(to frame: Int64) throws(SoundFileError) {
        var place = frame
        if let lastSeek {
            place = max(0, min(frame - Self.decoderLead, lastSeek))
            // libsndfile seeks in Vorbis to a wrong frame if it is in the last page, or less than two seconds ahead.
            if position >= 0, position <= frame, place - position < 3 * Int64(sampleRate) { return skip(to: frame) }
        }
        position = sf_seek(handle, place, Int32(SEEK_SET))
        guard position == place else {
            position = -1
            throw .cannotRead(path: path, frame: frame)
        }
        skip(to: frame)
    }

    /// Decodes the frames up to one that is wanted, or to the end of the file.
    private func skip(to frame: Int64) {
        while position < frame, readSlice(Int(min(frame - position, Int64(slice)))) > 0 {}
    }

    /// Decodes the next frames into `interleaved`.
    ///
    /// - Returns: Their number, at most `count` and `slice`; 0 at the end.
    private func readSlice(_ count: Int) -> Int {
        let wanted = sf_count_t(min(count, slice))
        let got = interleaved.withUnsafeMutableBufferPointer { sf_readf_float(handle, $0.baseAddress, wanted) }
        position += got
        return Int(got)
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

    /// After so many frames a decoder has forgotten where it began.
    private static let decoderLead: Int64 = 16_384
    /// Frames of the largest block of Vorbis.
    private static let largestBlock: Int64 = 8192
    private static let tolerance: Int64 = 8192
    /// Nine months at 48 kHz: frames at any other rate can be counted exactly, too.
    private static let mostFrames: Int64 = 1 << 40

    private static func finite(_ sample: Float) -> Float { sample.isFinite ? sample : 0 }
}
