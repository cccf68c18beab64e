// JACK's notification thread writes it, the render thread reads it.
import Synchronization

/// Whether JACK is freewheeling. It is set on JACK's notification thread, since the next cycle needs it.
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
