// Control creates and frees the block; its contents belong to the render thread.

import Glibc

/// One block of memory for all that the render thread touches in every cycle, whatever plays.
///
/// It is locked into memory where the system's limit allows, so that it stays available when memory is short. Nothing else in the program
/// is locked: a session may be far larger than that limit. posix_memalign, mlock
struct EngineBlock: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: plain memory; the types in it document which thread may use them.
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private var used = 0

    private static let pageSize = 4096

    /// Allocates at least `size` bytes, all of them 0. They are the C library's, which may have them where the system has no more.
    ///
    /// The program ends if there are none, as it does for the engine's rings, tables and plans. Memory has to be checked before an engine is
    /// made.
    init(size: Int, isLocked: Bool) {
        self.size = (size + Self.pageSize - 1) & ~(Self.pageSize - 1)
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, Self.pageSize, self.size) == 0, let memory else {
            fatalError("Cannot allocate memory for the engine.")
        }
        base = memory
        memset(base, 0, self.size)
        if isLocked { mlock(base, self.size) }
    }

    /// Room for `count` uninitialized elements. It is freed with the block.
    mutating func take<Element: ~Copyable>(_ count: Int) -> UnsafeMutablePointer<Element> {
        let start = used
        used += Self.bytes(Element.self, count)
        precondition(used <= size, "The engine's block must hold everything counted in EngineMemory.size.")
        // SAFETY: inside of the block, and aligned to a cache line.
        return (base + start).bindMemory(to: Element.self, capacity: count)
    }

    /// Bytes that `count` elements take in a block, in whole cache lines.
    static func bytes<Element: ~Copyable>(_ type: Element.Type, _ count: Int) -> Int {
        (MemoryLayout<Element>.stride * count + 63) & ~63
    }

    /// Frees the block; none of it may be used afterwards. munlock, free
    func free() {
        munlock(base, size)
        Glibc.free(base)
    }
}
