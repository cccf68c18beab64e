/// A controller of a MIDI device and the address that it moves.
package struct ControllerMapping: Equatable, Sendable {
    /// 0...127.
    package var controller: Int
    /// 1...16; `nil` is any.
    package var channel: Int?
    /// Below the root of the OSC contract, such as `layer/1/beat`.
    package var address: String

    package init(controller: Int, channel: Int? = nil, address: String) {
        self.controller = controller
        self.channel = channel
        self.address = address
    }

    /// More are not taken by a session.
    package static let limit = 256

    /// The controllers that can be learnt; those behind them are what MIDI calls channel mode messages, such as all notes off.
    package static let learnable = 0...119

    package func isMoved(by controller: Int, channel: Int) -> Bool {
        self.controller == controller && (self.channel ?? channel) == channel
    }
}

extension PlayerState {
    /// An address has one controller: the one that it was given last.
    mutating func map(_ mapping: ControllerMapping) {
        if let index = controllers.firstIndex(where: { $0.address == mapping.address }) {
            controllers[index] = mapping
        } else {
            controllers.append(mapping)
        }
        if learning == mapping.address { learning = nil }
    }
}
