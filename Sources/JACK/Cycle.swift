// Render thread: everything here is called inside the process callback.
import CJACK

/// One cycle of a client, lent to the body that ``InactiveClient/onCycle(_:)`` sets.
///
/// It cannot be copied or stored, and neither can the samples and events that it lends, so nothing of a cycle outlives it. No function
/// locks or allocates.
public struct Cycle: ~Copyable {
    private let client: OpaquePointer
    private let frames: UInt32

    fileprivate init(client: OpaquePointer, frames: UInt32) { (self.client, self.frames) = (client, frames) }

    /// The number of frames to be processed: the buffer size. `JackProcessCallback`
    public var frameCount: Int { Int(frames) }

    /// The first frame of the cycle on JACK's frame counter, which wraps after 2^32. jack_last_frame_time
    public var frame: UInt32 { jack_last_frame_time(client) }

    /// The time at which the first frame begins, in microseconds of JACK's clock. jack_get_cycle_times
    public var time: UInt64 { ClientReference(pointer: client).cycleTime() }

    /// JACK's transport in this cycle. jack_transport_query
    public var transport: Transport { ClientReference(pointer: client).transport() }

    /// Lends the samples of an output port, ``frameCount`` of them, all of which have to be written. jack_port_get_buffer
    public func withSamples(of port: OutputPort, _ body: (inout MutableSpan<Float>) -> Void) {
        // SAFETY: JACK's buffer has that many samples until the callback returns, and the span cannot leave `body`.
        let buffer = UnsafeMutableBufferPointer(start: port.buffer(frames: frames), count: frameCount)
        guard buffer.baseAddress != nil else { return }
        var samples = buffer.mutableSpan
        body(&samples)
    }

    /// Lends the samples of an input port, ``frameCount`` of them: silence if nothing is connected. jack_port_get_buffer
    public func withSamples(of port: InputPort, _ body: (Span<Float>) -> Void) {
        // SAFETY: as above.
        let buffer = UnsafeBufferPointer(start: port.buffer(frames: frames), count: frameCount)
        guard buffer.baseAddress != nil else { return }
        body(buffer.span)
    }

    /// Lends the events of a MIDI input port, in the order of their frames within the cycle: each is one MIDI message with its status byte,
    /// so there is no running status. jack_midi_event_get
    public func forEachEvent(of port: MIDIInputPort, _ body: (_ frame: Int, _ bytes: Span<UInt8>) -> Void) {
        let events = port.events(frames: frames)
        for index in 0..<events.count {
            guard let event = events.event(index) else { continue }
            body(Int(event.frame), event.bytes.span)
        }
    }
}

/// The process callback of a client, carried through C's `void *`.
///
// SAFETY: it is set before the client is activated, and afterwards touched by the process callback only.
final class CycleBody: @unchecked Sendable {
    private let client: OpaquePointer
    private let body: (borrowing Cycle) -> Void

    init(client: OpaquePointer, _ body: sending @escaping (borrowing Cycle) -> Void) { (self.client, self.body) = (client, body) }

    func run(frames: UInt32) { body(Cycle(client: client, frames: frames)) }
}

func cycleBegins(_ frames: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    // SAFETY: the client's handle keeps the body until jack_client_close has returned.
    Unmanaged<CycleBody>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run(frames: frames) }
    return 0
}
