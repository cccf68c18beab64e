// Either thread: a recorded sound on its way from the decoding thread to the render thread.

import Synchronization

/// A decoded stretch of a sound: chunk n holds the frames from n times ``SoundStream/chunkLength`` on, the same for every stream.
final class SoundChunk {
    /// The channels one after the other, see ``SoundParts/channels``.
    let samples: UnsafeMutablePointer<Float>

    /// - Parameter filter: Makes the channels beyond the first two; `nil` if there are none.
    init(_ number: Int64, of reader: any SoundReader, _ parts: SoundParts, filter: SoundFilter?) throws(SoundFailure) {
        let length = SoundStream.chunkLength
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: parts.channels * length)
        self.samples = samples
        if let filter {
            try filter.fill(samples, chunk: number, reader)
        } else {
            try reader.read(from: number * Int64(length), left: samples, right: samples + length, count: length)
        }
    }

    deinit { samples.deallocate() }
}

/// The sound of one layer of one playhead, decoded ahead: consecutive chunks. A playhead only goes forward, so each chunk is stored once
/// and passed once.
struct SoundStream: ~Copyable {
    /// The number of frames in a chunk.
    static var chunkLength: Int {
        @_noLocks @_noAllocation get { 8192 }
    }

    /// Samples of the chunks: those of chunk n are in place n modulo ``capacity``.
    let places: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// The number of chunks that there is room for.
    let capacity: Int64
    /// The number of frames in the fades before and after a gap.
    let fadeFrames: Int
    /// The frames beyond a block that are heard in it.
    let lead: Int
    /// Whether the chunks have the bands of the sound.
    let hasBands: Bool
    /// Whether the chunks have a quadrature.
    let hasQuadrature: Bool
    /// The first chunk that the render thread still reads; written by the render thread.
    let needed: Atomic<Int64>
    /// The chunk after the last one that can be read; written by the decoding thread.
    let delivered: Atomic<Int64>
    /// Whether no more chunks will come; written by the decoding thread.
    let isOver = Atomic(false)
    /// The number of times that it was not decoded in time; written by the render thread.
    let gaps = Atomic<UInt64>(0)
    /// Render thread: frames of the fade that are done; `fadeFrames` is the full level, -1 before the first frame. Atomic since the decoding thread
    /// reads the fields beside it meanwhile, and a change of a plain field counts as one of the whole structure.
    let level = Atomic(-1)

    init(at frame: Int64, capacity: Int, fadeFrames: Int, _ parts: SoundParts) {
        let first = frame / Int64(SoundStream.chunkLength)
        places = .allocate(capacity: capacity)
        places.initialize(repeating: nil, count: capacity)
        self.capacity = Int64(capacity)
        self.fadeFrames = fadeFrames
        lead = 2 * parts.delay
        hasBands = !parts.bands.isEmpty
        hasQuadrature = parts.hasQuadrature
        needed = Atomic(first)
        delivered = Atomic(first)
    }

    deinit { places.deallocate() }

    /// The number of frames from `frame` on that can be read without a gap.
    @_noLocks @_noAllocation
    func framesReady(from frame: Int64) -> Int64 {
        let length = Int64(SoundStream.chunkLength)
        guard frame / length >= needed.load(ordering: .relaxed) else { return 0 }
        return max(delivered.load(ordering: .acquiring) * length - frame, 0)
    }
}

/// A stream as the control side holds it: the sound it was made for, and the chunks that hold its samples.
final class SoundFeed: @unchecked Sendable {
    // SAFETY: the stream's fields say which thread they belong to; `chunks` and `reported` are touched under the feeder's order of work.
    let name: SoundName
    let stream: UnsafeMutablePointer<SoundStream>
    /// The chunks in the stream's places.
    private var chunks: [SoundChunk?]
    /// The number of gaps that have been reported.
    var reported: UInt64 = 0
    /// Decoding thread: the sound that the chunks come from, once it is open.
    var sound: SharedSound?

    /// The time in seconds that is decoded ahead.
    static let reach = 2.0

    /// - Parameter frame: Plan frame at which it begins.
    init(_ name: SoundName, at frame: Int64, sampleRate: Double) {
        self.name = name
        let capacity = Int((Self.reach * sampleRate / Double(SoundStream.chunkLength)).rounded(.up)) + 2
        chunks = Array(repeating: nil, count: capacity)
        stream = .allocate(capacity: 1)
        stream.initialize(
            to: SoundStream(
                at: frame, capacity: capacity, fadeFrames: Int(Frames.count(of: Frames.shortFade, sampleRate: sampleRate)),
                name.parts))
    }

    deinit {
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Decoding thread: the next chunk to store, and how many are ahead of the render thread; `nil` if there is no room or no more to come.
    var wanted: (chunk: Int64, ahead: Int64)? {
        let needed = stream.pointee.needed.load(ordering: .acquiring)
        let next = max(stream.pointee.delivered.load(ordering: .relaxed), needed)
        guard !stream.pointee.isOver.load(ordering: .relaxed), next < needed + stream.pointee.capacity else { return nil }
        return (next, next - needed)
    }

    /// Decoding thread: stores the chunk that was wanted.
    func deliver(_ chunk: SoundChunk, number: Int64) {
        let place = Int(number % stream.pointee.capacity)
        chunks[place] = chunk
        stream.pointee.places[place] = UnsafePointer(chunk.samples)
        stream.pointee.delivered.store(number + 1, ordering: .releasing)
    }

    /// Decoding thread: marks that no more chunks will come.
    func end() { stream.pointee.isOver.store(true, ordering: .releasing) }

    /// Whether a playhead can begin with it: enough is decoded, or nothing will be.
    var isReady: Bool {
        if stream.pointee.isOver.load(ordering: .acquiring) { return true }
        // It takes more than a fade and a block, which may begin at the end of the first chunk.
        let chunks = 2 + (stream.pointee.fadeFrames + Scratch.blockSize + stream.pointee.lead - 1) / SoundStream.chunkLength
        return stream.pointee.delivered.load(ordering: .acquiring) >= stream.pointee.needed.load(ordering: .relaxed) + Int64(chunks)
    }
}
