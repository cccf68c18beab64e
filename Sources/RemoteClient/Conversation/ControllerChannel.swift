import OSC
import OSCRemote

/// Sends a running instance requests about MIDI controllers.
package struct ControllerChannel {
    /// An entry of `midi/list`.
    package struct Mapping {
        package let number: Int
        package let address: String
        package let controller: Int
        /// MIDI channel; 0 means any.
        package let channel: Int

        package var line: String {
            "\(number)  controller \(controller)\(channel == 0 ? "" : ", channel \(channel)"): \(address)"
        }
    }

    private let instance: RunningInstance
    private let channel: InstanceChannel

    /// Seconds to wait for an answer.
    private static let patience = 5.0

    package init(_ instance: RunningInstance) throws(SocketError) {
        self.instance = instance
        channel = try InstanceChannel(to: instance.address)
    }

    package static func belowRoot(_ address: String) -> String {
        address.hasPrefix(Conversation.root) ? String(address.dropFirst(Conversation.root.count)) : address
    }

    package func perform(_ address: String, _ arguments: OSCArgument...) throws {
        try hold(OSCMessage(Conversation.root + address, arguments)) { _ in }
    }

    /// Whether an address is still waiting for a controller.
    package func isLearning() throws -> Bool {
        var waits = false
        try hold(OSCMessage(Conversation.root + "midi/learn")) { answer in
            if case .string(let address)? = answer.arguments.first { waits = !address.isEmpty }
        }
        return waits
    }

    package func mappings() throws -> [Mapping] {
        var mappings: [Mapping] = []
        try hold(OSCMessage(Conversation.root + "midi/list")) { answer in
            guard answer.address == Conversation.root + "midi/item", answer.arguments.count == 4,
                case (.int32(let number), .string(let address)) = (answer.arguments[0], answer.arguments[1]),
                case (.int32(let controller), .int32(let channel)) = (answer.arguments[2], answer.arguments[3])
            else { return }
            mappings.append(Mapping(number: Int(number), address: address, controller: Int(controller), channel: Int(channel)))
        }
        return mappings
    }

    /// - Throws: refusals by the instance, and the lack of an answer.
    private func hold(_ message: OSCMessage, _ receive: (OSCMessage) -> Void) throws {
        var conversation = Conversation(message)
        switch conversation.hold(over: channel, wait: Self.patience, print: receive) {
        case .done: return
        case .refused(let refusals): throw RemoteClientError(.refused, refusals.first?.text ?? "")
        case .silence, .nobodyThere:
            throw RemoteClientError(
                .unavailable,
                "No answer from \(instance.address) (address from \(instance.source)). Start an instance with 'binaural play'.")
        }
    }
}
