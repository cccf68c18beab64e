// Shared state, used by two threads as fast as possible.
import Glibc
import RealTime
import Synchronization

struct Words: BitwiseCopyable, Sendable {
    var words: InlineArray<12, Int>
}

@main struct RingRaces {
    static func main() {
        passThroughRing()
        print("20000 elements, \(publish()) last")
    }

    private static func passThroughRing() {
        let ring = Ring<Words>(capacity: 16)
        var consumer = ring.consumer
        let producer = Once(ring.producer)
        let sender = thread {
            var producer = producer.take()
            for value in 1...20_000 {
                while producer.push(Words(words: .init(repeating: value))) != nil { sched_yield() }
            }
        }
        var expected = 1
        while expected <= 20_000 {
            guard let words = consumer.pop() else {
                sched_yield()
                continue
            }
            precondition(words.words[0] == expected && words.words[11] == expected, "lost or torn")
            expected += 1
        }
        pthread_join(sender, nil)
    }

    /// - Returns: The final value, which is the last one, unless its writer was abandoned.
    private static func publish() -> Int {
        let seqlock = Seqlock(Words(words: .init(repeating: 0)))
        let writer = thread {
            for value in 1...20_000 {
                var words = Words(words: .init(repeating: value))
                seqlock.publish(&words)
                if value % 8 == 0 { sched_yield() }
            }
        }
        var last = 0
        while last < 19_999 {
            let words = seqlock.read().words
            precondition(words[0] == words[11] && words[0] >= last, "torn")
            last = words[0]
            sched_yield()
        }
        pthread_join(writer, nil)
        let words = seqlock.read().words
        precondition(words[0] == words[11], "torn")
        seqlock.destroy()
        return words[0]
    }
}

/// Passes a noncopyable value to a thread.
final class Once<Value: ~Copyable & Sendable>: @unchecked Sendable {
    // SAFETY: taken by one thread.
    private var value: Value?

    init(_ value: consuming Value) { self.value = consume value }

    func take() -> Value { value.take()! }
}
