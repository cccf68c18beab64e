import Bus

/// A service of this program, to be announced in the network.
package struct AnnouncedService: Hashable, Sendable {
    /// The kind of service, such as `_osc._udp`.
    package var type: String
    package var port: UInt16
    package var place: Place
    /// The TXT record: `key=value` strings, each at most 255 bytes.
    package var text: [String]

    /// The network interfaces on which it can be reached.
    package struct Place: Hashable, Sendable {
        /// The number of the only network interface; `nil` for all.
        package var interface: Int32?
        package var family: Family

        package init(interface: Int32? = nil, family: Family) { (self.interface, self.family) = (interface, family) }
    }

    package enum Family: Int32, Sendable {
        case ipv4 = 0
        case ipv6 = 1
    }

    package init(_ type: String, port: UInt16, at place: Place, text: [String] = []) {
        (self.type, self.port, self.place, self.text) = (type, port, place, text)
    }

    /// The arguments of `AddService`.
    func arguments(name: String) -> [BusValue] {
        let flags: UInt32 = 0
        let records = text.map { BusValue.array(of: "y", $0.utf8.prefix(255).map(BusValue.byte)) }
        // Avahi's own domain and name of this machine.
        return [
            .int32(place.interface ?? Avahi.any), .int32(place.family.rawValue), .uint32(flags), .string(name), .string(type), .string(""),
            .string(""), .uint16(port), .array(of: "ay", records),
        ]
    }
}
