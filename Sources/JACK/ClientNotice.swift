// JACK's threads tell, and wait for nothing.
import Synchronization

/// What JACK tells an open client, outside the process callback. Missed cycles are counted instead, since PipeWire tells of them on the render
/// thread: ``ActiveClient/missedCycles``.
package enum ClientNotice: Sendable, Equatable {
    /// The server is gone, or threw this client out; the client can only be closed.
    case shutdown(reason: String)
    /// In frames.
    case bufferSize(UInt32)
    /// In hertz.
    case sampleRate(UInt32)
    case freewheel(Bool)
    /// Somewhere in the graph, not only at this client's ports.
    case connections
    /// A port was registered or unregistered somewhere.
    case ports
}

/// Receives the notices of one client, on threads of JACK's: has to be quick, and must not call JACK.
package typealias NoticeReceiver = @Sendable (ClientNotice) -> Void

/// Carries the receiver through C's `void *`.
///
// SAFETY: what is not Sendable by itself is an atomic, which goes with the box.
final class NoticeBox: @unchecked Sendable {
    let receive: NoticeReceiver
    /// The ports that have been registered, for the latency callback.
    let outputs = Mutex<[OutputPort]>([])
    let inputs = Mutex<[InputPort]>([])
    /// Deadlines missed, a number that the render thread may add to.
    let missedCycles: UnsafeMutablePointer<Atomic<Int>>
    /// The kernel's number of the thread that told of the server's end; 0 before.
    let lastThread = Atomic<Int32>(0)

    init(_ receive: @escaping NoticeReceiver) {
        self.receive = receive
        missedCycles = .allocate(capacity: 1)
        missedCycles.initialize(to: Atomic(0))
    }

    deinit {
        missedCycles.deinitialize(count: 1)
        missedCycles.deallocate()
    }
}
