// Control makes and frees it; what lies in it is the render thread's.

import Glibc

/// One stretch of memory for what the render thread touches in every cycle, whatever plays.
///
/// Locked, where the system lets a user lock that much, it is there at once even after memory was short. Nothing else of the program is:
/// a session may be far larger than what may be locked. mmap, mlock
struct EngineBlock: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: plain memory; what lies in it says which thread may touch it.
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private var used = 0

    /// Memory of at least so many bytes, all of them 0.
    init(size: Int, isLocked: Bool) {
        self.size = (size + 4095) & ~4095
        let memory = mmap(nil, self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("There is no memory for the engine.") }
        base = memory
        if isLocked { mlock(base, self.size) }
    }

    /// Room for elements that are to be initialized. It goes with the block.
    mutating func take<Element: ~Copyable>(_ count: Int) -> UnsafeMutablePointer<Element> {
        let start = used
        used += Self.bytes(Element.self, count)
        precondition(used <= size, "The engine's block has room for what is counted in EngineMemory.size.")
        // SAFETY: inside of the block, and aligned to a cache line.
        return (base + start).bindMemory(to: Element.self, capacity: count)
    }

    /// What so many elements take of a block: whole cache lines.
    static func bytes<Element: ~Copyable>(_ type: Element.Type, _ count: Int) -> Int {
        (MemoryLayout<Element>.stride * count + 63) & ~63
    }

    /// After this none of it may be touched. munmap
    func free() { munmap(base, size) }
}
