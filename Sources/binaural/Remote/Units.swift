import OSC

/// The units in which an instance tells its values, as it describes them itself.
struct Units {
    private var ofAddress: [String: String] = [:]

    /// Asks for those of the addresses that are not known yet. Some stay unknown when no answer comes in time.
    ///
    /// - Parameter wait: seconds, for all of them.
    mutating func learn(_ addresses: [String], over channel: InstanceChannel, wait: Double) {
        var missing = Set(addresses.filter { ofAddress[$0] == nil && $0.hasPrefix(Conversation.root) }.map(Self.path))
        for path in missing { channel.send(Message(Conversation.root + "describe", [.string(path)])) }
        let deadline = ContinuousClock.now + .seconds(wait)
        while !missing.isEmpty, ContinuousClock.now < deadline {
            while case .packet(let packet)? = channel.receive() {
                for message in packet.messages { take(message, &missing) }
            }
            if !missing.isEmpty { channel.wait(until: deadline) }
        }
    }

    /// `layer/1/beat 10 Hz`.
    func text(_ message: Message) -> String { ArgumentText.described(message, unit: ofAddress[message.address] ?? "") }

    private mutating func take(_ message: Message, _ missing: inout Set<String>) {
        guard case .string(let path)? = message.arguments.first else { return }
        switch message.address {
        case Conversation.root + "describe":
            if message.arguments.count > 5, case .string(let unit) = message.arguments[5] { ofAddress[Conversation.root + path] = unit }
        case Conversation.root + "describe/end": missing.remove(path)
        default: break
        }
    }

    private static func path(_ address: String) -> String { String(address.dropFirst(Conversation.root.count)) }
}
