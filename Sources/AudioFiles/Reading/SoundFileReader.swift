import Engine

/// A sound file as a layer plays it, at the engine's sample rate.
package final class SoundFileReader: SoundReader {
    package let frameCount: Int64
    private var frames: SoundFrames
    /// The converter to the engine's sample rate; `nil` if the file has that rate.
    private let converter: SampleRateConverter?

    /// - Parameter sampleRate: The engine's, rounded to whole Hz.
    package init(_ sound: SoundName, sampleRate: Double) throws(SoundFileError) {
        let file = try SoundFile(path: sound.path)
        try file.check(sound.segments)
        let rate = Int(sampleRate.rounded())
        frames = SoundFrames(file, loops: sound.loops, blockCount: sound.segments == nil ? 3 : 8)
        converter = file.sampleRate == rate ? nil : SampleRateConverter(from: file.sampleRate, to: rate)
        if converter == nil, file.sampleRate != rate { throw .sampleRate(path: sound.path, file.sampleRate) }
        frameCount = max(1, Int64((Double(file.frameCount) * Double(rate) / Double(file.sampleRate)).rounded(.down)))
    }

    /// Opens sound files for an engine.
    package static let open: SoundOpener = { sound, sampleRate throws(SoundFailure) in
        do throws(SoundFileError) {
            return try SoundFileReader(sound, sampleRate: sampleRate)
        } catch {
            throw error.failure
        }
    }

    package func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFailure) {
        do throws(SoundFileError) {
            if let converter {
                try converter.read(&frames, from: frame, left: left, right: right, count: count)
                // A file may hold numbers so large that their sum is infinite.
                for index in 0..<count {
                    if !left[index].isFinite { left[index] = 0 }
                    if !right[index].isFinite { right[index] = 0 }
                }
            } else {
                try frames.read(from: frame, left: left, right: right, count: count)
            }
        } catch {
            throw error.failure
        }
    }
}
