/// A MIDI controller and the address that it is mapped to.
package struct ControllerMapping: Equatable, Sendable {
    /// Controller number, 0...127.
    package var controller: Int
    /// MIDI channel, 1...16; `nil` means any.
    package var channel: Int?
    /// The address below the root of the OSC contract, such as `layer/1/beat`.
    package var address: String

    package init(controller: Int, channel: Int? = nil, address: String) {
        self.controller = controller
        self.channel = channel
        self.address = address
    }

    /// Maximum number of mappings in a session.
    package static let limit = 256

    /// The controllers that can be learnt; higher numbers are MIDI's channel mode messages, such as all notes off.
    package static let learnable = 0...119

    package func isMoved(by controller: Int, channel: Int) -> Bool {
        self.controller == controller && (self.channel ?? channel) == channel
    }
}
