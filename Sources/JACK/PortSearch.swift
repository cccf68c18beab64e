import CJACK

/// The flags of a port. `JackPortFlags`
public struct PortFlags: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    public static let input = PortFlags(rawValue: UInt(JackPortIsInput.rawValue))
    public static let output = PortFlags(rawValue: UInt(JackPortIsOutput.rawValue))
    public static let physical = PortFlags(rawValue: UInt(JackPortIsPhysical.rawValue))
    public static let terminal = PortFlags(rawValue: UInt(JackPortIsTerminal.rawValue))
}

/// Copies a list of names that JACK allocated, and frees it. jack_free
func takeNames(_ names: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let names else { return [] }
    defer { jack_free(names) }
    var result: [String] = []
    // SAFETY: JACK ends the list with NULL.
    while let name = names[result.count] {
        result.append(String(cString: name))
    }
    return result
}

/// The name, with a number appended if a client that has these ports (full names) already uses it: binaural, binaural-01, binaural-02.
package func firstFreeName(like name: String, ports: [String]) -> String {
    let taken = Set(ports.compactMap { port in port.firstIndex(of: ":").map { String(port[..<$0]) } })
    guard taken.contains(name) else { return name }
    let numbered = (1...99).lazy.map { name + ($0 < 10 ? "-0" : "-") + String($0) }
    return numbered.first { !taken.contains($0) } ?? name
}
