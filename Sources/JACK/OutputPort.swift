import CJACK

/// An audio output port of a client; valid as long as the client is open. `jack_port_t`
//
// SAFETY: see ``ClientPort``.
public struct OutputPort: ClientPort, @unchecked Sendable {
    public let pointer: OpaquePointer

    /// The buffer for this cycle's samples, `frames` of them. Only inside the process callback, with the frame count it was given. Render
    /// thread: no locks, no allocation. jack_port_get_buffer
    package func buffer(frames: UInt32) -> UnsafeMutablePointer<Float>? {
        jack_port_get_buffer(pointer, frames)?.assumingMemoryBound(to: Float.self)
    }
}
