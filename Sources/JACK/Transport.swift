import CJACK

/// JACK's transport at the beginning of a cycle.
public struct Transport: Equatable, Sendable {
    public enum State: Int64, Sendable {
        case stopped
        /// About to roll, as soon as slow-sync clients are ready; the frame stands still.
        case starting
        case rolling
    }

    public var state: State
    /// The frame from the start of the transport; wraps after 2^32.
    public var frame: UInt32
    /// The timebase master's tempo in quarter notes a minute; 0 if there is no master or it reports no tempo.
    public var tempo: Double
    /// The position in whole notes, from bar 1 to that frame.
    public var wholeNotes: Double
}

extension ClientReference {
    /// The transport's state in this cycle. Only inside the process callback. Render thread: no locks, no allocation. jack_transport_query
    package func transport() -> Transport {
        var frame: jack_nframes_t = 0
        var (tempo, wholeNotes) = (0.0, 0.0)
        let state = binaural_transport_query(pointer, &frame, &tempo, &wholeNotes).rawValue
        if state == JackTransportStopped.rawValue {
            return Transport(state: .stopped, frame: frame, tempo: tempo, wholeNotes: wholeNotes)
        }
        let isRolling = state == JackTransportRolling.rawValue || state == JackTransportLooping.rawValue
        return Transport(state: isRolling ? .rolling : .starting, frame: frame, tempo: tempo, wholeNotes: wholeNotes)
    }
}

extension ActiveClient {
    /// Starts the transport for all clients, at the beginning of a later cycle. jack_transport_start
    public func startTransport() { jack_transport_start(handle.client) }

    /// Stops the transport where it is. jack_transport_stop
    public func stopTransport() { jack_transport_stop(handle.client) }

    /// Moves the transport to a frame, rolling or not. jack_transport_locate
    public func locateTransport(to frame: UInt32) throws(JACKError) {
        let code = jack_transport_locate(handle.client, frame)
        guard code == 0 else { throw .cannotLocate(frame: frame, code: code) }
    }
}
