import CJACK

/// An audio input port of a client; valid as long as the client is open. `jack_port_t`
//
// SAFETY: see ``ClientPort``.
public struct InputPort: ClientPort, @unchecked Sendable {
    public let pointer: OpaquePointer

    /// This cycle's samples, `frames` of them; silence if nothing is connected. Only inside the process callback, with the frame count it
    /// was given. Render thread: no locks, no allocation. jack_port_get_buffer
    package func buffer(frames: UInt32) -> UnsafePointer<Float>? {
        jack_port_get_buffer(pointer, frames).map { UnsafePointer($0.assumingMemoryBound(to: Float.self)) }
    }
}
