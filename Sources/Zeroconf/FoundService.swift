import Bus

/// A service that was found in the network.
package struct FoundService: Hashable, Sendable {
    /// The name under which it is announced.
    package var name: String
    package var type: String
    /// The name of the machine, such as `studio.local`.
    package var host: String
    /// The numeric address; a link-local one has the number of its interface after a `%`.
    package var address: String
    package var port: UInt16
    /// The values of its text records by their keys; a key without a value has an empty one.
    package var text: [String: String]

    package init(name: String, type: String, host: String, address: String, port: UInt16, text: [String: String]) {
        (self.name, self.type, self.host, self.address, self.port, self.text) = (name, type, host, address, port, text)
    }

    /// Reads the answer of `ResolveService`; `nil` if it has another form.
    init?(resolved values: [BusValue]) {
        guard values.count == 11, let interface = values[0].integer, let name = values[2].text, let type = values[3].text,
            let host = values[5].text, let address = values[7].text, let port = values[8].integer, let records = values[9].elements
        else { return nil }
        self.name = name
        self.type = type
        self.host = host
        self.address = address.lowercased().hasPrefix("fe80:") ? "\(address)%\(interface)" : address
        self.port = UInt16(clamping: port)
        text = Dictionary(records.compactMap(Self.record)) { first, _ in first }
    }

    private static func record(_ value: BusValue) -> (String, String)? {
        let bytes = value.elements?.compactMap { $0.integer.map(UInt8.init(truncatingIfNeeded:)) } ?? []
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let key = parts.first, !key.isEmpty else { return nil }
        return (String(key), parts.count == 2 ? String(parts[1]) : "")
    }
}
