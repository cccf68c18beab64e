/// A method of another program's object, and what to call it with.
package struct BusMethod: Hashable, Sendable {
    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [BusValue]

    package init(_ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []) {
        (self.destination, self.path, self.interface, self.member) = (destination, path, interface, member)
        self.arguments = arguments
    }

    /// The name and the interface of the bus itself.
    static let daemon = "org.freedesktop.DBus"

    /// A method of the message bus itself.
    package static func ofDaemon(_ member: String, _ arguments: [BusValue] = []) -> BusMethod {
        BusMethod(daemon, "/org/freedesktop/DBus", daemon, member, arguments)
    }
}

/// A signal, sent or received.
package struct BusSignal: Hashable, Sendable {
    /// The unique name of the sender, such as `:1.7`; not used for signals that are sent.
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [BusValue]

    package init(sender: String = "", _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []) {
        (self.sender, self.path, self.interface, self.member) = (sender, path, interface, member)
        self.arguments = arguments
    }
}

/// The signals to receive; `nil` accepts any value.
package struct BusMatch: Hashable, Sendable {
    /// The name of the sender, well known or unique. Signals that others send under its interface are ignored.
    package var sender: String
    package var path: String?
    package var interface: String?
    package var member: String?

    package init(sender: String, path: String? = nil, interface: String? = nil, member: String? = nil) {
        (self.sender, self.path, self.interface, self.member) = (sender, path, interface, member)
    }

    /// The rule for the bus. D-Bus specification, Match Rules
    var rule: String {
        var parts = [("type", "signal"), ("sender", sender)]
        if let path { parts.append(("path", path)) }
        if let interface { parts.append(("interface", interface)) }
        if let member { parts.append(("member", member)) }
        return parts.map { "\($0.0)='\($0.1)'" }.joined(separator: ",")
    }
}
