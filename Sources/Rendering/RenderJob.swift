import AudioFiles
import Engine
import Foundation

/// One file to render.
package struct RenderJob: Sendable {
    /// The path of the file, as given or made up in the given folder.
    package let output: String
    package let encoding: AudioFileWriter.Encoding
    package let details: FileDetails
    let sampleRate: Int
    package let frameCount: Int64
    /// A remark for the user about this file.
    package let remark: String
    /// The contents of the file in order; each source is made when it is needed, since it takes memory.
    let sources: [@Sendable () -> any RenderSource]

    struct Stopped: Error {}

    private static let blockSize = 8192

    /// Renders the file.
    ///
    /// - Parameter progress: gets the frames done since its last call; returning false cancels.
    /// - Returns: The number of samples clipped at the ceiling.
    /// - Throws: `AudioFileError`, `Stopped`, `RenderError` if a sound file cannot be read.
    func run(progress: (Int64) -> Bool) throws -> UInt64 {
        let writer = try AudioFileWriter(path: output, sampleRate: sampleRate, encoding, details)
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
                        try writer.write(left: UnsafeBufferPointer(left), right: UnsafeBufferPointer(right))
                    }
                }
                done += Int64(count)
                guard progress(Int64(count)) else { throw Stopped() }
            }
            samplesAtCeiling += source.samplesAtCeiling
        }
        try writer.finish()
        return samplesAtCeiling
    }
}
