// A value that one thread publishes and others read whole, without either waiting for the other.

import Synchronization

// Public and frozen for the reason given in `Ring.swift`.

/// A value in words that are atomic each by itself, in two places that take turns, under a sequence number that is odd while a value is
/// being written (after H.-J. Boehm, "Can seqlocks get along with programming language memory models?", 2012).
///
/// Value number k lies in place k mod 2, and the sequence number is 2k once it is whole, 2k - 1 while it is being written. The value before
/// it stays in place meanwhile, so a reader always finds a whole one, even when the thread of a writer was cancelled in the middle, as
/// jackd does with its clients' threads. The next writer, on any thread, finds the odd number and writes that value again.
///
/// One writer at a time. The owner calls ``destroy()`` when no thread uses it any longer. The size of the value is a multiple of 8 bytes.
@frozen
public struct Seqlock<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // SAFETY: the memory is only touched through atomics.
    @usableFromInline let sequence: UnsafeMutablePointer<Atomic<UInt>>
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>

    @usableFromInline let wordCount: Int

    public init(_ value: Value) {
        precondition(MemoryLayout<Value>.size % MemoryLayout<UInt>.size == 0, "The size of a seqlock's value must be a multiple of a word.")
        wordCount = MemoryLayout<Value>.size / MemoryLayout<UInt>.size
        sequence = .allocate(capacity: 2 * wordCount + 1)
        for index in 0...2 * wordCount { (sequence + index).initialize(to: Atomic(0)) }
        words = sequence + 1
        withUnsafePointer(to: value) { publish($0) }
    }

    public func destroy() {
        sequence.deinitialize(count: 2 * wordCount + 1)
        sequence.deallocate()
    }

    /// Publishes a value. Called by the one writer.
    @inlinable
    public func publish(_ value: UnsafePointer<Value>) {
        // The number is already odd if a writer did not finish.
        let writing = sequence.pointee.load(ordering: .acquiring) | 1
        // A reader that sees this number has to see the value before, too.
        sequence.pointee.store(writing, ordering: .releasing)
        atomicMemoryFence(ordering: .releasing)
        let place = self.place(of: writing &+ 1)
        let source = UnsafeRawPointer(value)
        for index in 0..<wordCount {
            // SAFETY: the value has that many words.
            place[index].store(source.loadUnaligned(fromByteOffset: index * 8, as: UInt.self), ordering: .relaxed)
        }
        sequence.pointee.store(writing &+ 1, ordering: .releasing)
    }

    /// The place of the value with an even sequence number.
    @inlinable
    func place(of number: UInt) -> UnsafeMutablePointer<Atomic<UInt>> {
        // SAFETY: there are two places of that many words.
        words + Int(truncatingIfNeeded: number >> 1 & 1) * wordCount
    }

    /// The value last published, never a mixture of two. It does not wait: it retries only when the writer has published two more values
    /// meanwhile. Not for the render thread: it allocates.
    public func read() -> Value {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: wordCount * 8, alignment: 16)
        defer { copy.deallocate() }
        while true {
            let whole = sequence.pointee.load(ordering: .acquiring) & ~1
            let place = place(of: whole)
            for index in 0..<wordCount {
                copy.storeBytes(of: place[index].load(ordering: .relaxed), toByteOffset: index * 8, as: UInt.self)
            }
            atomicMemoryFence(ordering: .acquiring)
            // The place is written to again with the value after the next one, which raises the number by three.
            // SAFETY: the value has that many words, all of which were stored.
            if sequence.pointee.load(ordering: .relaxed) &- whole < 3 { return copy.load(as: Value.self) }
        }
    }
}
