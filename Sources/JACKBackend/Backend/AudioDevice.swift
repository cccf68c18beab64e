import Engine
import Playback

/// The audio system as an instance uses it. ``Backend`` is a JACK client; a test drives a device of its own.
///
/// Events reach the owner one after the other, as ``Backend/init(configuration:waitForServer:deliver:)`` says. Everything here may be called
/// at any time, returns at once, and does nothing where it has no meaning.
package protocol AudioDevice: AnyObject, Sendable {
    /// The present status. Any thread.
    var status: BackendStatus { get }
    /// The state of the transport in the last rendered cycle; `nil` while nothing is rendered.
    var transport: TransportSighting? { get }
    /// The time of day, in seconds since 1970, of a time of a cycle in microseconds.
    func wallClockTime(ofHostTime microseconds: UInt64) -> Double

    /// Renders with this engine from the next cycle on, once every event that requires it has been answered.
    func startRendering(_ engine: EngineHold)
    /// Says how many frames, at least and at most, the outputs are later than the inputs that they pass on.
    func delay(by frames: ClosedRange<UInt32>)
    /// Says whether nothing plays and nobody is connected, so that it may take two seconds until a stall is noticed.
    func rest(_ isAtRest: Bool)
    func move(_ request: TransportRequest)
    /// The MIDI events since the last call, in order, and the number of events that were dropped.
    func takeMIDI() -> (arrivals: [MIDIArrival], lost: Int)

    /// The answers of the next four are given on any thread: `nil` for success.
    func reconnect(answer: @escaping @Sendable (Backend.Failure?) -> Void)
    func connect(_ port: String, to other: String, answer: @escaping @Sendable (Backend.Failure?) -> Void)
    func disconnect(_ port: String, from other: String, answer: @escaping @Sendable (Backend.Failure?) -> Void)
    func reopen(
        as clientName: String, connections: [PortLink]?, connect: ConnectionChoice, answer: @escaping @Sendable (Backend.Failure?) -> Void
    )
    /// Replaces the present connections; `nil` leaves everything as it is.
    func restore(_ connections: [PortLink]?)
    /// No longer remembers connections, unless they exist.
    func forget(_ connections: [PortLink])
    /// Checks the connections again; until the result is certain, they are in doubt.
    func lookAtConnections()

    /// Starts copying the output; `nil` while no server is running. Any thread, as for the next two.
    func openTap() -> OutputTap?
    /// Whether the tap still receives the output.
    func feeds(_ tap: OutputTap) -> Bool
    func closeTaps()

    /// Ends. Afterwards no event is delivered and nothing is rendered.
    func close() async
}

extension Backend: AudioDevice {
    package func close() async { await close(within: .milliseconds(500)) }
}
