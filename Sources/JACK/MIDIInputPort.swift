import CJACK

/// A MIDI input port of a client; valid as long as the client is open. `jack_port_t`
//
// SAFETY: see ``ClientPort``.
public struct MIDIInputPort: ClientPort, @unchecked Sendable {
    public let pointer: OpaquePointer

    /// This cycle's events. Only inside the process callback, with the frame count it was given. Render thread: no locks, no allocation.
    /// jack_port_get_buffer
    package func events(frames: UInt32) -> MIDIEvents {
        let buffer = jack_port_get_buffer(pointer, frames)
        return MIDIEvents(buffer: buffer, count: buffer.map { jack_midi_get_event_count($0) } ?? 0)
    }
}

/// The events of one cycle, in the order of their frames; valid until the callback returns.
package struct MIDIEvents {
    let buffer: UnsafeMutableRawPointer?
    package let count: UInt32

    /// An event: its frame within the cycle, and its bytes. Render thread: no locks, no allocation. jack_midi_event_get
    package func event(_ index: UInt32) -> (frame: UInt32, bytes: UnsafeBufferPointer<UInt8>)? {
        guard let buffer else { return nil }
        var event = jack_midi_event_t()
        guard jack_midi_event_get(&event, buffer, index) == 0 else { return nil }
        return (event.time, UnsafeBufferPointer(start: event.buffer, count: event.size))
    }
}
