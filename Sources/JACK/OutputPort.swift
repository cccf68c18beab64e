import CJACK

/// An audio output port of a client; valid as long as the client is open. `jack_port_t`
///
// SAFETY: the pointer is JACK's handle, which its functions take from any thread; it is never dereferenced here.
package struct OutputPort: @unchecked Sendable {
    let pointer: OpaquePointer

    /// This cycle's samples, `frames` of them, to be written. Only inside the process callback, with the count it was given.
    /// Render thread: no locks, no allocation. jack_port_get_buffer
    package func buffer(frames: UInt32) -> UnsafeMutablePointer<Float>? {
        jack_port_get_buffer(pointer, frames)?.assumingMemoryBound(to: Float.self)
    }

    /// The full name, such as "binaural:out_left". jack_port_name
    package var name: String {
        jack_port_name(pointer).map { String(cString: $0) } ?? ""
    }

    /// Without the client's name, such as "out_left". jack_port_short_name
    package var shortName: String {
        jack_port_short_name(pointer).map { String(cString: $0) } ?? ""
    }
}
