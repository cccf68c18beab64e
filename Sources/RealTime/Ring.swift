// A queue between two threads, one of which may be the render thread: neither end ever waits, allocates or frees.

import Synchronization

// The types that the render thread uses are public and frozen: only then does the compiler specialize them for an element, as it has to
// where allocations are forbidden.

/// A ring of fixed capacity with two ends to be taken apart. Each end belongs to one thread at a time; ownership makes sure that there is
/// one of each. The memory is freed with the later of the two.
///
/// Not offered: blocking, more than one producer or consumer, elements that need to be destroyed.
@frozen
public struct Ring<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    public var producer: RingProducer<Element>
    public var consumer: RingConsumer<Element>

    /// Room for `capacity` elements, at least one.
    public init(capacity: Int) {
        let memory = RingMemory<Element>.make(capacity: capacity)
        producer = RingProducer(memory)
        consumer = RingConsumer(memory)
    }
}

/// The end that puts elements in.
@frozen
public struct RingProducer<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    // SAFETY: `tail` and the slots between tail and head + capacity are this end's alone; `head` is read with acquiring order.
    @usableFromInline let memory: UnsafeMutablePointer<RingMemory<Element>>
    /// Elements put in so far.
    @usableFromInline var tail = 0
    /// Elements taken out, as far as this end knows.
    @usableFromInline var knownHead = 0

    init(_ memory: UnsafeMutablePointer<RingMemory<Element>>) {
        self.memory = memory
    }

    deinit { RingMemory.release(memory) }

    public var capacity: Int { memory.pointee.capacity }

    /// Puts an element in. When the ring is full, nothing happens and the element is returned.
    @inlinable
    public mutating func push(_ element: Element) -> Element? {
        let capacity = memory.pointee.capacity
        if tail - knownHead == capacity {
            knownHead = memory.pointee.head.load(ordering: .acquiring)
            if tail - knownHead == capacity { return element }
        }
        memory.pointee.slots[tail % capacity] = element
        tail += 1
        memory.pointee.tail.store(tail, ordering: .releasing)
        return nil
    }
}

/// The end that takes elements out, in the order in which they were put in.
@frozen
public struct RingConsumer<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    // SAFETY: `head` and the slots between head and tail are this end's alone; `tail` is read with acquiring order.
    @usableFromInline let memory: UnsafeMutablePointer<RingMemory<Element>>
    /// Elements taken out so far.
    @usableFromInline var head = 0
    /// Elements put in, as far as this end knows.
    @usableFromInline var knownTail = 0

    init(_ memory: UnsafeMutablePointer<RingMemory<Element>>) {
        self.memory = memory
    }

    deinit { RingMemory.release(memory) }

    /// Takes the oldest element out; `nil` if the ring is empty.
    @inlinable
    public mutating func pop() -> Element? {
        if head == knownTail {
            knownTail = memory.pointee.tail.load(ordering: .acquiring)
            if head == knownTail { return nil }
        }
        let element = memory.pointee.slots[head % memory.pointee.capacity]
        head += 1
        memory.pointee.head.store(head, ordering: .releasing)
        return element
    }
}

/// The memory that the two ends share. Head and tail lie in cache lines of their own, so that the threads do not slow each other down.
@frozen
@usableFromInline
struct RingMemory<Element: BitwiseCopyable>: ~Copyable {
    @usableFromInline let capacity: Int
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    @usableFromInline let ends = Atomic<Int>(2)
    @usableFromInline let beforeHead: InlineArray<16, Int> = .init(repeating: 0)
    @usableFromInline let head = Atomic<Int>(0)
    @usableFromInline let beforeTail: InlineArray<16, Int> = .init(repeating: 0)
    @usableFromInline let tail = Atomic<Int>(0)
    @usableFromInline let afterTail: InlineArray<16, Int> = .init(repeating: 0)

    init(capacity: Int) {
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
    }

    deinit { slots.deallocate() }

    static func make(capacity: Int) -> UnsafeMutablePointer<RingMemory<Element>> {
        precondition(capacity > 0, "A ring needs room for at least one element.")
        let memory = UnsafeMutablePointer<RingMemory<Element>>.allocate(capacity: 1)
        memory.initialize(to: RingMemory(capacity: capacity))
        return memory
    }

    static func release(_ memory: UnsafeMutablePointer<RingMemory<Element>>) {
        guard memory.pointee.ends.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        memory.deinitialize(count: 1)
        memory.deallocate()
    }
}
