import Foundation
import Playback

extension Control {
    func tell(_ step: LifecycleStep) { lifecycle.tell(step) }

    /// A sentence for the user, shown by every surface.
    func tell(notice text: String) {
        notice = text
        logger.notice("\(text)")
        for surface in surfaces {
            surface.notice(text)
            surface.changed(snapshot())
        }
    }

    /// The sound is not touched: what is dropped can be made again, and what was freed goes back to the system.
    func memoryIsShort() {
        tell(.memoryPressure)
        Self.giveBackFreedMemory()
    }

    /// `malloc_trim`, where the C library has it.
    static func giveBackFreedMemory() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        // SAFETY: malloc(3) declares it as int malloc_trim(size_t).
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }
}
