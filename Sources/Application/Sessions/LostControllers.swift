import OSCRemote
import Playback

/// MIDI controllers of a session whose address does not exist: the session was edited by hand, or comes from another version. They are kept.
enum LostControllers {
    @MainActor static func report(_ host: PlayerHost) {
        for mapping in host.player.state.controllers {
            if let fault = AddressTable.standard.fault(ofController: mapping.address) {
                host.notify(notice: "Controller \(mapping.controller) of the session has an invalid address. \(fault)")
            }
        }
    }
}
