// Several threads: reads are allowed on any, requests to the server on one at a time.
import CJACK
import Dispatch
import Foundation
import Synchronization

/// JACK's handle, and everything that has to live as long as it; the client is closed when the last reference is released.
///
/// Functions that only read the server's shared memory (ports, connections, transport, times) may be called from any thread. Requests to
/// the server (connect, disconnect, properties, closing) must not be made by two threads at a time: the library sends all requests of a
/// client over one socket without a lock, so each thread would take the other's answer.
///
// SAFETY: the owner of an `ActiveClient` asks from one thread, and `describe` waits; `box` is immutable.
final class ClientHandle: @unchecked Sendable {
    let client: OpaquePointer
    let box: NoticeBox
    /// Entered while properties are being set; the client must not be closed meanwhile.
    let description = DispatchGroup()
    /// Makes the thread that sets properties stop before the next one.
    let descriptionIsGivenUp = Atomic(false)

    init(client: OpaquePointer, box: NoticeBox) {
        self.client = client
        self.box = box
    }

    deinit {
        jack_client_close(client)
    }

    /// Waits, a second at most, until the thread that reported the server's end has ended: a server that shuts down in order sends more
    /// notices, and jack_client_close cancels that thread wherever it is. In JACK 1.9.21 the thread may then hold a lock which both closing
    /// and opening need and which is never released. PipeWire's thread lives on, so it is not waited for.
    func awaitLastNotices() {
        let thread = box.lastThread.load(ordering: .relaxed)
        guard thread != 0, !libraryIsPipeWire() else { return }
        let deadline = ContinuousClock.now + .seconds(1)
        while access("/proc/self/task/\(thread)", F_OK) == 0, ContinuousClock.now < deadline { usleep(1000) }
    }

    var name: String { String(cString: jack_get_client_name(client)) }
    var sampleRate: Double { Double(jack_get_sample_rate(client)) }
    var bufferSize: Int { Int(jack_get_buffer_size(client)) }
}

/// A client as its process callback needs it; valid as long as the client is open.
///
// SAFETY: only what reads the server's shared memory is called.
package struct ClientReference: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The time at which the first frame of this cycle begins, in microseconds of JACK's clock. Only inside the process callback.
    /// Render thread: no locks, no allocation. jack_get_cycle_times
    package func cycleTime() -> UInt64 {
        var (frames, time, next, period): (jack_nframes_t, jack_time_t, jack_time_t, Float) = (0, 0, 0, 0)
        guard jack_get_cycle_times(pointer, &frames, &time, &next, &period) == 0 else { return jack_get_time() }
        return time
    }
}
