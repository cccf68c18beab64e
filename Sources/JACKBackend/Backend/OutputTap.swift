// The render thread copies what it outputs; one other thread takes it.

import RealTime

/// A frame of the outputs.
struct StereoFrame: BitwiseCopyable, Sendable {
    var left: Float
    var right: Float
}

/// The end of a tap on the render thread.
struct TapInput: ~Copyable {
    var frames: RingProducer<StereoFrame>

    init(_ frames: consuming RingProducer<StereoFrame>) { self.frames = frames }

    /// Copies a cycle's frames; those for which there is no room are dropped. Render thread.
    mutating func add(left: UnsafePointer<Float>, right: UnsafePointer<Float>, count: Int) {
        for index in 0..<count where frames.push(StereoFrame(left: left[index], right: right[index])) != nil { return }
    }
}

/// A copy of what one JACK client outputs at one sample rate, for one reader. While it is closed, the render thread copies nothing.
package final class OutputTap: @unchecked Sendable {
    // SAFETY: `input` is the callback's, except while it is made and freed, when no callback has it; `frames` is the reader's.
    let input: UnsafeMutablePointer<TapInput>
    private var frames: RingConsumer<StereoFrame>
    /// Hz.
    package let sampleRate: Int

    /// Seconds of sound for which there is room.
    private static let room = 0.5

    init(sampleRate: Int) {
        let ring = Ring<StereoFrame>(capacity: max(1, Int(Double(sampleRate) * Self.room)))
        self.sampleRate = sampleRate
        input = .allocate(capacity: 1)
        frames = ring.consumer
        input.initialize(to: TapInput(ring.producer))
        // The render thread must not be the first to touch the memory.
        for _ in 0..<input.pointee.frames.capacity { _ = input.pointee.frames.push(StereoFrame(left: 0, right: 0)) }
        while frames.pop() != nil {}
    }

    deinit {
        input.deinitialize(count: 1)
        input.deallocate()
    }

    /// Removes and returns the frames that were output since the last call, interleaved. Only the reader's thread.
    package func take() -> [Float] {
        var taken: [Float] = []
        while let frame = frames.pop() {
            taken.append(frame.left)
            taken.append(frame.right)
        }
        return taken
    }
}
