// A value that one thread publishes and others read whole: the writer never waits, a reader tries again when it was overtaken.

import Synchronization

// Public and frozen for the reason given in `Ring.swift`.

/// The value lies in words that are atomic each by itself, under a sequence number that is odd while it is being written
/// (after H.-J. Boehm, "Can seqlocks get along with programming language memory models?", 2012).
///
/// One writer at a time. Whoever made it destroys it when no thread uses it any more. The size of the value is a multiple of 8 bytes.
@frozen
public struct Seqlock<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // SAFETY: the memory is only touched through atomics.
    @usableFromInline let sequence: UnsafeMutablePointer<Atomic<UInt>>
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>

    @usableFromInline let wordCount: Int

    package init(_ value: Value) {
        precondition(MemoryLayout<Value>.size % MemoryLayout<UInt>.size == 0, "A seqlock keeps whole words.")
        wordCount = MemoryLayout<Value>.size / MemoryLayout<UInt>.size
        sequence = .allocate(capacity: wordCount + 1)
        for index in 0...wordCount { (sequence + index).initialize(to: Atomic(0)) }
        words = sequence + 1
        withUnsafePointer(to: value) { publish($0) }
    }

    package func destroy() {
        sequence.deinitialize(count: wordCount + 1)
        sequence.deallocate()
    }

    /// For the one writer.
    @inlinable
    public func publish(_ value: UnsafePointer<Value>) {
        let number = sequence.pointee.load(ordering: .relaxed)
        sequence.pointee.store(number &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        let source = UnsafeRawPointer(value)
        for index in 0..<wordCount {
            // SAFETY: the value has that many words.
            words[index].store(source.loadUnaligned(fromByteOffset: index * 8, as: UInt.self), ordering: .relaxed)
        }
        sequence.pointee.store(number &+ 2, ordering: .releasing)
    }

    /// The value last published, never a mixture of two. Not for the render thread: it allocates.
    package func read() -> Value {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: wordCount * 8, alignment: 16)
        defer { copy.deallocate() }
        while true {
            let before = sequence.pointee.load(ordering: .acquiring)
            for index in 0..<wordCount {
                copy.storeBytes(of: words[index].load(ordering: .relaxed), toByteOffset: index * 8, as: UInt.self)
            }
            atomicMemoryFence(ordering: .acquiring)
            // SAFETY: the value has that many words, all of which were stored.
            if before & 1 == 0, sequence.pointee.load(ordering: .relaxed) == before { return copy.load(as: Value.self) }
        }
    }
}
