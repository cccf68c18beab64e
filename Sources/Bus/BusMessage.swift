import Csystemd

/// Reads the fields of messages, and makes and sends them. The functions belong to the queue of their connection.
final class BusMessage {
    let pointer: OpaquePointer
    /// About as many bytes as the message has, if it was made here.
    private(set) var size = 0

    /// Takes over the reference that libsystemd's functions return.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    /// Keeps a message that libsystemd has lent.
    init(retaining pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }

    deinit { sd_bus_message_unref(pointer) }

    static func methodCall(on bus: OpaquePointer, _ method: BusMethod) throws(BusError) -> BusMessage {
        var message: OpaquePointer?
        try check(
            sd_bus_message_new_method_call(bus, &message, method.destination, method.path, method.interface, method.member),
            "cannot call \(method.member)")
        return try filled(message, method.arguments)
    }

    static func signal(on bus: OpaquePointer, _ signal: BusSignal) throws(BusError) -> BusMessage {
        var message: OpaquePointer?
        try check(
            sd_bus_message_new_signal(bus, &message, signal.path, signal.interface, signal.member), "cannot send \(signal.member)")
        return try filled(message, signal.arguments)
    }

    func reply(_ values: [BusValue]) throws(BusError) -> BusMessage {
        var message: OpaquePointer?
        try check(sd_bus_message_new_method_return(pointer, &message), "cannot reply")
        return try Self.filled(message, values)
    }

    func errorReply(_ error: BusError) throws(BusError) -> BusMessage {
        var message: OpaquePointer?
        let result = error.name.withCString { name in
            error.message.forBus.withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                return sd_bus_message_new_method_error(pointer, &message, &error)
            }
        }
        try check(result, "cannot reply")
        return try Self.filled(message, [])
    }

    private static func filled(_ message: OpaquePointer?, _ values: [BusValue]) throws(BusError) -> BusMessage {
        guard let message else { throw .failed("cannot make a message: out of memory") }
        let filled = BusMessage(owning: message)
        try BusMessageWriter(message).append(values)
        // The header's fields are short.
        filled.size = values.estimatedSize + 200
        return filled
    }

    var path: String { Self.text(sd_bus_message_get_path(pointer)) }
    /// Empty if the message has none, which is allowed in a call.
    var interface: String { Self.text(sd_bus_message_get_interface(pointer)) }
    var member: String { Self.text(sd_bus_message_get_member(pointer)) }
    /// The unique name of the sender, such as `:1.7`.
    var sender: String { Self.text(sd_bus_message_get_sender(pointer)) }
    var expectsReply: Bool { sd_bus_message_get_expect_reply(pointer) > 0 }

    /// From the beginning, each time.
    func arguments() throws(BusError) -> [BusValue] {
        try check(sd_bus_message_rewind(pointer, 1), "cannot read a message")
        var reader = BusMessageReader(pointer)
        return try reader.values()
    }

    /// The error that a reply reports, if it reports one.
    var error: BusError? {
        guard sd_bus_message_is_method_error(pointer, nil) > 0, let error = sd_bus_message_get_error(pointer) else { return nil }
        return BusError(name: Self.text(error.pointee.name), message: Self.text(error.pointee.message))
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}

extension BusMatch {
    /// Whether the signal fits, apart from its sender.
    func admits(_ message: BusMessage) -> Bool {
        (path ?? message.path) == message.path && (interface ?? message.interface) == message.interface
            && (member ?? message.member) == message.member
    }
}
