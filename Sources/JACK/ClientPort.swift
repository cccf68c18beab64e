import CJACK

/// A port of one of this program's clients; valid as long as the client is open. `jack_port_t`
//
// SAFETY of the ports, which are Sendable: the pointer is JACK's handle, which its functions take from any thread; it is never dereferenced
// here.
public protocol ClientPort: Sendable {
    /// JACK's handle.
    var pointer: OpaquePointer { get }
}

extension ClientPort {
    /// The full name, such as "binaural:out_left". jack_port_name
    public var name: String {
        jack_port_name(pointer).map { String(cString: $0) } ?? ""
    }

    /// The name without the client's, such as "out_left". jack_port_short_name
    public var shortName: String {
        jack_port_short_name(pointer).map { String(cString: $0) } ?? ""
    }

    /// Whether this is an input port. jack_port_flags
    public var isInput: Bool { PortFlags(rawValue: UInt(jack_port_flags(pointer))).contains(.input) }
}
