// JACK's threads send these notices; nothing here blocks them.
import Synchronization

/// A notice from JACK to an open client, outside the process callback. Missed cycles are counted instead, since PipeWire reports them on
/// the render thread: ``ActiveClient/missedCycles``.
public enum ClientNotice: Sendable, Equatable {
    /// The server is gone or has expelled this client; the client can only be closed.
    case shutdown(reason: String)
    /// The new buffer size in frames.
    case bufferSize(UInt32)
    /// The new sample rate in hertz.
    case sampleRate(UInt32)
    case freewheel(Bool)
    /// Ports were connected or disconnected somewhere in the graph, not only this client's.
    case connections
    /// A port was registered or unregistered somewhere.
    case ports
}

/// Receives the notices of one client, on JACK's threads. It must be quick and must not call JACK.
public typealias NoticeReceiver = @Sendable (ClientNotice) -> Void

/// Carries the receiver through C's `void *`.
///
// SAFETY: the fields that are not Sendable are atomics, freed together with the box, or are set before other threads use them.
final class NoticeBox: @unchecked Sendable {
    let receive: NoticeReceiver
    /// The ports that have been registered, for the latency callback.
    let outputs = Mutex<[OutputPort]>([])
    let inputs = Mutex<[InputPort]>([])
    /// The frames by which outputs are later than the inputs that they pass on.
    let delay = Mutex<ClosedRange<UInt32>>(0...0)
    /// Deadlines missed; the render thread may add to it.
    let missedCycles: UnsafeMutablePointer<Atomic<Int>>
    /// The client's process callback; set before the client is activated.
    var cycleBody: CycleBody?
    /// The kernel's id of the thread that reported the server's end; 0 before that.
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
