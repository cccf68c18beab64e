import Foundation
import OSCRemote
import Playback
import Studio

/// A MIDI controller, by channel and number.
struct ControllerName: Hashable {
    let channel: Int
    let number: Int
}

/// Handles events of the port `midi_in`. They take effect a constant time after their arrival, the time needed for a change, so that what
/// is played in time is heard in time.
extension Control {
    /// Maximum number of requests handled at once; controls that move on meanwhile are handled once, with their latest value.
    private static let requestsAtOnce = 24
    /// Seconds after the last message for which MIDI is polled more often.
    private static let attention = 10.0
    private static let hand = "midi"

    /// Whether MIDI has arrived recently.
    var hearsMIDI: Bool { ProcessInfo.processInfo.systemUptime - lastMIDI < Self.attention }

    func takeMIDI() {
        guard let (arrivals, lost) = backend?.takeMIDI() else { return }
        if lost > 0 { logger.info("MIDI: \(lost) messages were lost, since the buffer was full.") }
        for arrival in arrivals {
            guard let message = MIDIMessage(arrival.bytes) else { continue }
            lastMIDI = ProcessInfo.processInfo.systemUptime
            midi.take(message, at: performance.moment(ofEngineFrame: arrival.engineFrame), player.state)
        }
        guard !midi.isIdle else { return }
        let delay = Int64((performance.lead ?? 0) * Double(player.state.sampleRate))
        for (requests, moment) in midi.next(Self.requestsAtOnce, player.state) {
            performance.simultaneously(at: Moment(frame: moment.frame + delay)) {
                for request in requests { carryOut(request) }
            }
        }
    }

    private func carryOut(_ request: MIDIInterpreter.Request) {
        switch request {
        case .command(let command):
            perform(command, from: Self.hand) { [logger] result in
                if result.status != .success { logger.info("MIDI: \(result.message)") }
            }
        case .controller(let number, let value, let channel): turn(number, to: value, channel)
        }
    }

    private func turn(_ number: Int, to value: Int, _ channel: Int) {
        let before = controllerValues.updateValue(value, forKey: ControllerName(channel: channel, number: number))
        if let address = player.state.learning, ControllerMapping.learnable.contains(number) {
            carryOut(.command(.mapController(ControllerMapping(controller: number, channel: channel, address: address))))
        }
        for mapping in player.state.controllers where mapping.isMoved(by: number, channel: channel) {
            remote?.turn(mapping.address, to: ControllerPosition(value, before: before), by: Self.hand) { [logger] result in
                if result.status != .success { logger.info("MIDI: controller \(number), \(mapping.address): \(result.message)") }
            }
        }
    }

    /// Reports controllers whose address does not exist, which may come from a session written by hand or by another version; they are
    /// kept.
    func tellLostControllers() {
        for mapping in player.state.controllers {
            if let fault = AddressTable.standard.fault(ofController: mapping.address) {
                tell(notice: "Controller \(mapping.controller) of the session has an invalid address. \(fault)")
            }
        }
    }
}
