import Glibc

/// A pipe that wakes a thread out of poll(2). Any thread may wake it.
///
/// Both ends are closed in programs that this one starts, and when the last reference is gone. pipe(2)
package final class WakeUpPipe: Sendable {
    /// The end to poll for `POLLIN`: readable from ``wake()`` to ``drain()``.
    package let descriptor: Int32
    private let writingEnd: Int32

    package init() throws(Errno) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Errno.last }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (descriptor, writingEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writingEnd)
    }

    /// Makes ``descriptor`` readable. If the pipe is full, it is readable already.
    package func wake() { _ = write(writingEnd, [1], 1) }

    /// Makes ``descriptor`` unreadable again, for the thread that was woken.
    package func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
