// JACK's thread of notices writes it, the render thread reads it.
import Synchronization

/// Whether JACK runs free, from the thread that JACK tells it on: the next cycle has to know.
///
// SAFETY: an atomic, which goes with the last of those who write it and of the contexts that read it.
final class FreewheelFlag: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Atomic<Bool>>

    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: Atomic(false))
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
