/// A list of plain values in memory of its own, which the render thread may read as long as this object is held.
final class PieceMemory<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // SAFETY: written only in `init`, freed only in `deinit`.
    let base: UnsafePointer<Element>
    let count: Int

    init(_ elements: [Element]) {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
        _ = memory.initialize(from: elements)
        base = UnsafePointer(memory.baseAddress!)
        count = elements.count
    }

    deinit { base.deallocate() }

    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }
}
