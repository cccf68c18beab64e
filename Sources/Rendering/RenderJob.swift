import AudioFiles
import Engine
import Foundation
import Patches

/// One file to render, or a stream to standard output.
package struct RenderJob: Sendable {
    /// The path of the file, as given or made up in the given folder, or the name of the stream.
    package let output: String
    /// `nil` for a file.
    let stream: AudioStreamWriter.Container?
    package let encoding: AudioFileWriter.Encoding
    package let details: FileDetails
    let sampleRate: Int
    package let frameCount: Int64
    /// A remark for the user about this file.
    package let remark: String
    /// The contents of the file in order; each source is made when it is needed, since it takes memory.
    let sources: [@Sendable () -> any RenderSource]
    var cover: Cover?
    /// The loudness of the file in LUFS; `nil` leaves it as it is.
    var loudness: Double?
    /// The whole of which the file is a part, if that is measured for its loudness.
    var whole: MeasuredWhole?
    /// The frame of the whole with which the file begins.
    var firstFrame: Int64 = 0
    /// The frames that are measured for the loudness on account of this file.
    var measuredFrames: Int64
    /// The output ceiling in dBFS.
    let ceiling: Double
    /// Whether a file that has the name in the end is replaced.
    package var replaces = true

    /// How a file was rendered.
    package struct Result: Sendable {
        /// The number of samples clipped at the ceiling.
        package var samplesAtCeiling: UInt64 = 0
        /// `nil` if no loudness was asked for.
        package var loudness: LoudnessChange?
    }

    /// The frames to render, also those to be measured first.
    package var work: Int64 { frameCount + (loudness == nil ? 0 : measuredFrames) }

    struct Stopped: Error {}

    private static let blockSize = 8192

    private func sink() throws(AudioFileError) -> any AudioSink {
        guard let stream else {
            var details = details
            details.picture = cover?.picture(room: encoding.format.pictureRoom)
            return try AudioFileWriter(
                path: output, sampleRate: sampleRate, encoding, details, ceiling: ceiling, replaces: replaces, firstFrame: firstFrame)
        }
        return AudioStreamWriter(
            stream, to: STDOUT_FILENO, sampleRate: sampleRate, encoding.depth, frameCount: frameCount, ceiling: ceiling)
    }

    /// Renders the file.
    ///
    /// - Parameter progress: gets the frames done since its last call; returning false cancels.
    /// - Throws: `AudioFileError`, `Stopped`, `RenderError` if a sound file cannot be read.
    func run(progress: (Int64) -> Bool) throws -> Result {
        // Before the loudness is measured, so that a wrong place is reported at once.
        let writer = try sink()
        var result = Result()
        if let loudness { result.loudness = try change(to: loudness, progress) }
        let (gain, limit) = (Float(Amplitude.ratio(result.loudness?.gain ?? 0)), Float(Amplitude.ratio(ceiling)))
        let changesLevel = (result.loudness?.gain ?? 0) != 0
        result.samplesAtCeiling = try render(sources, progress) { left, right in
            if changesLevel {
                for buffer in [left, right] {
                    for frame in buffer.indices { buffer[frame] = max(-limit, min(buffer[frame] * gain, limit)) }
                }
            }
            try writer.write(left: UnsafeBufferPointer(left), right: UnsafeBufferPointer(right))
        }
        try writer.finish()
        return result
    }

    /// Measures the file, or the whole that it is a part of.
    private func change(to loudness: Double, _ progress: (Int64) -> Bool) throws -> LoudnessChange {
        guard let whole else { return try change(to: loudness, sources, frameCount, progress) }
        return try whole.change { try change(to: loudness, whole.sources, whole.frameCount, progress) }
    }

    private func change(
        to loudness: Double, _ sources: [@Sendable () -> any RenderSource], _ frameCount: Int64, _ progress: (Int64) -> Bool
    ) throws -> LoudnessChange {
        let meter = LoudnessMeter(sampleRate: sampleRate, frameCount: frameCount, measuresTruePeak: false)
        _ = try render(sources, progress) { left, right in
            meter.add(left: UnsafeBufferPointer(left), right: UnsafeBufferPointer(right))
        }
        return LoudnessChange(to: loudness, from: meter, ceiling: ceiling)
    }

    /// Renders sources one after the other, in blocks. Returns the number of samples clipped at the ceiling.
    private func render(
        _ sources: [@Sendable () -> any RenderSource], _ progress: (Int64) -> Bool,
        into take: (UnsafeMutableBufferPointer<Float>, UnsafeMutableBufferPointer<Float>) throws -> Void
    ) throws -> UInt64 {
        var buffers = (left: [Float](repeating: 0, count: Self.blockSize), right: [Float](repeating: 0, count: Self.blockSize))
        var samplesAtCeiling: UInt64 = 0
        for makeSource in sources {
            let source = makeSource()
            var done: Int64 = 0
            while done < source.frameCount {
                let count = Int(min(Int64(Self.blockSize), source.frameCount - done))
                try buffers.left.withUnsafeMutableBufferPointer { left in
                    try buffers.right.withUnsafeMutableBufferPointer { right in
                        let left = UnsafeMutableBufferPointer(rebasing: left[..<count])
                        let right = UnsafeMutableBufferPointer(rebasing: right[..<count])
                        source.fill(left: left, right: right)
                        // A layer that falls silent in the middle would make a wrong file.
                        if let failure = source.takeSoundFailure() { throw RenderError(.badFile, failure.sentence) }
                        try take(left, right)
                    }
                }
                done += Int64(count)
                guard progress(Int64(count)) else { throw Stopped() }
            }
            samplesAtCeiling += source.samplesAtCeiling
        }
        return samplesAtCeiling
    }
}
