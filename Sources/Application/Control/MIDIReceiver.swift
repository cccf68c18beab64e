import POSIX
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

    /// Whether MIDI has arrived recently; `now` is in seconds on the monotonic clock.
    func isAttentive(at now: Double) -> Bool { now - lastArrival < Self.attention }

    func tick(_ control: Control) {
        guard let (arrivals, lost) = control.backend?.takeMIDI() else { return }
        let performance = control.performance
        if lost > 0 { control.logger.info("MIDI: \(lost) messages were lost, since the buffer was full.") }
        for arrival in arrivals {
            guard let message = MIDIMessage(arrival.bytes) else { continue }
            lastArrival = control.time.seconds
            interpreter.take(message, at: performance.moment(of: arrival.engineFrame), control.player.state)
        }
        guard !interpreter.isIdle else { return }
        let delay = Int64((performance.lead ?? 0) * Double(control.player.state.sampleRate))
        for (requests, moment) in interpreter.next(Self.requestsAtOnce, control.player.state) {
            performance.simultaneously(at: Moment(frame: moment.frame + delay)) {
                for request in requests { carryOut(request, control) }
            }
        }
    }

    private func carryOut(_ request: MIDIInterpreter.Request, _ control: Control) {
        switch request {
        case .command(let command):
            control.perform(command, from: Self.sender) { [logger = control.logger] result in
                if result.status != .success { logger.info("MIDI: \(result.message)") }
            }
        case .controller(let number, let value, let channel): move(number, to: value, channel, control)
        }
    }

    private func move(_ number: Int, to value: Int, _ channel: Int, _ control: Control) {
        let before = values.updateValue(value, forKey: ControllerName(channel: channel, number: number))
        if let address = control.player.state.learning, ControllerMapping.learnable.contains(number) {
            carryOut(.command(.mapController(ControllerMapping(controller: number, channel: channel, address: address))), control)
        }
        for mapping in control.player.state.controllers where mapping.isMoved(by: number, channel: channel) {
            control.frontEnds.osc?.move(mapping.address, to: ControllerPosition(value, before: before), by: Self.sender) {
                [logger = control.logger] result in
                if result.status != .success { logger.info("MIDI: controller \(number), \(mapping.address): \(result.message)") }
            }
        }
    }

    /// Reports controllers whose address does not exist, which may come from a session edited by hand or by another version; they are
    /// kept.
    func reportLostControllers(_ control: Control) {
        for mapping in control.player.state.controllers {
            if let fault = AddressTable.standard.fault(ofController: mapping.address) {
                control.notify(notice: "Controller \(mapping.controller) of the session has an invalid address. \(fault)")
            }
        }
    }
}
