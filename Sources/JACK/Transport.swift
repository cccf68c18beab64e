import CJACK

/// JACK's transport at the beginning of a cycle.
package struct Transport: Equatable, Sendable {
    package enum State: Int64, Sendable {
        case stopped
        /// About to roll, as soon as those clients are ready that need time; the frame stands still.
        case starting
        case rolling
    }

    package var state: State
    /// Frames from its start; wraps after 2^32.
    package var frame: UInt32
    /// Quarter notes a minute, as the timebase master has it; 0 where there is none, or it says none.
    package var tempo: Double
    /// From bar 1 to that frame.
    package var wholeNotes: Double
}

extension ClientReference {
    /// The transport as this cycle has it. Only inside the process callback. Render thread: no locks, no allocation. jack_transport_query
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
    /// Has the transport roll, for all clients; at the beginning of a cycle to come. jack_transport_start
    package func startTransport() { jack_transport_start(handle.client) }

    /// Has it stop where it is. jack_transport_stop
    package func stopTransport() { jack_transport_stop(handle.client) }

    /// Has it go to a frame, rolling or not. jack_transport_locate
    package func locateTransport(to frame: UInt32) throws(JACKError) {
        let code = jack_transport_locate(handle.client, frame)
        guard code == 0 else { throw .cannotLocate(frame: frame, code: code) }
    }
}
