import Csndfile
import Foundation
import OperatingSystem

/// Writes a stereo sound file that appears under its name only when it is complete. A WAV file beyond 4 GiB becomes RF64, which players of
/// such files expect.
///
/// Until `finish` the samples go to a hidden file beside it, which is removed if the writer is dropped before.
package final class AudioFileWriter {
    package let path: String
    package private(set) var frameCount: Int64 = 0
    private let format: FileFormat
    private let depth: SampleFormat
    private let replaces: Bool
    private let temporaryPath: String
    private let file: WrittenFile
    private let header: CommentHeader?
    private let tag: ID3Tag?
    /// Handle of libsndfile; `nil` once the file is finished.
    private(set) var handle: OpaquePointer?
    private var isFinished = false
    private var samples: InterleavedSamples

    /// How samples are stored.
    package struct Encoding: Equatable, Sendable {
        package var format: FileFormat
        /// Ignored by formats without a choice.
        package var depth: SampleFormat
        /// Quality 0...1 of lossy formats; `nil` is libsndfile's default.
        package var quality: Double?

        package init(_ format: FileFormat, _ depth: SampleFormat = .int24, quality: Double? = nil) {
            self.format = format
            self.depth = depth
            self.quality = quality
        }
    }

    /// Starts a file. sf_open_virtual
    ///
    /// - Parameters:
    ///   - sampleRate: Hz.
    ///   - ceiling: dBFS that no sample of a lossless format exceeds by its dither, at most 0.
    ///   - replaces: Whether a file that has the name in the end is replaced.
    ///   - firstFrame: The first frame of this part of a whole, whose dither it has.
    package init(
        path: String, sampleRate: Int, _ encoding: Encoding, _ details: FileDetails = FileDetails(), ceiling: Double = 0,
        replaces: Bool = true, firstFrame: Int64 = 0
    ) throws(AudioFileError) {
        samples = InterleavedSamples(ceiling: ceiling, firstFrame: firstFrame)
        self.replaces = replaces
        // A link keeps pointing to the new file.
        (self.path, temporaryPath) = RegularFile.replacement(of: path)
        (format, depth) = (encoding.format, encoding.depth)
        guard format.isAvailable else { throw .formatMissing(path: path, format: format.name) }
        do throws(FileError) {
            try RegularFile.requireRegular(self.path, for: .create)
            file = WrittenFile(try RegularFile.create(temporaryPath))
        } catch {
            throw .cannotCreate(path: path, reason: error.reason)
        }
        // Beyond some 50,000 bytes libsndfile 1.2 drops the comments of an Opus file.
        let limit = format == .opus ? 32_000 : 8 << 20
        header =
            format.hasComments
            ? CommentHeader(
                details.comments(sampleRate: sampleRate, limit: limit, holdsPicture: format != .flac),
                picture: format == .flac ? details.picture : nil)
            : nil
        tag = format == .mp3 ? ID3Tag(details, sampleRate: sampleRate) : nil
        var description = SF_INFO()
        description.samplerate = Int32(sampleRate)
        description.channels = 2
        description.format = format.code(depth)
        var calls = WrittenFile.calls
        handle = sf_open_virtual(&calls, Int32(SFM_WRITE), &description, Unmanaged.passUnretained(file).toOpaque())
        guard let handle else {
            throw file.failure == 0 ? .cannotCreate(path: path, reason: words(sf_strerror(nil))) : failure(0)
        }
        // RF64 only if needed.
        sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
        // The peak chunk contains the time of day, so that two renderings would differ.
        sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        if var quality = encoding.quality, !format.isLossless {
            sf_command(handle, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
        }
        if let placeholder = header?.placeholder ?? tag?.placeholder {
            sf_set_string(handle, Int32(SF_STR_COMMENT), placeholder)
        } else {
            writeDetails(details, handle)
        }
    }

    deinit {
        if let handle { sf_close(handle) }
        if !isFinished { unlink(temporaryPath) }
    }

    /// Writes the details of a WAV file. sf_set_string, sf_set_chunk
    private func writeDetails(_ details: FileDetails, _ handle: OpaquePointer) {
        for (kind, text) in [
            (SF_STR_TITLE, details.title), (SF_STR_ARTIST, details.artist), (SF_STR_ALBUM, details.album), (SF_STR_GENRE, details.genre),
            (SF_STR_COMMENT, details.comment), (SF_STR_TRACKNUMBER, details.track.map { "\($0.number)/\($0.total)" } ?? ""),
        ] where FileDetails.canWrite(text) { sf_set_string(handle, Int32(kind), text) }
        guard !details.chapters.isEmpty else { return }
        let (cue, labels) = CueChunks.make(details.chapters)
        for (name, content) in [("cue ", cue), ("LIST", labels)] {
            var content = content
            var chunk = SF_CHUNK_INFO()
            withUnsafeMutableBytes(of: &chunk.id) { $0.copyBytes(from: name.utf8) }
            chunk.id_size = 4
            chunk.datalen = UInt32(content.count)
            content.withUnsafeMutableBytes { bytes in
                // SAFETY: the library copies what it is given.
                chunk.data = bytes.baseAddress
                sf_set_chunk(handle, &chunk)
            }
        }
    }

    /// Appends frames; both buffers have the same length. sf_writef_float, sf_writef_short, sf_writef_int
    package func write(left: UnsafeBufferPointer<Float>, right: UnsafeBufferPointer<Float>) throws(AudioFileError) {
        precondition(left.count == right.count, "Both channels must have the same number of frames.")
        guard let handle else { preconditionFailure("The file is already finished.") }
        let count = left.count
        let written: sf_count_t
        samples.interleave(left, right)
        if !format.isLossless || depth == .float32 {
            written = sf_writef_float(handle, samples.floats, sf_count_t(count))
        } else if depth == .int16 {
            written = sf_writef_short(handle, samples.quantised16(), sf_count_t(count))
        } else {
            // libsndfile takes the upper bits.
            written = sf_writef_int(handle, samples.quantised24(shiftedBy: 8), sf_count_t(count))
        }
        let code = sf_error(handle)
        // The Ogg encoders do not report that one of their pages was lost; the file does.
        guard written == sf_count_t(count), code == 0, file.failure == 0 else { throw failure(code) }
        frameCount += Int64(count)
    }

    /// Completes the file and gives it its name. sf_close, fsync, rename, link
    package func finish() throws(AudioFileError) {
        guard let open = handle.take() else { preconditionFailure("The file is already finished.") }
        let code = sf_close(open)
        guard code == 0, file.failure == 0 else { throw failure(code) }
        if format == .wav, depth == .int16 {
            try rewriteHeader(reach: PlainFormatChunk.reach) { header in
                PlainFormatChunk.replace(in: &header)
                return true
            }
        }
        if let header { try rewriteHeader(reach: header.reach) { header.replace(in: &$0, format) } }
        if let tag {
            try rewriteHeader(reach: tag.reach) { tag.replace(in: &$0, frameCount: frameCount) }
            try dropOldTag()
        }
        file.sync()
        guard file.failure == 0 else { throw failure(0) }
        do throws(FileError) { try takeName() } catch {
            throw .cannotCreate(path: path, reason: error.code == EEXIST ? "another file has taken this name meanwhile" : error.reason)
        }
        isFinished = true
    }

    private func takeName() throws(FileError) {
        if !replaces {
            guard link(temporaryPath, path) != 0 else {
                unlink(temporaryPath)
                return
            }
            // Some file systems have no links.
            guard try RegularFile.status(of: path, followsLinks: false) == nil else {
                throw FileError(operation: .create, path: path, code: EEXIST)
            }
        }
        try RegularFile.move(temporaryPath, to: path)
    }

    /// Writes the details into the room that was left for them.
    ///
    /// - Parameters:
    ///   - reach: Bytes of the file's header.
    ///   - replace: Changes the header; false if it is not as expected.
    private func rewriteHeader(reach: Int, _ replace: (inout [UInt8]) -> Bool) throws(AudioFileError) {
        var header = file.bytes(at: 0, count: reach)
        guard file.failure == 0 else { throw failure(0) }
        guard replace(&header) else {
            throw .cannotWrite(path: path, reason: "this system's libsndfile leaves no room for the title and chapters")
        }
        header.withUnsafeBytes { _ = file.write($0, at: 0) }
        guard file.failure == 0 else { throw failure(0) }
    }

    /// Removes the ID3v1 tag, which has a part of the placeholder.
    private func dropOldTag() throws(AudioFileError) {
        let start = file.length - Int64(ID3Tag.oldTagSize)
        guard start > 0 else { return }
        if ID3Tag.isOldTag(file.bytes(at: start, count: ID3Tag.oldTagSize)) { file.truncate(to: start) }
        guard file.failure == 0 else { throw failure(0) }
    }

    /// The error of the file, or else that of libsndfile.
    private func failure(_ libraryCode: Int32) -> AudioFileError {
        switch file.failure {
        case ENOSPC, EDQUOT: .diskFull(path: path)
        case 0: .cannotWrite(path: path, reason: words(sf_error_number(libraryCode)))
        case let code: .cannotWrite(path: path, reason: Errno(rawValue: code).reason)
        }
    }
}
