import AudioFiles
import Engine
import Foundation

/// One file to be made.
struct RenderJob: Sendable {
    /// As it was named, or made up in the folder that was.
    let output: String
    let encoding: AudioFileWriter.Encoding
    let details: FileDetails
    let sampleRate: Int
    let frameCount: Int64
    /// For the user, beyond what every file is.
    let remark: String
    /// What is in the file, one after the other; made when its turn comes, since it takes memory.
    let sources: [@Sendable () -> any RenderSource]

    struct Stopped: Error {}

    private static let blockSize = 8192

    /// Makes the file.
    ///
    /// - Parameter progress: Told the frames done since the last time; false gives up.
    /// - Returns: Samples that the ceiling has cut.
    /// - Throws: `AudioFileError`, `Stopped`, `ProgramError` where a sound file cannot be read.
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
                        // A layer that falls silent in the middle is not what was asked for.
                        if let failure = source.takeSoundFailure() { throw ProgramError(.badFile, failure.sentence) }
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
