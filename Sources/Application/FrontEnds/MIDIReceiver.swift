import OperatingSystem
import Foundation
import OSCRemote
import Playback
import Performance

/// A MIDI controller, by channel and number.
struct ControllerName: Hashable {
    let channel: Int
    let number: Int
}

/// Handles events of the port `midi_in`. They take effect a constant time after their arrival, the time needed for a change, so that the
/// rhythm in which they were played is kept.
@MainActor final class MIDIReceiver {
    private let host: PlayerHost
    private var interpreter = MIDIInterpreter()
    /// The latest values of controllers.
    private var values: [ControllerName: Int] = [:]
    /// The time at which MIDI last arrived, in seconds on the monotonic clock.
    private var lastArrival = -Double.infinity

    /// Maximum number of requests handled at once; controls that move on meanwhile are handled once, with their latest value.
    private static let requestsAtOnce = 24
    /// Seconds after the last message for which MIDI is polled more often.
    private static let attention = 10.0
    private static let sender = "midi"

    init(_ host: PlayerHost) { self.host = host }

    /// Whether MIDI has arrived recently; `now` is in seconds on the monotonic clock.
    func isAttentive(at now: Double) -> Bool { now - lastArrival < Self.attention }

    /// - Parameter osc: moves the addresses that controllers are assigned to.
    func tick(moving osc: OSCFrontEnd?) {
        guard let (arrivals, lost) = host.device?.takeMIDI() else { return }
        let performance = host.performance
        if lost > 0 { host.logger.info("MIDI: \(lost) messages were lost, since the buffer was full.") }
        for arrival in arrivals {
            guard let message = MIDIMessage(arrival.bytes) else { continue }
            lastArrival = host.time.seconds
            interpreter.take(message, at: performance.moment(of: arrival.engineFrame), host.player.state)
        }
        guard !interpreter.isIdle else { return }
        let delay = Int64((performance.lead ?? 0) * Double(host.player.state.sampleRate))
        for (requests, moment) in interpreter.next(Self.requestsAtOnce, host.player.state) {
            performance.simultaneously(at: Moment(frame: moment.frame + delay)) {
                for request in requests { carryOut(request, osc) }
            }
        }
    }

    private func carryOut(_ request: MIDIInterpreter.Request, _ osc: OSCFrontEnd?) {
        switch request {
        case .command(let command):
            host.perform(command, from: Self.sender) { [logger = host.logger] result in
                if result.status != .success { logger.info("MIDI: \(result.message)") }
            }
        case .controller(let number, let value, let channel): move(number, to: value, channel, osc)
        }
    }

    private func move(_ number: Int, to value: Int, _ channel: Int, _ osc: OSCFrontEnd?) {
        let before = values.updateValue(value, forKey: ControllerName(channel: channel, number: number))
        if let address = host.player.state.learning, ControllerMapping.learnable.contains(number) {
            carryOut(.command(.mapController(ControllerMapping(controller: number, channel: channel, address: address))), osc)
        }
        for mapping in host.player.state.controllers where mapping.isMoved(by: number, channel: channel) {
            osc?.move(mapping.address, to: ControllerPosition(value, before: before), by: Self.sender) {
                [logger = host.logger] result in
                if result.status != .success { logger.info("MIDI: controller \(number), \(mapping.address): \(result.message)") }
            }
        }
    }
}
