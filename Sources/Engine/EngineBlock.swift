// Control creates and frees the block; its contents belong to the render thread.

import Glibc

/// One block of memory for all that the render thread touches in every cycle, whatever plays.
///
/// It is locked into memory where the system's limit allows, so that it stays available when memory is short. Nothing else in the program
/// is locked: a session may be far larger than that limit. mmap, mlock
struct EngineBlock: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: plain memory; the types in it document which thread may use them.
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private var used = 0

    /// Allocates at least `size` bytes, all of them 0.
    init(size: Int, isLocked: Bool) {
        self.size = (size + 4095) & ~4095
        let memory = mmap(nil, self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("Cannot allocate memory for the engine.") }
        base = memory
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

    /// Frees the block; none of it may be used afterwards. munmap
    func free() { munmap(base, size) }
}
