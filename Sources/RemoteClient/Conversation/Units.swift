import OSC

/// The units of an instance's values, as it describes them.
package struct Units {
    private var ofAddress: [String: String] = [:]

    package init() {}

    /// Requests the units of addresses that are not known yet. Some stay unknown if no answer comes in time.
    ///
    /// - Parameters:
    ///   - wait: seconds, for all of them.
    ///   - other: gets other messages that arrive meanwhile.
    package mutating func learn(
        _ addresses: [String], over channel: InstanceChannel, wait: Double, other: (OSCMessage) -> Void = { _ in }
    ) {
        var missing = Set(addresses.filter { ofAddress[$0] == nil && $0.hasPrefix(Conversation.root) }.map(Self.path))
        for path in missing { channel.send(OSCMessage(Conversation.root + "describe", [.string(path)])) }
        let deadline = ContinuousClock.now + .seconds(wait)
        while !missing.isEmpty, ContinuousClock.now < deadline {
            while case .packet(let packet)? = channel.receive() {
                for message in packet.messages where !take(message, &missing) { other(message) }
            }
            if !missing.isEmpty { channel.wait(until: deadline) }
        }
    }

    /// The message with its unit, such as `layer/1/beat 10 Hz`.
    package func text(_ message: OSCMessage) -> String { ArgumentText.described(message, unit: ofAddress[message.address] ?? "") }

    /// Handles a description; returns whether it was one that is missing.
    private mutating func take(_ message: OSCMessage, _ missing: inout Set<String>) -> Bool {
        guard case .string(let path)? = message.arguments.first else { return false }
        switch message.address {
        case Conversation.root + "describe":
            if message.arguments.count > 5, case .string(let unit) = message.arguments[5] { ofAddress[Conversation.root + path] = unit }
            return true
        case Conversation.root + "describe/value": return true
        case Conversation.root + "describe/end":
            // A path that does not exist has no unit, and is not requested again.
            if ofAddress[Conversation.root + path] == nil { ofAddress[Conversation.root + path] = "" }
            return missing.remove(path) != nil
        default: return false
        }
    }

    private static func path(_ address: String) -> String { String(address.dropFirst(Conversation.root.count)) }
}
