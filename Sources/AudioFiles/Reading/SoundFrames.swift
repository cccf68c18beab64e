import Glibc
import Patches

/// The frames of a file played from its start, at its own sample rate: preceded by silence, and looped or followed by silence at the end.
/// The samples are the same whatever was read before.
struct SoundFrames {
    private let file: SoundFile
    private let loops: Bool
    /// Frames of the fade at the end of a sound that is not looped.
    private let fadeFrames: Int64
    /// The most blocks that are kept.
    private let blockCount: Int
    /// The blocks decoded last; the newest comes last.
    private var blocks: [Block] = []

    private struct Block {
        var number: Int64
        var left: [Float]
        var right: [Float]
    }

    /// Frames of a block. Long files in lossless formats are read directly instead.
    private static let blockLength: Int64 = 32_768

    /// - Parameter blockCount: The blocks to keep, of 0.25 MB each: the one that is read and the one before, for every place that is read in turn.
    init(_ file: SoundFile, loops: Bool, blockCount: Int) {
        self.file = file
        self.loops = loops
        self.blockCount = blockCount
        fadeFrames = min(Int64(file.sampleRate / 50), file.frameCount)
    }

    var sampleRate: Int { file.sampleRate }

    /// - Parameter frame: Any frame; those below 0 are silent.
    mutating func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFileError) {
        var done = 0
        while done < count {
            let at = frame + Int64(done)
            let rest = Int64(count - done)
            if at < 0 || (!loops && at >= file.frameCount) {
                let length = Int(at < 0 ? min(rest, -at) : rest)
                for index in done..<done + length { (left[index], right[index]) = (0, 0) }
                done += length
            } else {
                let place = at % file.frameCount
                let length = Int(min(rest, file.frameCount - place))
                try decode(from: place, left: left + done, right: right + done, count: length)
                if !loops { fadeOut(from: place, left: left + done, right: right + done, count: length) }
                done += length
            }
        }
    }

    /// Applies a smootherstep, so that a sound that is cut off at the end of its file does not click.
    private func fadeOut(from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) {
        for index in 0..<count {
            let remaining = file.frameCount - frame - Int64(index)
            guard remaining < fadeFrames else { continue }
            let gain = PortableMath.smootherstep(Float(remaining) / Float(fadeFrames))
            left[index] *= gain
            right[index] *= gain
        }
    }

    /// Decodes frames inside the file. Those of a short file, or of one in a lossy format, come from blocks.
    private mutating func decode(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFileError) {
        guard !file.isLossless || file.frameCount <= Self.blockLength else {
            return try file.read(from: frame, left: left, right: right, count: count)
        }
        var done = 0
        while done < count {
            let at = frame + Int64(done)
            let block = try block(at / Self.blockLength)
            let offset = Int(at % Self.blockLength)
            let length = min(count - done, block.left.count - offset)
            for index in 0..<length {
                left[done + index] = block.left[offset + index]
                right[done + index] = block.right[offset + index]
            }
            done += length
        }
    }

    private mutating func block(_ number: Int64) throws(SoundFileError) -> Block {
        if let block = blocks.last(where: { $0.number == number }) { return block }
        let start = number * Self.blockLength
        let first = max(start - file.lead, 0)
        let count = Int(min(start + Self.blockLength, file.frameCount) - first)
        var left = [Float](repeating: 0, count: count)
        var right = left
        try Self.read(file, from: first, &left, &right)
        let block = Block(number: number, left: Array(left[Int(start - first)...]), right: Array(right[Int(start - first)...]))
        if blocks.count == blockCount { blocks.removeFirst() }
        blocks.append(block)
        return block
    }

    private static func read(_ file: SoundFile, from frame: Int64, _ left: inout [Float], _ right: inout [Float]) throws(SoundFileError) {
        let count = left.count
        let failure = left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right -> SoundFileError? in
                guard let left = left.baseAddress, let right = right.baseAddress else { return nil }
                do throws(SoundFileError) {
                    try file.read(from: frame, left: left, right: right, count: count, restarts: file.lead > 0)
                    return nil
                } catch {
                    return error
                }
            }
        }
        if let failure { throw failure }
    }
}
