import OSC
import Patches

/// The names in a running instance that an argument or an address can have, for shell completions.
package struct InstanceNames {
    private let channel: InstanceChannel
    /// Seconds to wait for each answer.
    private let wait: Double

    /// `nil` if the instance cannot be reached.
    package init?(at address: PeerAddress, wait: Double) {
        guard let channel = try? InstanceChannel(to: address) else { return nil }
        (self.channel, self.wait) = (channel, wait)
    }

    /// The names in the instance's answer to `NAME/list`; `nil` if it does not answer in time.
    ///
    /// - Parameter argument: the index of the names among the arguments.
    package func listed(_ name: String, nameAt argument: Int = 1) -> [String]? {
        var names: [String] = []
        var conversation = Conversation(OSCMessage(Conversation.root + name + "/list"))
        let outcome = conversation.hold(over: channel, wait: wait) { answer in
            guard answer.address == Conversation.root + name + "/item", case .string(let name)? = answer.arguments.dropFirst(argument).first
            else {
                return
            }
            names.append(name)
        }
        return outcome == .done ? names : nil
    }

    /// The kinds of the layers; `nil` if nobody answers in time.
    package var layerKinds: [LayerKind]? {
        guard let kinds = layerValues("kind") else { return nil }
        return (0..<kinds.count).map { kinds[$0 + 1].flatMap(LayerKind.init) ?? .binaural }
    }

    /// The names of the layers, as far as they are known.
    package var layerNames: [String] {
        guard let names = layerValues("name") else { return [] }
        return (0..<names.count).map { names[$0 + 1] ?? "" }
    }

    /// A text of each layer by the layer's number; empty if there are no layers, `nil` if nobody answers in time.
    private func layerValues(_ property: String) -> [Int: String]? {
        var values: [Int: String] = [:]
        var conversation = Conversation(OSCMessage(Conversation.root + "layer/*/" + property))
        let outcome = conversation.hold(over: channel, wait: wait) { answer in
            let parts = answer.address.split(separator: "/")
            guard parts.count == 4, let number = Int(parts[2]), case .string(let value)? = answer.arguments.first else { return }
            values[number] = value
        }
        switch outcome {
        case .done: return values.isEmpty ? nil : values
        // 404 means that there is no layer, since the queue is empty.
        case .refused(let refusals) where refusals.first?.code == 404: return [:]
        case .refused, .silence, .nobodyThere: return nil
        }
    }
}
