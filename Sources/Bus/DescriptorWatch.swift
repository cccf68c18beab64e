import Dispatch
import Glibc
import OperatingSystem

/// Reports when the connection's descriptor becomes ready. Belongs to its queue.
///
/// It watches a copy: libsystemd closes its own descriptor when one address of several fails late, the kernel forgets it with that, and the
/// next address may get the same number.
final class DescriptorWatch {
    private let copy: BusDescriptor
    private let queue: DispatchQueue
    private let isReady: () -> Void
    private let reading: any DispatchSourceRead
    private var writing: (any DispatchSourceWrite)?

    /// - Throws: `Errno` if too many descriptors are open.
    init(_ descriptor: Int32, on queue: DispatchQueue, isReady: @escaping () -> Void) throws(Errno) {
        let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { throw Errno.last }
        let copy = BusDescriptor(number)
        (self.copy, self.queue, self.isReady) = (copy, queue, isReady)
        reading = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        reading.setEventHandler(handler: isReady)
        // The descriptor must stay open until the queue has forgotten it.
        reading.setCancelHandler { withExtendedLifetime(copy) {} }
        reading.activate()
    }

    deinit { cancel() }

    /// Whether this is the socket that is watched. `fstat`
    func watches(_ descriptor: Int32) -> Bool {
        var (own, other) = (stat(), stat())
        return fstat(copy.number, &own) == 0 && fstat(descriptor, &other) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino
    }

    /// Whether it also reports when something can be written.
    var watchesWriting: Bool {
        get { writing != nil }
        set {
            guard newValue != watchesWriting else { return }
            newValue ? startWriting() : stopWriting()
        }
    }

    private func startWriting() {
        let (source, copy) = (DispatchSource.makeWriteSource(fileDescriptor: copy.number, queue: queue), copy)
        source.setEventHandler(handler: isReady)
        source.setCancelHandler { withExtendedLifetime(copy) {} }
        source.activate()
        writing = source
    }

    private func stopWriting() {
        writing?.cancel()
        writing = nil
    }

    func cancel() {
        reading.cancel()
        stopWriting()
    }
}
