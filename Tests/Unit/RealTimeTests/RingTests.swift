import RealTime
import Synchronization
import Testing

@Suite("Ring")
struct RingTests {
    @Test("Elements come out in the order in which they went in, also around the end of the memory")
    func order() {
        let ring = Ring<Int>(capacity: 3)
        var producer = ring.producer
        var consumer = ring.consumer
        #expect(consumer.pop() == nil)
        var next = 0
        var expected = 0
        for round in 0..<50 {
            for _ in 0...(round % 3) {
                #expect(producer.push(next) == nil)
                next += 1
            }
            while let element = consumer.pop() {
                #expect(element == expected)
                expected += 1
            }
        }
        #expect(expected == next)
    }

    @Test("A push into a full ring returns the element and changes nothing")
    func refusal() {
        let ring = Ring<Int>(capacity: 2)
        var producer = ring.producer
        var consumer = ring.consumer
        #expect(producer.push(1) == nil)
        #expect(producer.push(2) == nil)
        #expect(producer.push(3) == 3)
        #expect(consumer.pop() == 1)
        #expect(producer.push(4) == nil)
        #expect(producer.push(5) == 5)
        #expect(consumer.pop() == 2)
        #expect(consumer.pop() == 4)
        #expect(consumer.pop() == nil)
    }

    @Test("Between two threads nothing is lost, duplicated or torn")
    func threads() async {
        struct Pair: BitwiseCopyable, Sendable {
            var value: Int
            var copy: Int
        }
        let count = 200_000
        let ring = Ring<Pair>(capacity: 64)
        let producerEnd = Once(ring.producer)
        var consumer = ring.consumer
        let sender = Task.detached {
            var producer = producerEnd.take()
            for value in 0..<count {
                while producer.push(Pair(value: value, copy: value)) != nil { await Task.yield() }
            }
        }
        var expected = 0
        var isWhole = true
        while expected < count {
            guard let pair = consumer.pop() else {
                await Task.yield()
                continue
            }
            isWhole = isWhole && pair.value == expected && pair.copy == expected
            expected += 1
        }
        await sender.value
        #expect(isWhole)
        #expect(consumer.pop() == nil)
    }
}

@Suite("Seqlock")
struct SeqlockTests {
    struct Words: BitwiseCopyable, Sendable {
        var words: InlineArray<12, Int>
    }

    @Test("A reader never sees a mixture of two values")
    func torn() async {
        let lock = Seqlock(Words(words: .init(repeating: 0)))
        let isDone = Flag()
        let writer = Task.detached {
            for value in 1...100_000 {
                var words = Words(words: .init(repeating: value))
                lock.publish(&words)
            }
            isDone.raise()
        }
        var last = 0
        var isWhole = true
        while !isDone.isRaised {
            let words = lock.read().words
            for index in words.indices { isWhole = isWhole && words[index] == words[0] }
            isWhole = isWhole && words[0] >= last
            last = words[0]
            await Task.yield()
        }
        await writer.value
        #expect(isWhole)
        #expect(lock.read().words[11] == 100_000)
        lock.destroy()
    }
}

/// Passes a noncopyable value to a task.
final class Once<Value: ~Copyable & Sendable>: @unchecked Sendable {
    // SAFETY: taken by one task.
    private var value: Value?

    init(_ value: consuming Value) { self.value = consume value }

    func take() -> Value {
        value.take()!
    }
}

final class Flag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() { raised.store(true, ordering: .releasing) }
}
