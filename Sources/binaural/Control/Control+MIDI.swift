import Foundation
import OSCRemote
import Playback
import Studio

/// A controller of a MIDI device.
struct ControllerName: Hashable {
    let channel: Int
    let number: Int
}

/// What comes to the port `midi_in`. Whatever it asks for takes effect as long after it has come as a change needs to be made, always
/// the same: what is played in time is heard in time.
extension Control {
    /// Of what one look finds, so much is done at once; what moves on meanwhile is done once, as it stands then.
    private static let requestsAtOnce = 24
    /// Seconds after the last message for which it is looked at more often.
    private static let attention = 10.0
    private static let hand = "midi"

    /// Something has come lately.
    var hearsMIDI: Bool { ProcessInfo.processInfo.systemUptime - lastMIDI < Self.attention }

    func takeMIDI() {
        guard let (arrivals, lost) = backend?.takeMIDI() else { return }
        if lost > 0 { logger.info("MIDI: \(lost) messages more than there was room for.") }
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

    /// A session that was written by hand, or by another version, may name addresses that are not there: they stay, and are told.
    func tellLostControllers() {
        for mapping in player.state.controllers {
            if let fault = AddressTable.standard.fault(ofController: mapping.address) {
                tell(notice: "Controller \(mapping.controller) of the session moves nothing. \(fault)")
            }
        }
    }
}
