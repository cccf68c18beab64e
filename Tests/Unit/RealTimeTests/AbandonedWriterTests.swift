import Foundation
import RealTime
import Synchronization
import TestSupport
import Testing

/// A writer whose thread never continues: jackd cancels its clients' threads wherever they are.
@Suite("A writer that is abandoned in the middle", .serialized, .ownThread)
struct AbandonedWriterTests {
    struct Words: BitwiseCopyable, Sendable {
        var words: InlineArray<12, Int>

        init(_ value: Int) { words = .init(repeating: value) }

        /// `nil` if it is a mixture of several.
        var value: Int? { words.indices.allSatisfy { words[$0] == words[0] } ? words[0] : nil }
    }

    /// Publishes on a thread that stops for ever after storing this many words: the following ones are in unreadable memory.
    private func abandon(_ value: Int, after count: Int, in lock: Seqlock<Words>) {
        let work = UnsafeMutablePointer<(Seqlock<Words>, UnsafePointer<Words>)>.allocate(capacity: 1)
        work.initialize(to: (lock, Trap.shared.place(Words(value), readableBytes: count * 8)))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { work in
                // SAFETY: as it was made above, for this thread alone.
                let (lock, words) = work!.assumingMemoryBound(to: (Seqlock<Words>, UnsafePointer<Words>).self).pointee
                lock.publish(words)
                return nil
            }, work)
        pthread_detach(thread)
        Trap.shared.waitUntilCaught()
    }

    /// The result of `body` on its own thread; `nil` if it does not end.
    private func result<Result: Sendable>(_ body: @escaping @Sendable () -> Result?) -> () async -> Result? {
        let answer = WatchedState<Result??>(nil)
        Thread {
            let result = body()
            answer.update { $0 = .some(result) }
        }.start()
        return { await answer.wait { $0 } ?? nil }
    }

    /// The value of a reader; `nil` if it waits for ever, or got a mixture.
    private func read(_ lock: Seqlock<Words>) async -> Int? { await result { lock.read().value }() }

    @Test("Readers get the previous value at once, wherever the writer stopped; the next value is complete again", arguments: 0..<12)
    func abandoned(count: Int) async {
        let lock = Seqlock(Words(1))
        abandon(2, after: count, in: lock)
        guard await read(lock) == 1 else {
            Issue.record("a reader waits for ever, or gets a mixture")
            return
        }
        // A second one stops elsewhere, over the words left by the first.
        abandon(3, after: 11 - count, in: lock)
        #expect(await read(lock) == 1)
        for value in 4..<9 {
            var words = Words(value)
            lock.publish(&words)
            #expect(await read(lock) == value)
        }
        abandon(9, after: count, in: lock)
        #expect(await read(lock) == 8)
        var words = Words(10)
        lock.publish(&words)
        #expect(await read(lock) == 10)
    }

    @Test("Readers that never stop see no mixture and no older value while every third writer is abandoned")
    func readers() async {
        let lock = Seqlock(Words(0))
        let isDone = Flag()
        let readers = (0..<2).map { _ in
            result {
                var last = 0
                while !isDone.isRaised {
                    guard let value = lock.read().value, value >= last else { return false }
                    last = value
                    sched_yield()
                }
                return true
            }
        }
        for value in 1...60 {
            if value % 3 == 0 {
                abandon(value, after: value % 12, in: lock)
            } else {
                for _ in 0..<2000 {
                    var words = Words(value)
                    lock.publish(&words)
                }
            }
            await Task.yield()
        }
        isDone.raise()
        for reader in readers { #expect(await reader() == true) }
    }
}

/// Memory of which only the first bytes are readable. A thread that reads on stops there for ever, without holding a lock.
private final class Trap: @unchecked Sendable {
    // SAFETY: the handler reads what does not change after `init`; the tests that use it run one after the other.
    static let shared = Trap()
    private let pageSize = sysconf(Int32(_SC_PAGESIZE))
    private let memory: UnsafeMutableRawPointer
    fileprivate var wall: UInt { UInt(bitPattern: memory) + UInt(pageSize) }
    fileprivate let caught: UnsafeMutablePointer<sem_t>

    private init() {
        memory = mmap(nil, 2 * pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        mprotect(memory + pageSize, pageSize, PROT_NONE)
        caught = .allocate(capacity: 1)
        sem_init(caught, 0, 0)
        (wallAddress, caughtSemaphore) = (wall, caught)
        var action = sigaction()
        action.sa_flags = SA_SIGINFO
        action.__sigaction_handler.sa_sigaction = { _, information, _ in stop(at: information) }
        sigaction(SIGSEGV, &action, nil)
    }

    func place<Value: BitwiseCopyable>(_ value: Value, readableBytes: Int) -> UnsafePointer<Value> {
        let start = memory + pageSize - readableBytes
        withUnsafeBytes(of: value) { start.copyMemory(from: $0.baseAddress!, byteCount: readableBytes) }
        return UnsafePointer(start.assumingMemoryBound(to: Value.self))
    }

    func waitUntilCaught() { while sem_wait(caught) != 0 {} }
}

// SAFETY: set before the handler is.
nonisolated(unsafe) private var wallAddress: UInt = 0
nonisolated(unsafe) private var caughtSemaphore: UnsafeMutablePointer<sem_t>?

/// A signal handler; any other fault ends the program as usual.
private func stop(at information: UnsafeMutablePointer<siginfo_t>?) {
    let address = UInt(bitPattern: information?.pointee._sifields._sigfault.si_addr)
    guard address >= wallAddress, address < wallAddress + 4096 else {
        signal(SIGSEGV, SIG_DFL)
        return
    }
    if let caughtSemaphore { sem_post(caughtSemaphore) }
    while true { pause() }
}
