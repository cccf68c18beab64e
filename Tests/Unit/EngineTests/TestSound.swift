import Foundation
import Patches
import Synchronization

@testable import Engine

/// A recording that needs no file: a sine in the left ear and one of half the frequency in the right ear, for ever.
final class TestSound: SoundReader {
    let frameCount: Int64 = 1 << 40
    private let increment: Double
    private let log: Log?

    /// The engine's requests, and the results it gets.
    final class Log: Sendable {
        private let state = Mutex((opened: 0, asked: Int64(-1), chunks: [Int64](), limit: Int64.max, failure: Int64.max))

        /// The number of times a sound was opened.
        var openings: Int { state.withLock { $0.opened } }
        /// The last requested chunk, even if it is held back: all earlier ones have been delivered.
        var asked: Int64 { state.withLock { $0.asked } }
        /// The chunks that were read, in order.
        var chunks: [Int64] { state.withLock { $0.chunks } }

        /// Chunks from this one on are held back until it is moved.
        func hold(from chunk: Int64) { state.withLock { $0.limit = chunk } }

        /// Chunks from this one on cannot be read.
        func fail(from chunk: Int64) { state.withLock { $0.failure = chunk } }

        fileprivate func recordOpening() { state.withLock { $0.opened += 1 } }

        fileprivate func take(_ chunk: Int64) throws(SoundFailure) {
            state.withLock { $0.asked = chunk }
            while state.withLock({ $0.limit <= chunk }) { usleep(200) }
            let fails = state.withLock { state in
                state.chunks.append(chunk)
                return state.failure <= chunk
            }
            if fails { throw SoundFailure("Chunk \(chunk) is damaged.") }
        }
    }

    init(_ sound: SoundName, sampleRate: Double, log: Log? = nil) {
        increment = 2 * .pi * (150 + 10 * Double(sound.path.utf8.count)) / sampleRate
        self.log = log
    }

    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFailure) {
        try log?.take(frame / Int64(SoundStream.chunkLength))
        for index in 0..<count {
            let phase = increment * Double(frame + Int64(index))
            left[index] = Float(sin(phase))
            right[index] = Float(sin(phase / 2))
        }
    }

    static let open: SoundOpener = { sound, sampleRate throws(SoundFailure) in TestSound(sound, sampleRate: sampleRate) }

    static func open(_ log: Log) -> SoundOpener {
        { sound, sampleRate throws(SoundFailure) in
            log.recordOpening()
            return TestSound(sound, sampleRate: sampleRate, log: log)
        }
    }

    /// A patch that plays this recording.
    static func patch(_ values: [Parameter: Double] = [.gain: -12], duration: Double? = nil, others: [Layer] = []) -> Patch {
        var layer = Layer(name: "sound", kind: .file, values: values)
        layer.path = "/sound"
        return Patch(duration: duration, layers: [layer] + others)
    }
}
