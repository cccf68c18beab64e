import CJACK
import Foundation
import Synchronization

/// A client whose process callback is called every cycle. Dropping it closes it; closing may hang if the server is in trouble, so use
/// `closeBehind` where that matters.
public struct ActiveClient: ~Copyable, Sendable {
    let handle: ClientHandle

    /// The name that the client was given. jack_get_client_name
    public var name: String { handle.name }
    /// The sample rate in hertz. jack_get_sample_rate
    public var sampleRate: Double { handle.sampleRate }
    /// The buffer size in frames. jack_get_buffer_size
    public var bufferSize: Int { handle.bufferSize }
    /// The server's load in percent of a cycle, averaged by JACK. jack_cpu_load
    public var load: Double { Double(jack_cpu_load(handle.client)) }

    /// Deadlines missed since the client was opened, as reported by JACK. jack_set_xrun_callback
    public var missedCycles: Int { handle.box.missedCycles.pointee.load(ordering: .relaxed) }

    /// Full names of all ports, of whatever type. jack_get_ports
    public func allPorts() -> [String] { takeNames(jack_get_ports(handle.client, nil, nil, 0)) }

    /// Full names of the audio ports that have all these flags and match the pattern (a POSIX extended regular expression), in JACK's
    /// order. jack_get_ports
    public func ports(matching pattern: String? = nil, flags: PortFlags = []) -> [String] {
        // JACK treats the type as a pattern as well; it contains no special characters.
        takeNames(jack_get_ports(handle.client, pattern, JACK_DEFAULT_AUDIO_TYPE, flags.rawValue))
    }

    /// Full names of the ports, of its type and of the other direction, that a port of this client can be connected to. jack_get_ports
    public func counterparts(of port: some ClientPort) -> [String] {
        let direction = port.isInput ? PortFlags.output : .input
        return takeNames(jack_get_ports(handle.client, nil, jack_port_type(port.pointer), direction.rawValue))
    }

    /// Full names of the ports that a port of this client is connected to. jack_port_get_connections
    public func connections(of port: some ClientPort) -> [String] {
        takeNames(jack_port_get_connections(port.pointer))
    }

    /// Connects two ports by full name; succeeds if they are connected already. jack_connect
    public func connect(_ source: String, to destination: String) throws(JACKError) {
        let code = jack_connect(handle.client, source, destination)
        guard code == 0 || code == EEXIST else { throw .cannotConnect(source: source, destination: destination, code: code) }
    }

    /// Disconnects two ports by full name. jack_disconnect
    public func disconnect(_ source: String, from destination: String) throws(JACKError) {
        let code = jack_disconnect(handle.client, source, destination)
        guard code == 0 else { throw .cannotDisconnect(source: source, destination: destination, code: code) }
    }

    /// Sets the least and the most frames by which the outputs are later than the inputs that they pass on, 0 for a new client, and has the
    /// server ask for the latencies again if that is a change. jack_recompute_total_latencies
    public func setDelay(_ frames: ClosedRange<UInt32>) {
        let isNew = handle.box.delay.withLock { delay in
            defer { delay = frames }
            return delay != frames
        }
        if isNew { jack_recompute_total_latencies(handle.client) }
    }

    /// The time at which a frame of JACK's frame counter (which wraps) begins, in microseconds. jack_frames_to_time
    public func time(ofFrame frame: UInt32) -> UInt64 {
        jack_frames_to_time(handle.client, frame)
    }

    /// The frame of JACK's frame counter (which wraps) at a time in microseconds. jack_time_to_frames
    public func frame(atTime microseconds: UInt64) -> UInt32 {
        jack_time_to_frames(handle.client, microseconds)
    }

    /// Closes on a new thread without waiting, and calls `whenClosed` there when that is done, if it ever is. jack_client_close
    public consuming func closeBehind(_ whenClosed: @escaping @Sendable () -> Void) {
        let reference = HandleReference(handle: Unmanaged.passRetained(handle))
        // This reference is released first, so that the thread's is the last one.
        _ = consume self
        Thread.detachNewThread {
            reference.handle._withUnsafeGuaranteedRef {
                $0.description.wait()
                $0.awaitLastNotices()
            }
            reference.handle.release()
            whenClosed()
        }
    }
}

/// Carries one retain to the thread that releases it.
///
// SAFETY: exactly one thread releases it, once.
struct HandleReference: @unchecked Sendable {
    let handle: Unmanaged<ClientHandle>
}
