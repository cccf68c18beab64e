import Foundation
import Synchronization

/// Writes texts to a descriptor in order, on a queue of its own: it may wait for a full pipe or a terminal that was paused. write(2)
///
/// A text that the system refuses is lost.
final class TextQueue: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "texts")
    private let pending = Mutex(Pending())

    /// The most texts that wait; beyond, the oldest are left out.
    static let capacity = 200

    private struct Pending {
        var texts: [String] = []
        var lostCount = 0
        var isWriting = false
    }

    init(to descriptor: Int32) { self.descriptor = descriptor }

    /// Whether everything is written.
    var isIdle: Bool { pending.withLock { !$0.isWriting } }

    /// Texts whose writing has not begun.
    var waitingCount: Int { pending.withLock { $0.texts.count } }

    /// Writes a text soon. Any thread.
    func add(_ text: String) {
        pending.withLock { pending in
            pending.texts.append(text)
            if pending.texts.count > Self.capacity {
                pending.texts.removeFirst()
                pending.lostCount += 1
            }
            guard !pending.isWriting else { return }
            pending.isWriting = true
            queue.async { while let text = self.next() { self.write(text) } }
        }
    }

    /// Returns when all that was added before is written, or after `limit`; with `nil` however long that takes.
    func wait(atMost limit: DispatchTimeInterval?) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: limit.map { .now() + $0 } ?? .distantFuture)
    }

    private func next() -> String? {
        pending.withLock { pending in
            guard pending.lostCount == 0 else {
                defer { pending.lostCount = 0 }
                return "binaural: warning: nobody read what is written here, so that \(pending.lostCount) messages are missing.\n"
            }
            guard pending.texts.isEmpty else { return pending.texts.removeFirst() }
            pending.isWriting = false
            return nil
        }
    }

    /// Writes a text at once, and returns when that is done.
    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if count < 0, errno == EAGAIN {
                    // Another program has chosen that this descriptor does not wait.
                    var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waited, 1, -1)
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
    }
}
