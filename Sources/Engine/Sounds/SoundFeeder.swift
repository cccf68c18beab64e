// Control makes and drops feeds; a decoding thread of its own fills them, or, offline, the thread that renders.
import Foundation
import Synchronization

/// Decodes sound files ahead of playback: on a thread of its own, or, for an engine without a deadline, on request.
///
/// Control makes feeds and drops them; the decoding thread fills the one with the least ahead, a chunk at a time.
final class SoundFeeder: Sendable {
    private let core: Core
    private let hasThread: Bool
    private let isStarted = Mutex(false)

    /// - Parameter hasThread: If false, chunks are decoded in ``feedAll()`` only.
    init(_ open: SoundOpener?, sampleRate: Double, hasThread: Bool) {
        core = Core(open, sampleRate: sampleRate)
        self.hasThread = hasThread
    }

    deinit { core.stop() }

    /// Flag that a process callback sets while it waits for chunks.
    var hurry: UnsafeMutablePointer<Atomic<Bool>> { core.hurry }

    /// Begins to decode for a playhead.
    func add(_ feed: SoundFeed) {
        core.change { $0.feeds.append(feed) }
        guard hasThread else { return }
        let starts = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        if starts { core.startThread() }
        sem_post(core.wakeUp)
    }

    /// Drops a feed that is no longer played.
    func remove(_ feed: SoundFeed) {
        core.change { state in state.feeds.removeAll { $0 === feed } }
    }

    /// Decodes until every stream is full; for an engine without a thread.
    func feedAll() {
        guard !hasThread else { return }
        while core.feedOne() {}
    }

    /// Waits until all of these can be played, but no longer than ``longestWait``: a disk may be slow.
    func wait(for feeds: [SoundFeed]) {
        guard hasThread else { return feedAll() }
        var tries = 0
        while tries < Self.tries, !feeds.allSatisfy(\.isReady) {
            usleep(Self.pause)
            tries += 1
        }
    }

    /// The longest wait for sound files, in seconds.
    static let longestWait = 0.06
    /// The pause between two checks, in microseconds.
    private static let pause: UInt32 = 250
    private static let tries = Int(longestWait * 1e6) / Int(pause)

    /// The failures and dropouts since the last call.
    func takeNotices() -> [SoundNotice] { core.takeNotices() }
}

private struct WeakSound {
    weak var sound: SharedSound?
}

/// The state that the feeder and its thread share.
private final class Core: @unchecked Sendable {
    // SAFETY: `state` is touched under `lock` alone; `sounds` belongs to the one thread that decodes; the addresses do not change.
    struct State {
        var feeds: [SoundFeed] = []
        /// The feed that a chunk is being decoded for, kept alive until that is done.
        var served: SoundFeed?
        var failures: [SoundNotice] = []
        var isStopped = false
    }

    /// A kind of lock that thread sanitizer knows.
    private let lock = NSLock()
    private var state = State()
    let wakeUp: UnsafeMutablePointer<sem_t>
    let hurry: UnsafeMutablePointer<Atomic<Bool>>
    private let open: SoundOpener?
    private let sampleRate: Double
    private var sounds: [SoundName: WeakSound] = [:]

    init(_ open: SoundOpener?, sampleRate: Double) {
        self.open = open
        self.sampleRate = sampleRate
        wakeUp = .allocate(capacity: 1)
        sem_init(wakeUp, 0, 0)
        hurry = .allocate(capacity: 1)
        hurry.initialize(to: Atomic(false))
    }

    deinit {
        sem_destroy(wakeUp)
        wakeUp.deallocate()
        hurry.deinitialize(count: 1)
        hurry.deallocate()
    }

    @discardableResult
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&state) }
    }

    /// Stops the thread without waiting for it, since it may hang on a disk.
    func stop() {
        change { $0.isStopped = true }
        sem_post(wakeUp)
    }

    func startThread() {
        let thread = Thread { self.work() }
        thread.name = "sound files"
        // Some decoders keep their blocks on the stack.
        thread.stackSize = 8 << 20
        thread.start()
    }

    private func work() {
        while !change({ $0.isStopped }) {
            while feedOne() {}
            wait()
        }
    }

    /// Waits until it is woken up, or for a while: nothing wakes it when a chunk has been played.
    private func wait() {
        var limit = timespec()
        clock_gettime(CLOCK_REALTIME, &limit)
        // A callback that waits once will wait again.
        let isHurried = hurry.pointee.exchange(false, ordering: .relaxed)
        limit.tv_nsec += isHurried ? Self.shortPause : Self.pause
        if limit.tv_nsec >= 1_000_000_000 {
            limit.tv_nsec -= 1_000_000_000
            limit.tv_sec += 1
        }
        if change({ !$0.feeds.isEmpty }) { sem_timedwait(wakeUp, &limit) } else { sem_wait(wakeUp) }
    }

    /// The pause between two checks, in nanoseconds: a fraction of what is decoded ahead.
    private static let pause = 50_000_000
    private static let shortPause = 500_000

    /// Decodes one chunk for the most urgent feed. Returns false when no feed has room for one.
    func feedOne() -> Bool {
        guard let (feed, chunk) = change(Self.next) else { return false }
        do throws(SoundFailure) {
            // Decoding and resampling give the same bits on this engine's thread and on the one that renders offline.
            let decoded = try flushingDenormals { () throws(SoundFailure) in try sound(for: feed)?.chunk(chunk) }
            if let decoded { feed.deliver(decoded, number: chunk) } else { feed.end() }
        } catch {
            feed.end()
            report(.failed(error))
        }
        // A feed that was removed meanwhile is freed here.
        _ = change { $0.served.take() }
        return true
    }

    private static func next(_ state: inout State) -> (feed: SoundFeed, chunk: Int64)? {
        guard !state.isStopped else { return nil }
        var best: (feed: SoundFeed, chunk: Int64, ahead: Int64)?
        for feed in state.feeds {
            guard let wanted = feed.wanted, wanted.ahead < best?.ahead ?? .max else { continue }
            best = (feed, wanted.chunk, wanted.ahead)
        }
        state.served = best?.feed
        return best.map { ($0.feed, $0.chunk) }
    }

    /// The sound of a feed, shared with other feeds if it is open already; `nil` if the layer has no file.
    private func sound(for feed: SoundFeed) throws(SoundFailure) -> SharedSound? {
        if let sound = feed.sound { return sound }
        guard let open, !feed.name.path.isEmpty else { return nil }
        let sound: SharedSound
        if let known = sounds[feed.name]?.sound {
            sound = known
        } else {
            sound = SharedSound(feed.name, try open(feed.name, sampleRate), sampleRate: sampleRate)
            sounds = sounds.filter { $0.value.sound != nil }
            sounds[feed.name] = WeakSound(sound: sound)
        }
        feed.sound = sound
        return sound
    }

    /// Reports a failure once, however many playheads meet it.
    private func report(_ failure: SoundNotice) {
        change { state in
            if !state.failures.contains(failure) { state.failures.append(failure) }
        }
    }

    func takeNotices() -> [SoundNotice] {
        let (feeds, failures) = change { state in
            defer { state.failures = [] }
            return (state.feeds, state.failures)
        }
        return failures
            + feeds.compactMap { feed in
                let gaps = feed.stream.pointee.gaps.load(ordering: .relaxed)
                guard gaps > feed.reported else { return nil }
                defer { feed.reported = gaps }
                return .late(path: feed.name.path, count: gaps - feed.reported)
            }
    }
}

/// An open sound and those of its chunks that are in use. Decoding thread only.
final class SharedSound {
    private let reader: any SoundReader
    private let parts: SoundParts
    private let filter: SoundFilter?
    private var chunks: [Int64: WeakChunk] = [:]

    private struct WeakChunk {
        weak var chunk: SoundChunk?
    }

    init(_ name: SoundName, _ reader: any SoundReader, sampleRate: Double) {
        let course = name.segments.map {
            SegmentSchedule($0, seedKey: name.seedKey, frameCount: reader.frameCount, sampleRate: sampleRate)
        }
        let sound = course.map { SegmentedSound(reader, $0) } ?? reader
        self.reader = name.parts.delay > 0 ? DelayedSound(sound, by: name.parts.delay) : sound
        parts = name.parts
        filter = SoundFilter(name.parts, sampleRate: sampleRate)
    }

    func chunk(_ number: Int64) throws(SoundFailure) -> SoundChunk {
        if let chunk = chunks[number]?.chunk { return chunk }
        let chunk = try SoundChunk(number, of: reader, parts, filter: filter)
        chunks = chunks.filter { $0.value.chunk != nil }
        chunks[number] = WeakChunk(chunk: chunk)
        return chunk
    }
}
