// A JACK client that prints the MIDI messages that it receives, with their times in seconds on JACK's clock.
import Foundation
import JACK
import RealTime

/// The first bytes of a MIDI message, as they cross from JACK's thread to this program's.
struct Event: BitwiseCopyable, Sendable {
    /// The frame at which it is due, on JACK's frame counter.
    var frame: UInt32
    var count = 0
    var bytes = SIMD4<UInt8>()

    init(frame: UInt32, _ message: Span<UInt8>) {
        self.frame = frame
        count = min(message.count, 4)
        for index in 0..<count { bytes[index] = message[index] }
    }
}

@main struct MIDIMonitor {
    static func main() throws {
        let inactive = try InactiveClient.open(name: "midi-monitor", serverName: nil) { _ in }
        let input = try inactive.registerMIDIInput("in")
        let ring = Ring<Event>(capacity: 1024)
        var producer = ring.producer
        var consumer = ring.consumer
        try inactive.onCycle { cycle in
            let start = cycle.frame
            cycle.forEachEvent(of: input) { frame, bytes in
                // When the ring is full, the message is lost: JACK's thread must not wait for a reader.
                _ = producer.push(Event(frame: start &+ UInt32(frame), bytes))
            }
        }
        let client = try inactive.activate()
        print("Connect a MIDI output to \(input.name).")
        while true {
            while let event = consumer.pop() {
                let seconds = Double(client.time(ofFrame: event.frame)) / 1e6
                let bytes = (0..<event.count).map { String(format: "%02x", event.bytes[$0]) }
                print(String(format: "%.4f ", seconds) + bytes.joined(separator: " "))
            }
            usleep(10_000)
        }
    }
}
